/** The bots on offer: what a seat's button goes through is stronger with each press, by the arena's shipped results. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { sharedWords } from "../catalogues.mjs";

import { loadGame } from "../../../web/games/index.js";
import { nextBot } from "../../../web/screens/table/seating.js";

await loadGame("vampireradar");

const RESULTS = new URL("../../../docs/results/", import.meta.url);
const NAMES = ["beginner", "easy", "medium", "hard", "hardest"];
const called = sharedWords("en");

/** The levels that a seat's button goes through until the seat is free again. */
const offered = (seat) => {
  const levels = [];
  for (
    let asked = nextBot({ game: "vampireradar" }, { seat });
    asked[0] === "give";
    asked = nextBot({ game: "vampireradar" }, { seat, bot: asked[1].level })
  )
    levels.push(asked[1].level);
  return levels;
};

/** Every shipped row of bots against bots: the players, the two levels, and the humans' score with its interval. */
const shipped = readdirSync(RESULTS)
  .filter((file) => file.endsWith(".json"))
  .flatMap((file) => JSON.parse(readFileSync(new URL(file, RESULTS))).rows)
  .flatMap(({ name, players, games, score }) => {
    const pair = /^(\w+) humans, (\w+) vampire$/.exec(name);
    return pair ? [{ players, games, H1: pair[1], V: pair[2], score }] : [];
  });

/** Of what was measured several times, the measurements with the most games. */
const rows = shipped.filter(
  (row) =>
    !shipped.some(
      (one) =>
        one.H1 === row.H1 &&
        one.V === row.V &&
        one.players === row.players &&
        one.games > row.games,
    ),
);

/** The pairs of rows that differ in the level of one seat alone: first the weaker level's, then the stronger's. */
const compared = (seat, weaker, stronger) => {
  const other = seat === "V" ? "H1" : "V";
  const alike = (row) =>
    rows.filter(
      (one) => one[seat] === stronger && one[other] === row[other] && one.players === row.players,
    );
  return rows
    .filter((row) => row[seat] === weaker)
    .flatMap((row) => alike(row).map((one) => [row.score, one.score]));
};

/** Half of a 95 % interval. Two of independent games add up to that of the difference by their squares. */
const spread = ({ low, high }) => (high - low) / 2;

for (const seat of ["V", "H1"]) {
  test(`a press more is a stronger bot in ${seat}`, () => {
    const levels = offered(seat);
    assert.ok(levels.length >= 3);
    for (const [number, stronger] of levels.entries()) {
      if (number === 0) continue;
      const found = compared(seat, levels[number - 1], stronger);
      assert.ok(
        found.length,
        `${seat}: ${stronger} was never measured beside ${levels[number - 1]}`,
      );
      for (const [before, after] of found) {
        // The score is the humans', so a stronger vampire makes it lower.
        const gain = seat === "V" ? before.share - after.share : after.share - before.share;
        assert.ok(gain > Math.hypot(spread(before), spread(after)), `${seat}: ${stronger}`);
      }
    }
  });

  test(`the names rise with the levels in ${seat}`, () => {
    const ranks = offered(seat).map((level) => NAMES.indexOf(called[`bot.level.${level}`]));
    assert.ok(
      ranks.every((rank, number) => rank >= 0 && (number === 0 || rank > ranks[number - 1])),
      `${ranks}`,
    );
  });
}
