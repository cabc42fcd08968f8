import assert from "node:assert/strict";
import test from "node:test";
import { isAnswer, lastAnswer, placeClues } from "../../../web/games/manhunt/turn.js";

const entry = (event, more = {}) => ({ event: { event, ...more }, message: { code: event } });

test("a place where the fugitive has been stays marked for the night, one where it was not found until it moves", () => {
  const answers = [
    { round: 1, question: "was_here", cell: "3", yes: true },
    { round: 1, question: "was_here", cell: "4", yes: false },
    { round: 2, question: "is_here", cell: "5", yes: false },
    { round: 2, question: "arrest", cell: "6", yes: false },
    { round: 2, question: "looked", cell: "7", yes: false },
  ];
  assert.deepEqual(placeClues({ answers, round: 2 }), { 3: "yes", 5: "no", 6: "no", 7: "no" });
  assert.deepEqual(placeClues({ answers, round: 3 }), { 3: "yes" });
});

test("a place where it has been stays so, though it is not there now", () => {
  const answers = [
    { round: 2, question: "was_here", cell: "3", yes: true },
    { round: 2, question: "arrest", cell: "3", yes: false },
  ];
  assert.deepEqual(placeClues({ answers, round: 2 }), { 3: "yes" });
});

test("an answer about several places marks the place that it names, or none", () => {
  const answers = [
    { round: 1, question: "which_of", cell: "3", yes: true, found: "8" },
    { round: 1, question: "which_of", cell: "4", yes: false },
    { round: 1, question: "within", cell: "5", yes: true },
    { round: 1, question: "within", cell: "6", yes: false },
  ];
  assert.deepEqual(placeClues({ answers, round: 1 }), { 8: "yes" });
});

test("the last disclosure that stands is shown if it is an answer: the fugitive's move ends it", () => {
  const no = entry("question_answered", { yes: false });
  assert.equal(lastAnswer({ answer: no }), no);
  assert.equal(lastAnswer({ answer: entry("fugitive_moved") }), null);
  assert.equal(lastAnswer({ answer: null }), null);
  assert.ok(isAnswer(entry("arrest_missed").event));
});
