import assert from "node:assert/strict";
import test from "node:test";
import { byRound } from "../../../web/games/vampireradar/hints/clues.js";

const logEntry = (event, more = {}) => ({
  event: { event, ...more },
  message: { code: event, params: {} },
});
const codes = (rounds) =>
  rounds.map(({ night, messages }) => [night, messages.map(({ code }) => code)]);

test("clues stand under the night before them, the newest first", () => {
  const rounds = byRound([
    logEntry("night_fell", { number: 1 }),
    logEntry("vampire_placed"),
    logEntry("radar_called"),
    logEntry("shot_fired"),
    logEntry("night_fell", { number: 2 }),
    logEntry("pawns_killed"),
    logEntry("radar_called"),
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
        logEntry("night_fell", { number: 1 }),
        logEntry("night_fell", { number: 2 }),
        logEntry("night_fell", { number: 3 }),
      ]),
    ),
  );
  assert.deepEqual([], codes(byRound([])));
});

test("nights are counted as they stand: one that was taken back and fell again is the same night", () => {
  const rounds = byRound([
    logEntry("night_fell", { number: 2 }),
    logEntry("vampire_placed"),
    logEntry("shot_fired"),
    logEntry("night_fell", { number: 5 }),
    logEntry("radar_called"),
  ]);

  assert.deepEqual(
    [
      [1, ["radar_called"]],
      [0, ["shot_fired", "vampire_placed"]],
    ],
    codes(rounds),
  );
});
