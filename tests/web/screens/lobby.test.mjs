// What the display shows before a game: what the game is, with what it is played, and what is still wanted.
import assert from "node:assert/strict";
import { gameWords, sharedWords } from "../catalogues.mjs";
import test from "node:test";

import { loadGame } from "../../../web/games/index.js";
import { lobbyScreen } from "../../../web/screens/table/lobby.js";
import { renderToString } from "../../../web/core/dom.js";
import { useWords } from "../../../web/core/i18n.js";

globalThis.document = { documentElement: { lang: "en" } };
globalThis.localStorage = { getItem: () => null };
useWords("en", {
  ...sharedWords("en", "host"),
  ...gameWords("en", "shisogari", "vampire_empire", "vwars", "vampireradar"),
});

const GAMES = {
  vampireradar: [2, 3, 4],
  nosferatu: [2],
  shisogari: [4, 5],
  vampire_empire: [2],
  vwars: [3, 4, 5],
};
await Promise.all(Object.keys(GAMES).map(loadGame));
const shown = (game, { options = {}, taken = false, screen = "seats", can = true } = {}) =>
  renderToString(
    lobbyScreen({
      picture: {
        phase: "lobby",
        game,
        seats: [
          { seat: "P1", taken },
          { seat: "P2", taken },
        ],
        lobby: { game, games: GAMES, players: GAMES[game][0], options, ready: true },
      },
      can,
      join: null,
      notice: null,
      looksOn: null,
      ui: { screen, sound: true },
    }),
  );

test("the lobby says of each game what it is, for how many and how long", () => {
  for (const game of Object.keys(GAMES)) {
    const words = sharedWords("en", "host")[`about.${game}`];
    assert.ok(words);
    assert.ok(shown(game).includes(words));
    assert.match(shown(game), /\d players · about \d+ minutes/);
    assert.ok(shown("vwars", { screen: "games" }).includes(words));
  }
});

test("rules and settings are one press away before a game; who only looks on has the rules", () => {
  assert.match(shown("vwars"), /href="\/help#vwars"/);
  assert.match(shown("vwars"), /href="\/host"/);
  assert.match(shown("vwars", { can: false }), /href="\/help#vwars"/);
  assert.ok(!shown("vwars", { can: false }).includes("/host"));
});

test("the lobby says when the box or real cards are played with", () => {
  assert.ok(!shown("vwars").includes('id="real"'));
  assert.match(shown("vwars", { options: { content: "box" } }), /id="real"[^>]*>Beside the box/);
  assert.match(
    shown("shisogari", { options: { hands: "cards" } }),
    /id="real"[^>]*>With real cards/,
  );
});

test("a bot is promised only where one can be had", () => {
  assert.ok(shown("vampire_empire").includes("a phone or a bot"));
  for (const game of ["vampire_empire", "vwars"]) {
    const page = shown(game, { options: { content: "box" } });
    assert.ok(page.includes("Every seat needs a phone"));
    assert.ok(!page.includes("phone or a bot"));
    assert.ok(!page.includes("give-P1"));
  }
});
