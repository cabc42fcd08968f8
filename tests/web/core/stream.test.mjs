import assert from "node:assert/strict";
import { test } from "node:test";

import "../browser.mjs";

const { Channel, pad, toHex } = await import("../../../web/core/channel.js");
const { backOff, Frames, LineSplitter } = await import("../../../web/core/stream.js");
const nacl = globalThis.nacl;

const table = nacl.box.keyPair();
const phone = nacl.box.keyPair();

function line(count, nonce, update) {
  const fresh = nacl.randomBytes(24);
  const value = { re: nonce, n: count, role: "V", private: { own: count } };
  const boxed = nacl.box(pad(2, value, 8192), fresh, phone.publicKey, table.secretKey);
  return JSON.stringify({
    id: 3,
    update,
    box: Buffer.from([...fresh, ...boxed]).toString("base64"),
  });
}

function frames() {
  const nonce = toHex(nacl.randomBytes(24));
  return { nonce, reader: new Frames(new Channel(table.publicKey, phone), nonce) };
}

test("waits double from half a second to eight, jittered, for ever", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 40].map((n) => backOff(n, () => 1)),
    [500, 1000, 2000, 4000, 8000, 8000, 8000],
  );
  assert.deepEqual(
    [0, 3, 40].map((n) => backOff(n, () => 0)),
    [500, 2000, 4000],
  );
});

test("lines are whole however the network cuts them", () => {
  const lines = new LineSplitter();

  assert.deepEqual(
    ['{"a"', ':1}\n{"b":2}\n\n{', "}\n"].flatMap((chunk) => lines.push(chunk)),
    ['{"a":1}', '{"b":2}', "{}"],
  );
});

test("a heartbeat repeats the last snapshot without events", () => {
  const { nonce, reader } = frames();
  const snapshot = { position: 3 };

  assert.deepEqual(reader.read(line(0, nonce, { snapshot, events: [1] })), {
    update: { snapshot, events: [1] },
    own: { own: 0 },
    role: "V",
  });
  assert.deepEqual(reader.read(line(1, nonce, null)), {
    update: { snapshot, events: [] },
    own: { own: 1 },
    role: "V",
  });
});

test("a frame repeated, left out, or of another stream is refused", () => {
  const { nonce, reader } = frames();
  const first = line(0, nonce, { snapshot: { position: 1 }, events: [] });
  reader.read(first);

  assert.throws(() => reader.read(first));
  assert.throws(() => reader.read(line(2, nonce, null)));
  assert.throws(() => frames().reader.read(first));
});
