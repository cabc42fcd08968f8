/** The instruction sheet of printed tiles, without a browser. */
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  done,
  drawStep,
  nextStep,
  stepText,
  steps,
} from "../../../web/games/vampireradar/tiles/steps.js";

const SHEET = {
  why: null,
  seen: 3,
  tiles: {
    B1: [25, 0, "todo"],
    A2: [7, null, "done"],
    A1: [24, 0, "done"],
    F1: [17, 270, "turn"],
    C2: [5, 0, "wrong", 9],
  },
};

test("steps come in board order; an unknown turn is drawn upright", () => {
  assert.deepEqual(
    ["A1", "B1", "F1", "A2", "C2"],
    steps(SHEET).map(({ cell }) => cell),
  );
  assert.equal(0, steps(SHEET).find(({ cell }) => cell === "A2").turn);
});

test("a mistake comes before what is still to be laid; nothing is next when all is done", () => {
  assert.equal("F1", nextStep(SHEET).cell);
  assert.equal("B1", nextStep({ tiles: { B1: [25, 0, "todo"], A1: [24, 0, "done"] } }).cell);
  assert.equal(null, nextStep({ tiles: { A1: [24, 0, "done"] } }));
  assert.equal(2, done(SHEET));
});

test("each state has its own sentence", () => {
  assert.deepEqual(
    ["sheet.right", "sheet.todo", "sheet.turn", "sheet.right", "sheet.wrong"],
    steps(SHEET).map((step) => stepText(step).code),
  );
  assert.equal(9, stepText(steps(SHEET)[4]).params.seen);
});

test("the notch looks to the side that the tile is turned to", () => {
  const notch = drawStep({ number: 17, turn: 270, state: "todo" }).children.find(
    ({ attrs }) => attrs?.class === "notch",
  );
  assert.equal("rotate(270)", notch.attrs.transform);
});
