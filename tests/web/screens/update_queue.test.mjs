import assert from "node:assert/strict";
import { test } from "node:test";

import { loadSounds } from "../../../web/games/index.js";
import { UpdateQueue } from "../../../web/screens/table/update_queue.js";

await loadSounds("vampireradar");
const update = (position, ...events) => ({
  snapshot: { position, game: "vampireradar" },
  events: events.map((event) => ({ event })),
});
const shot = { event: "shot_fired", hit: true };

/** A stage whose drawing, sound or waiting fails once. */
function stageThatFails(what) {
  const steps = [];
  let isWell = false;
  const step = (name, value) => {
    if (name === what && !isWell) {
      isWell = true;
      throw new Error(name);
    }
    steps.push(value);
  };
  const stage = new UpdateQueue({
    show: (shown, pending) => step("show", shown ? shown.snapshot.position : pending.event),
    play: (sound) => step("play", sound),
    wait: async () => step("wait", "waited"),
  });
  return { stage, steps };
}

test("an update that cannot be drawn is reported, and the next ones are drawn", async () => {
  const { stage, steps } = stageThatFails("show");
  const first = stage.add(update(1));
  stage.add(update(2));

  await assert.rejects(first, /show/);
  await stage.add(update(3));
  assert.deepEqual(steps, [2, 3]);
});

test("a sound that fails keeps no snapshot from being drawn", async () => {
  const { stage, steps } = stageThatFails("play");

  await assert.rejects(stage.add(update(1, shot)), /play/);
  assert.deepEqual(
    steps.filter((each) => each === 1),
    [1],
  );
});

test("an answer is held back for as long when its sound fails", async () => {
  const { stage, steps } = stageThatFails("play");

  await assert.rejects(stage.add(update(1, shot)), /play/);
  assert.deepEqual(steps, ["shot_fired", "waited", 1, "groan"]);
});

test("everything is shown one after the other, an answer after its wait", async () => {
  const { stage, steps } = stageThatFails("nothing");
  const first = stage.add(update(1, shot));
  stage.add(update(2));

  await first;
  assert.deepEqual(steps, ["shot_fired", "heartbeat", "waited", 1, "groan", 2]);
});
