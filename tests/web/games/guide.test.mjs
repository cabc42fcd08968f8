// The demo's guided night: each chapter follows from what everybody may know, each step from what the panes show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chapter, CHAPTERS, step } from "../../../web/games/vampireradar/demo.js";
import { FIRST_FIELD } from "../../../web/games/vampireradar/tiles/field_setup.js";

const fell = (number) => [{ event: { event: "night_fell", number } }];
const choosing = { phase: "play", secret: true, to_move: "V", view: { placed: false, round: 1 } };
const turn = (seat, round) => ({ phase: "play", to_move: seat, view: { placed: true, round } });
const night = (round) => ({ ...turn("V", round), secret: true, night: { number: round } });
const dawn = (round, number = round + 1) => ({
  ...turn("V", round),
  revealing: true,
  log: fell(number),
});

const chapters = (...pictures) => pictures.map(chapter);

test("the first night is shown in its chapters, and then the guide is empty", () => {
  const evening = [choosing, turn("H1", 1), turn("H2", 1), night(1), dawn(1), turn("H1", 2)];

  assert.deepEqual(chapters(...evening), [...CHAPTERS.slice(0, -1), "dawn"]);
  assert.deepEqual(chapters(turn("H2", 2), night(2), dawn(2), turn("H1", 3)), [
    null,
    null,
    null,
    null,
  ]);
});

test("the chapter of hiding lasts until the table has published it", () => {
  assert.equal(chapter(dawn(1, 1)), "hide");
});

test("what is taken back brings its chapter back", () => {
  assert.deepEqual(chapters(turn("H1", 1), turn("H2", 1), turn("H1", 1)), [
    "human",
    "bot",
    "human",
  ]);
});

test("a game that ends brings the last chapter", () => {
  assert.equal(chapter({ ...turn("H1", 1), outcome: { winner: "vampire" } }), CHAPTERS.at(-1));
});

/** A page on which these selectors find something, by the words that stand there. */
const page = (controls, cells = []) => ({
  querySelector: (selector) =>
    selector in controls ? { textContent: controls[selector], getAttribute: () => null } : null,
  querySelectorAll: () => cells.map((cell) => ({ dataset: { cell } })),
});

const walk = (pawn, to) => ({ type: "walk", pawn, to });
const hunting = (legal, log = []) => ({
  ...turn("H1", 1),
  legal,
  log,
  view: { placed: true, round: 1, pawns: { H1a: "A1" }, ...FIRST_FIELD },
});

test("a pawn is sent the shortest way to a radar, around walls", () => {
  const free = step("human", hunting([walk("H1a", "B1"), walk("H1a", "A2")]), {});
  const walled = step("human", hunting([walk("H1c", "B6"), walk("H1c", "A5")]), {});

  assert.deepEqual(free.lit, { pane: "board", pawn: "H1a", cell: "A2" });
  assert.deepEqual([free.sentence, free.params], ["human.walk", { pawn: "H1a", cell: "A2" }]);
  assert.deepEqual(walled.lit.cell, "B6");
});

test("a radar is called where it is asked about, and then the turn ends", () => {
  const human = page({ '[data-action="radar"]': "Call radar", '[data-action="end"]': "End turn" });
  const asked = step("human", hunting([{ type: "call_radar", pawn: "H1a" }]), { human });
  const left = step("human", hunting([]), { human });

  assert.deepEqual(asked, {
    sentence: "human.call_radar",
    params: { button: "Call radar", pawn: "H1a" },
    lit: { pane: "human", selector: '[data-action="radar"]' },
    place: null,
  });
  assert.equal(left.sentence, "human.end");
});

test("a control is named by no sign while its pane still loads", () => {
  assert.deepEqual(step("hide", choosing, {}), { sentence: "opening", place: null });
});

test("a table that differs is put right, and what all are asked is answered, before anything else", () => {
  const table = page({ '[data-action="board"][data-arg="put_back"]': "Put it back" });
  const off = { ...hunting([walk("H1a", "A2")]), board: { state: "unexplained" } };

  assert.equal(step("human", off, { table }).sentence, "off");
  assert.deepEqual(step("human", { ...off, vote: {} }, { table: page({ "#back": "Back" }) }), {
    sentence: "back",
    params: { button: "Back" },
    lit: { pane: "table", selector: "#back" },
    place: null,
  });
});

