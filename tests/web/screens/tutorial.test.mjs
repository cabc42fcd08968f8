// A round to watch: what changed from moment to moment becomes whole pictures again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wholeMoments } from "../../../web/screens/table/tutorial.js";

test("a moment has all of the one before it but for what changed, and the whole log", () => {
  const [first, second] = wholeMoments([
    { words: "hide", params: {}, press: null, to_move: "V", view: { hp: 4, round: 1 }, log: [] },
    { words: "walk", params: {}, press: "map", view: { round: 2 }, log: [{ position: 8 }] },
  ]);

  assert.deepEqual(first.view, { hp: 4, round: 1 });
  assert.deepEqual(second.view, { hp: 4, round: 2 });
  assert.deepEqual([second.to_move, second.press, second.log], ["V", "map", [{ position: 8 }]]);
});
