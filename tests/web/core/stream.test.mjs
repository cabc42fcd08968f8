import assert from "node:assert/strict";
import { test } from "node:test";

import nacl from "tweetnacl";

import "../browser.mjs";

const { Channel, pad, toHex } = await import("../../../web/core/channel.js");
const { backOff, subscribeSeat, Frames, holdAnswers, LineSplitter } =
  await import("../../../web/core/stream.js");

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

/** What a page has that follows a stream, one that shares it with no other. */
function page(context, fetch, more = {}) {
  const quiet = { addEventListener() {}, removeEventListener() {} };
  const before = { BroadcastChannel: globalThis.BroadcastChannel, fetch: globalThis.fetch };
  const put = { ...quiet, document: quiet, BroadcastChannel: undefined, fetch, ...more };
  Object.assign(globalThis, put);
  context.after(() => {
    for (const name of Object.keys(put)) delete globalThis[name];
    Object.assign(globalThis, before);
  });
}

/** The nonce of a posted message. */
const nonceOf = (body) => toHex(body.subarray(33, 57));

test("an error of the page is reported and does not end its stream", async (context) => {
  const [reported, links, seen] = [[], [], []];
  const fetch = async (_, { body }) => {
    const lines = [0, 1].map((n) => {
      const update = { snapshot: { position: n }, events: [] };
      return `${line(n, nonceOf(body), update)}\n`;
    });
    // The stream stays open after its lines.
    return new Response(
      new ReadableStream({
        start: (stream) => stream.enqueue(new TextEncoder().encode(lines.join(""))),
      }),
    );
  };
  page(context, fetch, { reportError: (error) => reported.push(error.message) });
  const ended = new Promise((done) => {
    const { close } = subscribeSeat(
      new Channel(table.publicKey, phone),
      ({ snapshot: { position } }) => {
        seen.push(position);
        if (position === 1) setImmediate(() => (close(), done()));
        throw new Error(`page ${position}`);
      },
      (link) => links.push(link),
    );
  });
  await ended;

  assert.deepEqual([seen, reported, links], [[0, 1], ["page 0", "page 1"], ["up"]]);
});

test("a full table is asked again after the time that it names", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let requests = 0;
  page(context, async () => {
    requests += 1;
    return new Response("{}", { status: 503, headers: { "Retry-After": "5" } });
  });
  const { close } = subscribeSeat(
    new Channel(table.publicKey, phone),
    () => {},
    () => {},
  );
  await new Promise(setImmediate);
  context.mock.timers.tick(4999);
  assert.equal(requests, 1);
  context.mock.timers.tick(1);
  assert.equal(requests, 2);
  await new Promise(setImmediate);
  close();
});

/** The positions that a page has shown and waited for, in a page whose time stands still. */
function held(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const steps = [];
  const receive = holdAnswers(
    ({ snapshot }) => {
      steps.push(snapshot.position);
      if (snapshot.isBroken) throw new Error("a page that cannot draw");
    },
    ({ snapshot }) => steps.push(`wait ${snapshot.position}`),
  );
  return {
    steps,
    receive: (position, awaited = null, more = {}) =>
      receive({ snapshot: { position, awaited, ...more }, events: [] }),
    later: (ms) => context.mock.timers.tick(ms),
  };
}

test("an awaited answer is shown after the same time, and nothing overtakes it", (context) => {
  const { steps, receive, later } = held(context);
  receive(1);
  receive(3, 3);
  receive(4);
  later(1199);
  assert.deepEqual(steps, [1, "wait 3"]);
  later(1);
  assert.deepEqual(steps, [1, "wait 3", 3, 4]);
});

test("an answer is held back once: not by later updates that repeat it", (context) => {
  const { steps, receive, later } = held(context);
  receive(3, 3);
  receive(4, 3);
  later(1200);
  receive(5, 3);
  assert.deepEqual(steps, ["wait 3", 3, 4, 5]);
});

test("each of two answers has its own time", (context) => {
  const { steps, receive, later } = held(context);
  receive(3, 3);
  receive(6, 6);
  later(1200);
  assert.deepEqual(steps, ["wait 3", 3, "wait 6"]);
  later(1200);
  assert.deepEqual(steps, ["wait 3", 3, "wait 6", 6]);
});

test("a page that cannot draw an update goes on with the next ones", (context) => {
  const reported = [];
  globalThis.reportError = (error) => reported.push(error.message);
  context.after(() => delete globalThis.reportError);
  const { steps, receive, later } = held(context);
  receive(3, 3, { isBroken: true });
  receive(4);
  later(1200);
  receive(5);
  assert.deepEqual(steps, ["wait 3", 3, 4, 5]);
  assert.deepEqual(reported, ["a page that cannot draw"]);
});

test("a phone that is loaded while an answer is held back shows it no earlier", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  page(context, () => new Promise(() => {}));
  const seen = [];
  const channel = new Channel(table.publicKey, phone);
  const hello = { snapshot: { position: 3, awaited: 3 }, private: { own: "A1" } };
  const { close } = subscribeSeat(
    channel,
    (update, own) => seen.push([update.snapshot.position, own.own]),
    () => {},
    hello,
  );
  context.mock.timers.tick(1199);
  assert.deepEqual([seen, channel.position], [[], null]);
  context.mock.timers.tick(1);
  assert.deepEqual([seen, channel.position], [[[3, "A1"]], 3]);
  close();
});
