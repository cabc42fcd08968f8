import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, test } from "node:test";

import nacl from "tweetnacl";

import { naclBox } from "../../../tools/nacl_box.mjs";
import { Drawer } from "../browser.mjs";

const { Channel, ChannelError, fromHex, pad, toHex, unpad } =
  await import("../../../web/core/channel.js");
const { fromBase64 } = await import("../../../web/core/browser.js");

const table = nacl.box.keyPair();
const asText = (bytes) => Buffer.from(bytes).toString("base64url");
const open = (options = {}) =>
  Channel.open({ server_key_b64url: asText(table.publicKey), place: new Drawer(), ...options });

/** What the table does with a request: the JSON, and a boxed answer. */
function tableSide(message, answer) {
  const [key, nonce] = [message.subarray(1, 33), message.subarray(33, 57)];
  const request = unpad(1, nacl.box.open(message.subarray(57), nonce, key, table.secretKey), 1024);
  const fresh = nacl.randomBytes(24);
  const boxed = nacl.box(
    pad(2, { re: toHex(nonce), ...answer }, 8192),
    fresh,
    key,
    table.secretKey,
  );
  return { request, reply: new Uint8Array([...fresh, ...boxed]) };
}

const fetched = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = fetched;
});

test("the vendored library is what the tool makes of the published tweetnacl", () => {
  const path = new URL("../../../web/core/vendor/nacl-box.min.js", import.meta.url);

  assert.equal(readFileSync(path, "utf8"), naclBox());
});

test("every request has the same size", async () => {
  const channel = await open();

  for (const request of [
    { do: "blank" },
    { do: "submit", actions: Array(30).fill({ type: "walk", to: "D4" }) },
  ]) {
    assert.equal(channel.seal(request).message.length, 1097);
  }
});

test("a request that does not fit is not sent", async () => {
  const channel = await open();

  assert.throws(() => channel.seal({ do: "x".repeat(1021) }), RangeError);
});

test("an answer is read once it names our question", async () => {
  const channel = await open();
  const { message, nonce } = channel.seal({ do: "hello" });
  const { request, reply } = tableSide(message, { ok: true });

  assert.equal(reply.length, 8232);
  assert.deepEqual(request, { do: "hello" });
  assert.equal(channel.unseal(reply, nonce).ok, true);
  assert.equal(channel.unseal(reply, toHex(nacl.randomBytes(24))), null);
});

test("a flipped bit anywhere in an answer is refused", async () => {
  const channel = await open();
  const { message, nonce } = channel.seal({ do: "hello" });
  const { reply } = tableSide(message, { ok: true });

  for (let at = 0; at < reply.length; at += 97) {
    const bent = reply.slice();
    bent[at] ^= 1 << (at % 8);

    assert.equal(channel.unseal(bent, nonce), null);
  }
});

test("our own message sent back to us is no answer", async () => {
  const plain = pad(1, { re: "00" }, 8192);

  assert.equal(unpad(2, plain, 8192), null);
});

test("padding is zeros, so that a plaintext has one form", () => {
  const plain = pad(2, { re: "00" }, 8192);
  assert.deepEqual(unpad(2, plain, 8192), { re: "00" });
  plain[8191] = 1;
  assert.equal(unpad(2, plain, 8192), null);
});

test("a table's key of zeros is no key", async () => {
  assert.equal(
    await Channel.open({ server_key_b64url: asText(new Uint8Array(32)), place: new Drawer() }),
    null,
  );
});

test("without a key from the join code and none kept there is no channel", async () => {
  assert.equal(await Channel.open({ place: new Drawer() }), null);
});

test("the key pair is kept, and found again without the join code", async () => {
  const place = new Drawer();
  const first = await open({ place });
  const second = await Channel.open({ place });

  assert.equal(second.publicKeyHex, first.publicKeyHex);
  assert.equal(second.tableHex, toHex(table.publicKey));
});

test("another table under the same address gets a new key pair", async () => {
  const place = new Drawer();
  const first = await open({ place });
  const second = await Channel.open({
    server_key_b64url: asText(nacl.box.keyPair().publicKey),
    place,
  });

  assert.notEqual(second.publicKeyHex, first.publicKeyHex);
});

