import assert from "node:assert/strict";
import test from "node:test";
import { rememberAnswers } from "../../../web/games/vampireradar/phone_vampire.js";

const entry = (position, event, more = {}) => ({
  position,
  event: { event, ...more },
  message: `${position}`,
});
const called = (position) => entry(position, "radar_called");
const play = (...log) => ({ phase: "play", log });

test("an answer that was taken back leaves the vampire's notes", () => {
  const phone = { answers: new Map() };
  rememberAnswers(phone, play(entry(1, "game_started"), called(2), called(3)));
  assert.deepEqual([...phone.answers.keys()], [2, 3]);
  rememberAnswers(phone, play(called(2), called(3), entry(4, "rewound", { steps: 1 })));
  assert.deepEqual([...phone.answers.keys()], [2]);
});

test("the answers of the game before are not in the notes of the next one", () => {
  const phone = { answers: new Map([[2, "2"]]) };
  rememberAnswers(phone, play(called(3), entry(5, "game_started"), called(7)));
  assert.deepEqual([...phone.answers.keys()], [7]);
  rememberAnswers(phone, { phase: "lobby", log: [called(7)] });
  assert.equal(phone.answers.size, 0);
});
