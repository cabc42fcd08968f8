// The phone's side of tests/server/rpc/test_channel.py: reads {"server", "secret", "request", "reply", "nonce"} as
// JSON from stdin, answers {"message", "nonce", "key", "opened"}.

import "./browser.mjs";

import { readFileSync } from "node:fs";

const { Channel, fromHex, toHex } = await import("../../web/core/channel.js");
const nacl = globalThis.nacl;

const given = JSON.parse(readFileSync(0, "utf8"));
const pair = nacl.box.keyPair.fromSecretKey(fromHex(given.secret));
const channel = new Channel(fromHex(given.server), pair);
const { message, nonce } = channel.seal(given.request);
const opened = given.reply && channel.unseal(fromHex(given.reply), given.nonce);
process.stdout.write(
  JSON.stringify({ message: toHex(message), nonce, key: channel.publicKeyHex, opened }),
);