test("a code of another table takes nothing away before that table has answered", async () => {
  const place = new Drawer();
  const first = await open({ place });
  await Channel.open({ server_key_b64url: asText(nacl.box.keyPair().publicKey), place });

  assert.equal((await Channel.open({ place })).publicKeyHex, first.publicKeyHex);
});

test("the table's next key is sent under the last one, kept, and used from then on", async () => {
  const [place, next] = [new Drawer(), nacl.box.keyPair()];
  const channel = await open({ place });
  const early = channel.seal({ do: "blank" });
  const { message, nonce } = channel.seal({ do: "again" });
  channel.unseal(tableSide(message, { ok: true, next: asText(next.publicKey) }).reply, nonce);
  const later = channel.seal({ do: "hello" });
  const [key, fresh] = [later.message.subarray(1, 33), later.message.subarray(33, 57)];

  assert.deepEqual(
    unpad(1, nacl.box.open(later.message.subarray(57), fresh, key, next.secretKey), 1024),
    { do: "hello" },
  );
  assert.equal(channel.unseal(tableSide(early.message, { ok: true }).reply, early.nonce).ok, true);
  const again = await Channel.open({ place });
  assert.equal(again.publicKeyHex, channel.publicKeyHex);
  assert.equal(again.tableHex, toHex(table.publicKey));
  const scanned = await open({ place });
  assert.equal(scanned.publicKeyHex, channel.publicKeyHex);
});

test("a page that slept while another got the next key asks again under that one", async () => {
  const [place, next] = [new Drawer(), nacl.box.keyPair()];
  const [awake, asleep] = [await open({ place }), await Channel.open({ place })];
  const { message, nonce } = awake.seal({ do: "again" });
  awake.unseal(tableSide(message, { ok: true, next: asText(next.publicKey) }).reply, nonce);
  let posts = 0;
  globalThis.fetch = async (_, { body }) => {
    posts += 1;
    const [key, fresh] = [body.subarray(1, 33), body.subarray(33, 57)];
    if (!nacl.box.open(body.subarray(57), fresh, key, next.secretKey))
      return new Response("{}", { status: 400 });
    const once = nacl.randomBytes(24);
    const boxed = nacl.box(pad(2, { re: toHex(fresh), ok: true }, 8192), once, key, next.secretKey);
    return new Response(new Uint8Array([...once, ...boxed]));
  };

  assert.equal((await asleep.request("hello")).ok, true);
  assert.equal(posts, 2);
});

test("a browser that refuses storage still gets a channel", async () => {
  const refuse = () => {
    throw new Error("denied");
  };

  const unkept = await open({ place: { getItem: refuse, setItem: refuse } });
  assert.equal(unkept.isKept, false);
  assert.equal((await open()).isKept, true);
});

test("a submission has the position it was decided on, and an argument never becomes the question", async () => {
  const channel = await open();
  channel.position = 41;

  assert.equal(channel.newRequest("submit", { do: "free" }).do, "submit");
  assert.equal(channel.newRequest("submit").expect, 41);
  assert.equal(channel.newRequest("hello").expect, null);
});

test("a pending answer is requested again with the same id", async () => {
  const channel = await open();
  const ids = [];
  globalThis.fetch = async (_, { body }) => {
    const { request, reply } = tableSide(
      body,
      ids.length ? { ok: true, done: 1 } : { ok: true, pending: true },
    );
    ids.push(request.id);
    return new Response(reply);
  };

  assert.equal((await channel.request("submit", { actions: [] })).done, 1);
  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
});

test("a turn that the table has not stored yet is answered, and can be sent again with the same id", async () => {
  const channel = await open();
  const [ids, sends] = [[], []];
  channel.hold = (send) => sends.push(send);
  globalThis.fetch = async (_, { body }) => {
    const held = { ok: true, pending: true, private: { submitted: true } };
    const { request, reply } = tableSide(body, ids.length < 2 ? held : { ok: true });
    ids.push(request.id);
    return new Response(reply);
  };

  const replies = [await channel.request("submit", { actions: [] })];
  while (sends.length) replies.push(await sends.pop()());
  assert.deepEqual(
    replies.map(({ pending }) => pending),
    [true, true, undefined],
  );
  assert.equal(new Set(ids).size, 1);
});

