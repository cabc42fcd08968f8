// The phone's side of tests/server/rpc/test_channel.py: reads {"server", "secret", "request", "reply", "nonce"} as
// JSON from stdin, answers {"message", "nonce", "key", "opened"}.

import "./browser.mjs";

import { readFileSync } from "node:fs";

import { nacl } from "../../web/core/vendor/nacl-box.min.js";

const { Channel, fromHex, toHex } = await import("../../web/core/channel.js");

const input = JSON.parse(readFileSync(0, "utf8"));
const pair = nacl.box.keyPair.fromSecretKey(fromHex(input.secret));
const channel = new Channel(fromHex(input.server), pair);
const { message, nonce } = channel.seal(input.request);
const opened = input.reply && channel.unseal(fromHex(input.reply), input.nonce);
process.stdout.write(
  JSON.stringify({ message: toHex(message), nonce, key: channel.publicKeyHex, opened }),
);
