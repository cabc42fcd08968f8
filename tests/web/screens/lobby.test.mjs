// What the display shows before a game: what the game is, with what it is played, and what is still wanted.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { gameWords, sharedWords } from "../catalogues.mjs";
import test from "node:test";

import { loadGame, loadSteps } from "../../../web/games/index.js";
import { lobbyScreen } from "../../../web/screens/table/lobby.js";
import { renderToString } from "../markup.mjs";
import { useSeats, useWords, useWordsOf } from "../../../web/core/i18n.js";

globalThis.document = { documentElement: { lang: "en", classList: { contains: () => false } } };
globalThis.localStorage = { getItem: () => null };
const GAMES = {
  vampireradar: [2, 3, 4],
  nosferatu: [2],
  shisogari: [4, 5],
  vampire_empire: [2],
  vwars: [3, 4, 5],
};
await Promise.all(Object.keys(GAMES).map(loadGame));
const words = Object.fromEntries(Object.keys(GAMES).map((game) => [game, gameWords("en", game)]));
useWords("en", sharedWords("en", "host"), words);
const markup = (
  game,
  {
    options = {},
    taken = false,
    screen = "seats",
    canControl = true,
    seats = ["P1", "P2"],
    lobby = {},
  } = {},
) => {
  useWordsOf(game);
  return renderToString(
    lobbyScreen({
      snapshot: {
        phase: "lobby",
        game,
        seats: seats.map((seat) => (seat.seat ? seat : { seat, taken })),
        lobby: { game, games: GAMES, players: GAMES[game][0], options, ready: true, ...lobby },
      },
      canControl,
      join: null,
      notice: null,
      looksOn: null,
      ui: { screen, sound: true },
    }),
  );
};

test("the lobby shows of each game what it is, for how many and how long", () => {
  for (const game of Object.keys(GAMES)) {
    const words = sharedWords("en", "host")[`about.${game}`];
    assert.ok(words);
    assert.ok(markup(game).includes(words));
    assert.match(markup(game), /\d players · about \d+ minutes/);
    assert.ok(markup("vwars", { screen: "games" }).includes(words));
  }
});

test("six pictures, settings and print are one press away before a game; who only looks on has the pictures", () => {
  assert.match(markup("vwars"), /data-action="how"/);
  assert.match(markup("vwars"), /href="\/host"/);
  assert.ok(!markup("vwars").includes("/host#kit"));
  assert.match(markup("vampireradar"), /href="\/host#kit"/);
  assert.match(markup("vwars", { canControl: false }), /data-action="how"/);
  assert.ok(!markup("vwars", { canControl: false }).includes("/host"));
});

test("a player alone reads in the lobby of each game what to do, until somebody else is there", () => {
  for (const game of Object.keys(GAMES)) {
    const alone = words[game]["lobby.alone"];
    assert.ok(alone.startsWith("Alone?"));
    assert.ok(markup(game).includes(alone), game);
    assert.ok(!markup(game, { taken: true }).includes(alone));
    assert.ok(!markup(game, { canControl: false }).includes(alone));
  }
  assert.ok(!markup("shisogari", { options: { hands: "cards" } }).includes("Alone?"));
});

test("the vampire that nobody wants to be is one press away from the computer", () => {
  assert.match(markup("vampireradar", { seats: ["V", "H1"] }), /data-action="computer"/);
  assert.ok(!markup("vampireradar", { seats: ["V", "H1"], taken: true }).includes("computer"));
  assert.ok(!markup("nosferatu").includes("computer"));
});

test("the box and real cards are chosen in the lobby", () => {
  const contents = ["sample", "box"];
  for (const [game, lobby] of [
    ["vwars", { contents }],
    ["shisogari", {}],
  ]) {
    const [ours, real] = [
      markup(game, { lobby }),
      markup(game, { lobby, options: game === "vwars" ? { content: "box" } : { hands: "cards" } }),
    ];
    assert.match(ours, /data-action="cards" aria-pressed="false"/);
    assert.match(real, /data-action="cards" aria-pressed="true"/);
    assert.ok(!markup(game, { lobby, canControl: false }).includes('data-action="cards"'));
  }
  assert.ok(!markup("nosferatu").includes('data-action="cards"'));
});

test("a seat shows its side beside the name that somebody typed", () => {
  const seats = [{ seat: "V", taken: true, name: "Ana" }];
  useSeats(seats);
  const page = markup("vampireradar", { seats });
  useSeats([]);
  assert.match(page, /Ana<\/span><small class="muted">Vampire<\/small>/);
});

test("each game's folder brings a snapshot, and six drawings with words in each language", async () => {
  for (const game of Object.keys(GAMES)) {
    assert.ok(existsSync(new URL(`../../../web/games/${game}/cover.svg`, import.meta.url)), game);
    const { steps } = await loadSteps(game);
    assert.equal(6, steps.length);
    assert.equal(6, new Set(steps.map(([, drawing]) => renderToString(drawing()))).size);
    for (const language of ["en", "ja", "nl"])
      for (const [name] of steps) assert.ok(gameWords(language, game)[`step.${name}`]);
  }
});

test("the lobby shows when the box or real cards are played with", () => {
  assert.ok(!markup("vwars").includes('id="real"'));
  assert.match(markup("vwars", { options: { content: "box" } }), /id="real"[^>]*>Beside the box/);
  assert.match(
    markup("shisogari", { options: { hands: "cards" } }),
    /id="real"[^>]*>With real cards/,
  );
});

test("a bot is promised only where one can be had", () => {
  assert.ok(markup("vampire_empire").includes("a phone or a bot"));
  for (const game of ["vampire_empire", "vwars"]) {
    const page = markup(game, { options: { content: "box" } });
    assert.ok(page.includes("Every seat needs a phone"));
    assert.ok(!page.includes("phone or a bot"));
    assert.ok(!page.includes('data-action="give" data-arg="P1"'));
  }
});