test("a refused message is sent once more as another one with the same id", async () => {
  const channel = await open();
  const sent = [];
  globalThis.fetch = async (path, { body }) => {
    const { request, reply } = tableSide(body, { ok: true });
    sent.push({ id: request.id, message: toHex(body) });
    return sent.length === 1 ? new Response("{}", { status: 400 }) : new Response(reply);
  };

  assert.ok((await channel.request("undo")).ok);
  assert.equal(1, new Set(sent.map(({ id }) => id)).size);
  assert.equal(2, new Set(sent.map(({ message }) => message)).size);

  globalThis.fetch = async () => new Response("{}", { status: 400 });
  await assert.rejects(channel.request("undo"), { code: "unopened" });
});

test("a request whose reply is lost is sent once more with the same id", async () => {
  const channel = await open();
  const ids = [];
  globalThis.fetch = async (_, { body }) => {
    const { request, reply } = tableSide(body, { ok: true });
    ids.push(request.id);
    if (ids.length === 1) throw new TypeError("reset");
    return new Response(reply);
  };

  assert.ok((await channel.request("undo")).ok);
  assert.deepEqual(ids, [ids[0], ids[0]]);
});

test("without a network a request counts as not sent after its second try", async () => {
  const channel = await open();
  let tries = 0;
  globalThis.fetch = async () => {
    tries += 1;
    throw new TypeError("no network");
  };
  const wrong = await channel.request("undo").catch((error) => error);

  assert.ok(wrong instanceof ChannelError);
  assert.deepEqual([wrong.code, tries], ["not_sent", 2]);
});

test("a table that is full gets no second request at once", async () => {
  const channel = await open();
  let tries = 0;
  globalThis.fetch = async () => {
    tries += 1;
    return new Response("{}", { status: 503 });
  };

  await assert.rejects(channel.request("undo"), { code: "not_sent" });
  assert.equal(tries, 1);
});

test("an answer that is cut short counts as not sent, in the box or in clear", async () => {
  const channel = await open();
  const cutShort = () =>
    new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError("gone")) }));
  const wrong = [];
  globalThis.fetch = async () => cutShort();
  wrong.push(await channel.request("hello").catch((error) => error));
  globalThis.fetch = async (path, { body }) =>
    path === "/snapshot"
      ? cutShort()
      : new Response(tableSide(body, { ok: true, snapshot: null }).reply);
  wrong.push(await channel.request("hello").catch((error) => error));

  assert.deepEqual(
    wrong.map(({ code }) => code),
    ["not_sent", "not_sent"],
  );
});

test("a request that hangs is given up, and counts as not sent", async (context) => {
  const channel = await open();
  const limits = [];
  context.mock.method(AbortSignal, "timeout", (ms) => {
    limits.push(ms);
    return AbortSignal.abort(new DOMException("too late", "TimeoutError"));
  });
  globalThis.fetch = (_, { signal }) =>
    new Promise((_done, fail) => signal?.aborted && fail(signal.reason));
  const hanging = [channel.request("hello"), channel.blank()];
  const late = new Promise((done) => setTimeout(done, 200, "hangs"));
  const ends = hanging.map((each) => Promise.race([each, late]).catch((error) => error));

  assert.equal((await ends[0]).code, "not_sent");
  assert.equal((await ends[1]).name, "TimeoutError");
  assert.deepEqual(limits, [20_000, 20_000]);
});

test("a snapshot left out of the box is fetched in clear", async () => {
  const channel = await open();
  globalThis.fetch = async (path, { body }) =>
    path === "/snapshot"
      ? Response.json({ position: 7 })
      : new Response(tableSide(body, { ok: true, snapshot: null }).reply);

  assert.deepEqual((await channel.request("hello")).snapshot, { position: 7 });
  assert.equal(channel.position, 7);
});

test("base64 is read in both alphabets, and hex goes both ways", () => {
  assert.deepEqual(fromBase64("-_8"), fromBase64("+/8="));
  assert.equal(toHex(fromHex("00ff10")), "00ff10");
});
