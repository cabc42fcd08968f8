/**
 * The bots on offer: each is named for whom it suits, and some opponent finds it stronger than the one before, none
 * weaker, by the arena's shipped results.
 */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { sharedWords } from "../catalogues.mjs";

import { GAMES as ALL_GAMES, gameOf, loadGame } from "../../../web/games/index.js";
import { renderToString } from "../markup.mjs";
import { useWords } from "../../../web/core/i18n.js";
import { botList } from "../../../web/screens/table/bot_chooser.js";
import { botsFor } from "../../../web/screens/table/seating.js";

/** The games whose every step is shown, and their sides: a score is that of the first. */
const GAMES = {
  vampireradar: ["humans", "vampire"],
  nosferatu: ["vampires", "villagers"],
  shisogari: ["hunters", "vampire"],
  vampire_empire: ["vampire", "human"],
  vwars: ["humans", "vampires"],
};
/** The names in the data of levels that play as others: V-Wars' vampires of `deep` as those of `belief`. */
const MEASURED_AS = { vwars: { vampires: { deep: "belief" } } };
await Promise.all(ALL_GAMES.map(loadGame));

const RESULTS = new URL("../../../docs/results/", import.meta.url);
/** For whom the levels are, the weakest first. */
const NAMES = {
  en: [
    "for children",
    "for a first evening",
    "for regular players",
    "for experienced players",
    "for experts",
  ],
  ja: ["子ども向け", "初回向け", "常連向け", "経験者向け", "上級者向け"],
  nl: [
    "voor kinderen",
    "voor een eerste avond",
    "voor vaste spelers",
    "voor ervaren spelers",
    "voor experts",
  ],
};

globalThis.document = { documentElement: { lang: "en" } };
globalThis.localStorage = { getItem: () => null };
useWords("en", sharedWords("en", "host"), {});

/** The levels that are offered for a seat, the weakest first. */
const offered = (game) => botsFor({ game, phase: "play" });

/** The buttons for a seat, as text. */
const listed = (lobby, { phase = "lobby", bot, programs } = {}) =>
  renderToString(
    botList({ game: "nosferatu", phase, lobby, programs }, { seat: "vampires", bot }, (...words) =>
      words.join("-"),
    ),
  );

const files = readdirSync(RESULTS)
  .filter((file) => file.endsWith(".json"))
  .flatMap((file) => JSON.parse(readFileSync(new URL(file, RESULTS))).runs)
  .flatMap(({ rows }) => rows);

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
    test(`each level further is stronger: ${game}, ${side}`, () => {
      const levels = offered(game);
      const rows = mostGames(sides);
      assert.equal(levels.length, 3);
      for (const [rank, stronger] of levels.entries()) {
        if (rank === 0) continue;
        const measured = MEASURED_AS[game]?.[side]?.[stronger] ?? stronger;
        const gains = compared(rows, side, sides[1 - number], levels[rank - 1], measured).map(
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
}

for (const game of ALL_GAMES.filter((game) => gameOf(game).bots)) {
  for (const [language, names] of Object.entries(NAMES)) {
    test(`each level says for whom it is, and the names rise: ${game}, ${language}`, () => {
      const called = sharedWords(language);
      const ranks = offered(game).map((level) => names.indexOf(called[`bot.level.${level}`]));
      assert.equal(ranks.length, 3);
      assert.ok(
        ranks.every((rank, number) => rank >= 0 && (number === 0 || rank > ranks[number - 1])),
        `${ranks}`,
      );
    });
  }
}

test("a level that people played against here has its bare numbers, others have none", () => {
  const shown = listed({
    measured: { vampires: { heuristic: { won: 3, played: 7 } }, villagers: {} },
  });
  assert.match(shown, /for regular players.*as measured here: people won 3\u00a0of\u00a07/u);
  assert.equal(shown.match(/as measured/gu).length, 1);
  assert.doesNotMatch(shown, /%/u);
  assert.doesNotMatch(listed({}), /measured/u);
});

test("even odds are offered before a game, not during it; programs stand last", () => {
  assert.deepEqual(botsFor({ game: "vwars", phase: "lobby", programs: ["mine"] }), [
    "random",
    "heuristic",
    "deep",
    "auto",
    "mine",
  ]);
  assert.match(listed({}), /data-action="bot" data-arg="auto"/u);
  assert.doesNotMatch(listed({}, { phase: "play" }), /data-arg="auto"/u);
});

test("the bot that has the seat is marked, and only a bot can be sent away", () => {
  const shown = listed({}, { bot: "heuristic" });
  assert.match(shown, /data-action="bot" data-arg="heuristic" aria-pressed="true"/u);
  assert.equal(shown.match(/aria-pressed="true"/gu).length, 1);
  assert.match(shown, /data-action="nobody"/u);
  assert.doesNotMatch(listed({}), /data-action="nobody"/u);
});