test("a night's steps follow what the vampire's phone shows; once sent they wait", () => {
  const at = (controls, cells, wasDone) => {
    const snapshot = { ...night(1), log: [], view: { pawns: { H1a: "B1" } } };
    return step("night", snapshot, { vampire: page(controls, cells) }, { isDone: wasDone });
  };
  const sent = { ".secret": "", "#end-night": "End night" };
  const open = { ...sent, "#end-night:not([aria-disabled])": "End night" };
  const drafted = { ...open, '[data-action="undo"]:not([aria-disabled]), #field .ring.chosen': "" };

  assert.equal(at({ "#reveal": "Tap to look" }).sentence, "night.look");
  assert.equal(at({ ...open, '#field [data-cell="B2"]': "" }, ["B1", "B2"]).params.cell, "B2");
  assert.deepEqual(at(drafted, ["B2"]).params, { button: "End night" });
  assert.deepEqual(at(sent).params, { button: "End night" });
  assert.deepEqual(at({ ".secret": "", "#plan": "" }), {
    sentence: "night.done",
    lit: { pane: "table" },
    isDone: true,
    place: null,
  });
  assert.equal(at({ "#reveal": "" }, [], true).sentence, "night.done");
  assert.equal(at({ "#sheet": "", "#sheet button": "Walk" }).sentence, "either");
});

const begun = (seat) => ({ event: { event: "turn_started", seat } });
const told = (event, fields) => ({ event: { event, ...fields } });

test("an answer is told in words, and a radar's tiles are lit with them", () => {
  const answer = told("radar_called", { cell: "A3", distance: 2 });
  const human = page({ '[data-action="end"]': "End turn" });
  const snapshot = { ...hunting([], [begun("H1"), answer]), answer };
  const { lit, told: words } = step("human", snapshot, { human });

  assert.deepEqual(words, { sentence: "human.answer", params: { n: 2 } });
  assert.deepEqual(lit.ring, answer.event);
});

test("the computer's hit is told until the vampire has planned its night", () => {
  const log = [begun("H2"), told("shot_fired", { hit: true })];
  const vampire = page({ "#reveal": "Tap to look" });

  assert.equal(step("bot", { ...turn("H2", 1), log }, {}).told.sentence, "bot.hit");
  assert.equal(step("night", { ...night(1), log }, { vampire }).told.sentence, "bot.hit");
});

test("at dawn the arrow towards the vampire is lit: first to aim, then to fire; then the answer is awaited", () => {
  const shoot = { type: "shoot", pawn: "H1a", direction: "N" };
  const picture = hunting([shoot]);
  Object.assign(picture.view, { round: 2, actions_left: 2, pawns: { H1a: "A3" } });
  const pawn = '[data-action="pawn"][data-arg="H1a"]';
  const arrow = '[data-action="shoot"][data-arg="N"]';
  const chosen = { [pawn]: "a", [`${pawn}[aria-pressed="true"]`]: "a", [arrow]: "Aim" };
  const aimed = { ...chosen, [`${arrow}[aria-pressed="true"]`]: "Fire" };
  const at = (controls, before) =>
    step("dawn", picture, { human: page(controls) }, { place: "A2", ...before }).sentence;

  assert.equal(at({ [pawn]: "a" }), "dawn.pawn");
  assert.equal(at(chosen), "dawn.aim");
  assert.equal(at(aimed), "dawn.fire");
  assert.equal(at(chosen, { sentence: "dawn.fire" }), "answer");
});

test("after the shot the game may be ended; then come the proof and the replay", () => {
  const hit = hunting([], [begun("H1"), told("shot_fired", { hit: true })]);
  const place = (pathname, controls) => ({ table: { ...page(controls), location: { pathname } } });
  const [reveal, replay] = ["reveal", "replay"].map((each) => `[data-action="${each}"]`);
  const at = (panes) => step("end", {}, panes).sentence;

  assert.equal(step("dawn", hit, {}, { place: "A2" }).lit.selector, '[data-action="finish"]');
  assert.equal(at(place("/table", { [reveal]: "Truth", [replay]: "Replay" })), "end.reveal");
  assert.equal(at(place("/table", { [replay]: "Replay" })), "end.replay");
  assert.equal(at(place("/replay", {})), "over");
});
