import assert from "node:assert/strict";
import test from "node:test";
import { byRound } from "../../../web/games/vampireradar/hints/clues.js";

const told = (event, more = {}) => ({
  event: { event, ...more },
  message: { code: event, params: {} },
});
const codes = (rounds) =>
  rounds.map(({ night, messages }) => [night, messages.map(({ code }) => code)]);

test("clues stand under the night before them, the newest first", () => {
  const rounds = byRound([
    told("night_fell", { number: 1 }),
    told("vampire_placed"),
    told("radar_called"),
    told("shot_fired"),
    told("night_fell", { number: 2 }),
    told("pawns_killed"),
    told("radar_called"),
  ]);

  assert.deepEqual(
    [
      [1, ["radar_called", "pawns_killed"]],
      [0, ["shot_fired", "radar_called", "vampire_placed"]],
    ],
    codes(rounds),
  );
});

test("a night without a disclosure is a clue; the time before the first one is none", () => {
  assert.deepEqual(
    [
      [2, []],
      [1, []],
    ],
    codes(
      byRound([
        told("night_fell", { number: 1 }),
        told("night_fell", { number: 2 }),
        told("night_fell", { number: 3 }),
      ]),
    ),
  );
  assert.deepEqual([], codes(byRound([])));
});

test("nights are counted as they stand: one that was taken back and fell again is the same night", () => {
  const rounds = byRound([
    told("night_fell", { number: 2 }),
    told("vampire_placed"),
    told("shot_fired"),
    told("night_fell", { number: 5 }),
    told("radar_called"),
  ]);

  assert.deepEqual(
    [
      [1, ["radar_called"]],
      [0, ["shot_fired", "vampire_placed"]],
    ],
    codes(rounds),
  );
});
