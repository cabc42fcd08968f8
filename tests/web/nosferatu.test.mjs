import assert from "node:assert/strict";
import test from "node:test";
import { drawHexes } from "../../web/static/hexes.js";
import { ACTIONS, chosen, duty, entering, field, offers, playScreen, tapped } from "../../web/static/nosferatu.js";
import { markup } from "../../web/static/tree.js";
import { useWords } from "../../web/static/words.js";

useWords("en", { "end.winner.villagers": "Villagers win" });

const ROWS = [["a4", "b5", "c6", "d7"], ["a3", "b4", "c5", "d6", "e7"], ["a2", "b3", "c4", "d5", "e6", "f7"], ["a1", "b2", "c3", "d4", "e5", "f6", "g7"],
  ["b1", "c2", "d3", "e4", "f5", "g6"], ["c1", "d2", "e3", "f4", "g5"], ["d1", "e2", "f3", "g4"]];
const picture = (legal, pawns, more = {}) => ({
  phase: "play", game: "nosferatu", to_move: "vampires", legal, log: [], undo: { kind: "none" }, board: { state: "off" }, settings: {}, seats: [], secret: false, night: null,
  view: { rows: ROWS, pawns, hands: { vampires: [], villagers: [] }, chain: null, ...more }, outcome: null,
});
const jump = (pawn, to, convert) => ({ type: "jump", pawn, to, ...(convert && { convert }) });
const flight = [jump("n", "d2"), jump("n", "d2", true), jump("n", "e2"), jump("n", "e2", true)];

test("a pressed piece that can go is chosen, one that cannot is not", () => {
  const now = picture([{ type: "move", pawn: "v1", to: "a2" }], { v1: "a1", v2: "g7", m1: "d4" });
  assert.deepEqual(tapped(now, "a1", null), { pawn: "v1" });
  assert.deepEqual(tapped(now, "a1", "v1"), { pawn: null });
  assert.deepEqual(tapped(now, "g7", null), { pawn: null });
  assert.deepEqual(tapped(now, "d4", null), { pawn: null });
});

test("a press where the chosen piece may go is the action", () => {
  const move = { type: "move", pawn: "v1", to: "a2" };
  assert.deepEqual(tapped(picture([move], { v1: "a1" }), "a2", "v1"), { submit: move });
});

test("where Nosferatu may take or turn a villager he is asked, and both answers are jumps to there", () => {
  const now = picture(flight, { n: "a2", m1: "c2" });
  assert.deepEqual(tapped(now, "d2", "n"), { landing: "d2" });
  const table = { picture: now, ui: { pawn: "n", landing: "d2" } };
  assert.equal(offers(table).length, 2);
  assert.deepEqual(ACTIONS.remove(table).submit, flight[0]);
  assert.deepEqual(ACTIONS.convert(table).submit, flight[1]);
});

test("a piece that must go on is chosen by itself, a lifted piece too, a pressed one before it", () => {
  assert.equal(chosen(picture([], { v1: "a1" }, { chain: "v1" }), null), "v1");
  const lifted = { ...picture([{ type: "move", pawn: "v1", to: "a2" }], { v1: "a1", v2: "b2" }), board: { state: "lifted", lifted: ["b2"] } };
  assert.equal(chosen(lifted, null), "v2");
  assert.equal(chosen(lifted, "v1"), "v1");
});

test("one kind in hand is entered by one press, of two kinds one is chosen first", () => {
  const enter = (pawn, to) => ({ type: "enter", pawn, to });
  assert.deepEqual(tapped(picture([enter("m1", "a4")], {}), "a4", null), { submit: enter("m1", "a4") });
  const both = picture([enter("n", "a4"), enter("v1", "a4")], {});
  assert.deepEqual(entering(both.legal), ["n", "v"]);
  assert.deepEqual(tapped(both, "a4", null), { pawn: null });
  assert.deepEqual(tapped(both, "a4", "v"), { submit: enter("v1", "a4") });
});

test("forbidden cells are crossed out while a piece is entered", () => {
  const drawn = markup(field({ picture: picture([{ type: "enter", pawn: "m1", to: "a4" }], { v1: "d4" }), ui: {}, can: true }));
  assert.equal(drawn.match(/class="tile shut"/g).length, 35);
});

test("every way of a capture is drawn, one arrow for each landing", () => {
  const drawn = markup(field({ picture: picture(flight, { n: "a2", m1: "c2" }), ui: {}, can: true }));
  assert.equal(drawn.match(/class="arrow"/g).length, 2);
});

test("nothing can be pressed by whoever may not act", () => {
  assert.ok(!markup(field({ picture: picture(flight, { n: "a2" }), ui: {}, can: false })).includes("data-cell"));
});

test("what is to be done is said by the kind of legal actions", () => {
  assert.equal(duty(picture([{ type: "pass" }], {})), "duty.pass");
  assert.equal(duty(picture([], {}, { chain: "v1" })), "duty.go_on");
  assert.equal(offers({ picture: picture([{ type: "pass" }], {}), ui: {} }).length, 1);
});

test("37 cells are drawn, pieces by their kind, and the end is told", () => {
  const drawn = markup(drawHexes({ rows: ROWS, pawns: { n: "a2", v1: "b2", m1: "c2" } }));
  assert.equal(drawn.match(/class="tile"/g).length, 37);
  for (const kind of ["nosferatu", "vampires", "villagers"]) assert.ok(drawn.includes(`piece ${kind}`));
  const over = { ...picture([], { v1: "a1" }), phase: "over", to_move: null, outcome: { winner: "villagers", reason: "nosferatu_taken" } };
  assert.ok(markup(playScreen({ picture: over, ui: {}, can: true })).includes("Villagers win"));
});
