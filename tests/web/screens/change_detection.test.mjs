import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeWatch, differs, greyOf } from "../../../web/screens/camera/change_detection.js";

const [WIDTH, HEIGHT] = [160, 120];

/** A plain view with noise of up to `noise` levels, lit by `light`, and a cap of 5 × 5 pixels at `cap`. */
function view({ noise = 0, light = 0, cap = null, seed = 1 } = {}) {
  let state = seed;
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const grey = new Uint8Array(WIDTH * HEIGHT);
  for (let at = 0; at < grey.length; at++) grey[at] = 120 + light + noise * (2 * next() - 1);
  if (cap !== null)
    for (let y = 0; y < 5; y++) for (let x = 0; x < 5; x++) grey[cap + y * WIDTH + x] = 20;
  return grey;
}

test("a pawn's cap is a change, noise and the room's light are none", () => {
  const before = view({ noise: 8 });
  assert.equal(differs(before, view({ noise: 8, seed: 2 })), false);
  assert.equal(differs(before, view({ noise: 8, seed: 2, light: 40 })), false);
  assert.equal(differs(before, view({ noise: 8, seed: 2, cap: 8000 })), true);
  assert.equal(differs(view({ cap: 8000 }), view({ cap: 8100 })), true);
  assert.equal(differs(before, before.subarray(1)), true);
});

test("a picture is due once the view rests, and again after it changed", () => {
  const watch = new ChangeWatch();
  const results = (...views) => views.map((each) => watch.look(each));
  const [bare, there] = [view(), view({ cap: 8000 })];
  assert.deepEqual(results(bare, bare), ["moving", "changed"]);
  assert.deepEqual(results(bare), ["changed"], "nothing was sent yet");
  watch.sent();
  assert.deepEqual(results(bare), ["same"]);
  assert.deepEqual(
    results(there, bare, there, there),
    ["moving", "moving", "moving", "changed"],
    "a hand over the table",
  );
  watch.sent();
  assert.deepEqual(results(there, bare, bare), ["same", "moving", "changed"]);
});

test("what passed and left the table as it was is no change", () => {
  const watch = new ChangeWatch();
  const look = (each) => watch.look(each);
  [view(), view(), view()].forEach(look);
  watch.sent();
  assert.deepEqual([view({ cap: 50 }), view(), view(), view()].map(look).at(-1), "same");
});

test("grey levels weigh the colours", () => {
  const rgba = [255, 255, 255, 255, 0, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255];
  assert.deepEqual([...greyOf(rgba)], [255, 0, 149, 28]);
});
