/**
 * The bots on offer: with each press a seat's button goes to a level that some opponent finds stronger, and none weaker,
 * by the arena's shipped results.
 */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { sharedWords } from "../catalogues.mjs";

import { loadGame } from "../../../web/games/index.js";
import { nextBot } from "../../../web/screens/table/seating.js";

/** The games whose every step is shown, and their sides: a score is that of the first. */
const GAMES = {
  vampireradar: ["humans", "vampire"],
  nosferatu: ["vampires", "villagers"],
  shisogari: ["hunters", "vampire"],
  vwars: ["humans", "vampires"],
};
for (const game of Object.keys(GAMES)) await loadGame(game);

const RESULTS = new URL("../../../docs/results/", import.meta.url);
const NAMES = ["beginner", "easy", "medium", "hard", "hardest"];
const called = sharedWords("en");

/** The levels that a seat's button goes through until the seat is free again. */
const offered = (game) => {
  const levels = [];
  for (
    let request = nextBot({ game }, { seat: "any" });
    request[0] === "give";
    request = nextBot({ game }, { seat: "any", bot: request[1].level })
  )
    levels.push(request[1].level);
  return levels;
};

const files = readdirSync(RESULTS)
  .filter((file) => file.endsWith(".json"))
  .flatMap((file) => JSON.parse(readFileSync(new URL(file, RESULTS))).rows);

/** Every shipped row of a game's bots: the players, the two levels, and the first side's score with its interval. */
const shipped = ([one, two]) =>
  files.flatMap(({ name, players, games, score }) => {
    const pair = new RegExp(`^(\\w+) ${one}, (\\w+) ${two}$`).exec(name);
    return pair ? [{ players, games, [one]: pair[1], [two]: pair[2], score }] : [];
  });

/** Of what was measured several times, the measurements with the most games. */
const mostGames = (sides) => {
  const all = shipped(sides);
  return all.filter(
    (row) =>
      !all.some(
        (other) =>
          sides.every((side) => other[side] === row[side]) &&
          other.players === row.players &&
          other.games > row.games,
      ),
  );
};

/** The pairs of rows that differ in the level of one side alone: first the weaker level's, then the stronger's. */
const compared = (rows, side, other, weaker, stronger) => {
  const alike = (row) =>
    rows.filter(
      (one) => one[side] === stronger && one[other] === row[other] && one.players === row.players,
    );
  return rows
    .filter((row) => row[side] === weaker)
    .flatMap((row) => alike(row).map((one) => [row, one]));
};

/** Half of a 95 % interval. Two of independent games add up to that of the difference by their squares. */
const spread = ({ low, high }) => (high - low) / 2;

for (const [game, sides] of Object.entries(GAMES)) {
  for (const [number, side] of sides.entries()) {
    test(`a press more is a stronger bot: ${game}, ${side}`, () => {
      const levels = offered(game);
      const rows = mostGames(sides);
      assert.ok(levels.length >= (game === "vwars" ? 2 : 4));
      for (const [rank, stronger] of levels.entries()) {
        if (rank === 0) continue;
        const gains = compared(rows, side, sides[1 - number], levels[rank - 1], stronger).map(
          ([before, after]) => ({
            players: after.players,
            // The score is the first side's, so a stronger second side makes it lower.
            gain: (after.score.share - before.score.share) * (number ? -1 : 1),
            doubt: Math.hypot(spread(before.score), spread(after.score)),
          }),
        );
        for (const players of new Set(rows.map((row) => row.players))) {
          const those = gains.filter((one) => one.players === players);
          assert.ok(
            those.some(({ gain, doubt }) => gain > doubt),
            `${stronger} with ${players} players`,
          );
          assert.ok(those.every(({ gain, doubt }) => gain > -doubt));
        }
      }
    });
  }

  test(`the names rise with the levels: ${game}`, () => {
    const ranks = offered(game).map((level) => NAMES.indexOf(called[`bot.level.${level}`]));
    assert.ok(
      ranks.every((rank, number) => rank >= 0 && (number === 0 || rank > ranks[number - 1])),
      `${ranks}`,
    );
  });
}
