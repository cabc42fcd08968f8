import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { TICK_MS, CoverTraffic } from "../../../web/core/cover_traffic.js";

let now = 0;
let sent = [];

const post = (what) => async () => {
  sent.push([now, what]);
};
const ticks = async (count) => {
  for (let n = 0; n < count; n += 1) {
    now += TICK_MS;
    mock.timers.tick(TICK_MS);
    await new Promise((done) => setImmediate(done));
  }
};

beforeEach(() => {
  [now, sent] = [0, []];
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => now);
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

const moments = () => sent.map(([moment]) => moment);
const kinds = () => sent.map(([, kind]) => kind);

test("a night sounds the same whatever its vampire does", async () => {
  const traffic = [];
  for (const taps of [[], [0], [1, 1, 1, 4]]) {
    [now, sent] = [0, []];
    const ticker = new CoverTraffic({ blank: post("blank") });
    ticker.run(true);
    for (let tick = 0; tick < 8; tick += 1) {
      for (const tap of taps) if (tap === tick) ticker.schedule(post("preview"));
      await ticks(1);
    }
    ticker.run(false);
    traffic.push(moments());
    assert.equal(kinds().filter((kind) => kind === "preview").length, taps.length);
  }

  assert.deepEqual(traffic[0], [300, 600, 900, 1200, 1500, 1800, 2100, 2400]);
  assert.deepEqual(traffic[1], traffic[0]);
  assert.deepEqual(traffic[2], traffic[0]);
});

/** A ticker whose phone has submitted a turn; the table answers in turn with `answers`. */
function submitted(answers) {
  const channel = { blank: post("blank") };
  const ticker = new CoverTraffic(channel);
  const send = () =>
    ticker.schedule(async () => {
      await post("held")();
      const reply = answers.shift();
      if (!reply) throw new Error("the table restarts");
      return reply;
    });
  ticker.run(true);
  channel.hold(send);
  return ticker;
}

test("a turn that the table holds is sent again until it is stored, at the same moments", async () => {
  const held = { ok: true, pending: true };
  const paused = { ok: false, code: "paused" };
  submitted([held, null, paused, held, { ok: true }, { ok: true }]);
  await ticks(10);

  assert.deepEqual(
    moments(),
    Array.from({ length: 10 }, (_, n) => (n + 1) * TICK_MS),
  );
  assert.deepEqual(kinds(), [
    "blank",
    ...Array.from({ length: 6 }, () => "held"),
    ...Array.from({ length: 3 }, () => "blank"),
  ]);
});

test("a turn that is refused after a restart is not sent again, and none after dawn", async () => {
  const stale = { ok: false, code: "stale" };
  const refused = submitted([stale, stale]);
  await ticks(6);
  refused.run(false);
  assert.equal(kinds().filter((kind) => kind === "held").length, 2);

  const held = { ok: true, pending: true };
  const stopped = submitted([held, held, held, held, held]);
  await ticks(3);
  stopped.run(false);
  const before = sent.length;
  await ticks(3);
  assert.equal(sent.length, before);
});

test("by day what is asked goes at once, and nothing else goes", async () => {
  const ticker = new CoverTraffic({ blank: post("blank") });

  ticker.schedule(post("vote"));
  await ticks(3);

  assert.deepEqual(sent, [[0, "vote"]]);
});

test("who asks gets the answer, or the failure", async () => {
  const ticker = new CoverTraffic({ blank: post("blank") });
  ticker.run(true);
  const [answer, failure] = [
    ticker.schedule(async () => 42),
    ticker.schedule(async () => {
      throw new Error("lost");
    }),
  ];
  const failed = assert.rejects(failure, /lost/);

  await ticks(2);

  assert.equal(await answer, 42);
  await failed;
  ticker.run(false);
});

test("at dawn nothing is lost and nothing ticks on", async () => {
  const ticker = new CoverTraffic({ blank: post("blank") });
  ticker.run(true);
  ticker.run(true);
  ticker.schedule(post("preview"));

  ticker.run(false);
  await ticks(3);

  assert.deepEqual(kinds(), ["preview"]);
});

test("on a dead network ticks do not pile up", async () => {
  const blank = () => {
    sent.push([now, "blank"]);
    return new Promise(() => {});
  };
  const ticker = new CoverTraffic({ blank });
  ticker.run(true);

  await ticks(20);

  assert.equal(sent.length, 5);
  ticker.run(false);
});

test("after a sleep one request goes, not those that were missed", async () => {
  const ticker = new CoverTraffic({ blank: post("blank") });
  ticker.run(true);
  now += 10_000;
  mock.timers.tick(TICK_MS);
  await ticks(2);
  ticker.run(false);

  assert.deepEqual(moments(), [10_000, 10_300, 10_600]);
});
