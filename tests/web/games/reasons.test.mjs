// Why the table sends a message: public rules and public numbers, and nothing that only the vampire could know.
import assert from "node:assert/strict";
import { test } from "node:test";
import { reasons } from "../../../web/games/vampireradar/hints/reasons.js";

const view = { walls: ["C2-D2"], options: {} };
const entry = (event, more) => ({
  event: { event, ...more },
  message: { code: `event.${event}`, params: {} },
});
/** A public snapshot whose last answer is the last entry of this log. */
const after = (log, seen = view) => ({ log, view: seen, answer: log.at(-1) });
const codes = (log, seen = view) => reasons(after(log, seen)).map(({ code }) => code);

test("a radar is explained by its two distances, with the first tile of the board that fits", () => {
  const [rule, example] = reasons(
    after([entry("radar_called", { pawn: "H1a", cell: "C1", distance: 4 })]),
  );

  assert.deepEqual(rule, { code: "why.radar", params: { cell: "C1", distance: 4 } });
  assert.deepEqual(example, {
    code: "why.radar.example.down",
    params: { cell: "C1", other: "F2", across: 3, along: 1, distance: 4 },
  });
});

test("a tile above is up, not down", () => {
  const [, example] = reasons(
    after([entry("radar_called", { pawn: "H1a", cell: "A6", distance: 10 })]),
  );

  assert.deepEqual(example, {
    code: "why.radar.example.up",
    params: { cell: "A6", other: "F1", across: 5, along: 5, distance: 10 },
  });
});

test("a radar of 0 needs no example", () => {
  assert.deepEqual(codes([entry("radar_called", { pawn: "H1a", cell: "C1", distance: 0 })]), [
    "why.radar",
    "why.radar.zero",
    "why.radar.then",
  ]);
});

test("a shot is explained by its line, which ends at the wall or at the edge", () => {
  const shot = (more) =>
    reasons(
      after([
        entry("shot_fired", { pawn: "H1a", cell: "A2", direction: "E", hit: false, ...more }),
      ]),
    );

  assert.deepEqual(shot({})[0].params, { cell: "A2", direction: "E", cells: "A2 B2 C2" });
  assert.deepEqual(shot({})[1], { code: "why.shot.wall", params: { cell: "C2", other: "D2" } });
  assert.deepEqual(shot({ direction: "S" })[1], { code: "why.shot.edge", params: { cell: "A6" } });
  assert.deepEqual(
    [shot({})[2].code, shot({ hit: true })[2].code],
    ["why.shot.miss", "why.shot.hit"],
  );
});

test("where pawns end a shot, no line is claimed: they may have walked on", () => {
  const shot = entry("shot_fired", { pawn: "H1a", cell: "A2", direction: "E", hit: false });

  assert.deepEqual(codes([shot], { ...view, options: { pawns_block_shots: true } }), [
    "why.shot.pawns",
  ]);
});

test("a night is explained by its attacks and meals, a quiet one by there being none", () => {
  const night = (...attacks) => [
    entry("night_fell", {}),
    ...attacks,
    entry("turn_ended", { seat: "V" }),
  ];

  assert.deepEqual(
    codes(night(entry("pawns_killed", {}), entry("pawns_killed", {}), entry("bat_eaten", {}))),
    ["why.pawns_killed", "why.bat_eaten", "why.night"],
  );
  assert.deepEqual(codes(night()), ["why.night.quiet"]);
});

test("equal public pictures are explained alike", () => {
  const log = [entry("radar_called", { pawn: "H1a", cell: "C1", distance: 4 })];

  assert.deepEqual(
    reasons(after(log, { ...view, own: { cell: "C5" } })),
    reasons(after(log, { ...view, own: { cell: "E3" } })),
  );
});
