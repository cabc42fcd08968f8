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

test("the first night is shown in its five chapters, and then the guide is empty", () => {
  const evening = [choosing, turn("H1", 1), turn("H2", 1), night(1), dawn(1), turn("H1", 2)];

  assert.deepEqual(chapters(...evening), [...CHAPTERS, "dawn"]);
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

test("a game that ends ends the guide", () => {
  assert.equal(chapter({ ...turn("H1", 1), outcome: { winner: "vampire" } }), null);
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
  const { lit } = step("human", hunting([walk("H1a", "B1"), walk("H1a", "A2")]), {});
  const walled = step("human", hunting([walk("H1c", "B6"), walk("H1c", "A5")]), {});

  assert.deepEqual(lit, { pane: "board", pawn: "H1a", cell: "A2" });
  assert.deepEqual(walled.lit.cell, "B6");
});

test("a radar is called where it is asked about, and then the turn ends", () => {
  const human = page({ '[data-action="radar"]': "Call radar", '[data-action="end"]': "End turn" });
  const asked = step("human", hunting([{ type: "call_radar" }]), { human });
  const left = step("human", hunting([]), { human });

  assert.deepEqual(asked, {
    sentence: "human.call_radar",
    params: { button: "Call radar" },
    lit: { pane: "human", selector: '[data-action="radar"]' },
  });
  assert.equal(left.sentence, "human.end");
});

test("a control is named by no sign while its pane still loads", () => {
  assert.deepEqual(step("hide", choosing, {}), { sentence: "opening" });
});

test("a table that differs is put right, and what all are asked is answered, before anything else", () => {
  const table = page({ '[data-action="board"][data-arg="put_back"]': "Put it back" });
  const off = { ...hunting([walk("H1a", "A2")]), board: { state: "unexplained" } };

  assert.equal(step("human", off, { table }).sentence, "off");
  assert.deepEqual(step("human", { ...off, vote: {} }, { table: page({ "#back": "Back" }) }), {
    sentence: "back",
    params: { button: "Back" },
    lit: { pane: "table", selector: "#back" },
  });
});

test("a night's steps follow what the vampire's phone shows; once sent they wait", () => {
  const at = (controls, cells, wasDone) => {
    const snapshot = { ...night(1), view: { pawns: { H1a: "B1" } } };
    return step("night", snapshot, { vampire: page(controls, cells) }, wasDone);
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
  });
  assert.equal(at({ "#reveal": "" }, [], true).sentence, "night.done");
  assert.equal(at({ "#sheet": "", "#sheet button": "Walk" }).sentence, "either");
});
