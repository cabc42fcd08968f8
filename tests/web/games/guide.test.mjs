// The demo's guided night: each chapter follows from what everybody may know.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chapter, CHAPTERS, sentence } from "../../../web/games/vampireradar/demo.js";

const choosing = { phase: "play", secret: true, to_move: "V", view: { placed: false } };
const turn = (seat) => ({ phase: "play", to_move: seat, view: { placed: true } });
const night = {
  phase: "play",
  secret: true,
  night: { number: 1 },
  to_move: "V",
  view: { placed: true },
};

const told = (...pictures) =>
  pictures.reduce(
    (chapters, picture) => [...chapters, chapter(picture, chapters.at(-1) ?? null, "H1")],
    [],
  );

test("the first night is told in its five chapters, and then the guide is silent", () => {
  const evening = [choosing, turn("H1"), turn("H2"), night, turn("H1"), turn("H2"), turn("H1")];

  assert.deepEqual(told(...evening), [...CHAPTERS, "over", "over"]);
});

test("what is taken back brings no chapter back", () => {
  assert.deepEqual(told(choosing, turn("H1"), turn("H2"), turn("H1")), [
    "hide",
    "human",
    "bot",
    "bot",
  ]);
});

test("a game that ends ends the guide", () => {
  assert.equal(chapter({ ...turn("H1"), outcome: { winner: "vampire" } }, "human", "H1"), "over");
});

test("a turn's words follow the actions that are left, a night's what the vampire's phone shows", () => {
  const left = (actions) => sentence("human", { view: { actions_left: actions } }, "look");
  assert.deepEqual([3, 2, 1, 0].map(left), ["human.walk", "human.walk", "human.more", "human.end"]);
  assert.deepEqual(
    ["look", "act", "done"].map((shown) => sentence("night", night, shown)),
    ["night.look", "night.act", "night.done"],
  );
  assert.deepEqual(
    ["bot", "dawn"].map((at) => sentence(at, night, "look")),
    ["bot", "dawn"],
  );
});
