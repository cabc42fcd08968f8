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
    info = false,
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
      ui: { screen, info, sound: true },
    }),
  );
};

test("the lobby says what the game is; the choice of a game for how many each is, and how long", () => {
  for (const game of Object.keys(GAMES)) {
    const words = sharedWords("en", "host")[`about.${game}`];
    assert.ok(words);
    assert.ok(markup(game).includes(words));
  }
  const boxes = markup("vwars", { screen: "games" });
  assert.equal(Object.keys(GAMES).length, boxes.match(/\d players · \d+ min</g).length);
  assert.match(boxes, /data-arg="vwars" aria-pressed="true"/);
});

test("what is needed seldom is one press away; who only looks on has no settings", () => {
  const more = { info: true };
  assert.match(markup("vwars"), /data-action="how"/);
  assert.match(markup("vwars", more), /href="\/host"/);
  assert.ok(!markup("vwars", more).includes("/host#kit"));
  assert.match(markup("vampireradar", more), /href="\/host#kit"/);
  assert.match(markup("vwars", { canControl: false }), /data-action="how"/);
  assert.match(markup("vwars", { ...more, canControl: false }), /data-action="language"/);
  assert.ok(!markup("vwars", { ...more, canControl: false }).includes("/host"));
});

test("a player alone reads in the lobby of each game what to do, until somebody else is there", () => {
  for (const game of Object.keys(GAMES)) {
    const alone = words[game]["lobby.alone"];
    assert.ok(alone.startsWith("Alone"));
    assert.ok(markup(game).includes(alone), game);
    assert.ok(!markup(game, { taken: true }).includes(alone));
    assert.ok(!markup(game, { canControl: false }).includes(alone));
  }
  assert.ok(!markup("shisogari", { options: { hands: "cards" } }).includes("Alone"));
});

test("the vampire's seat asks who plays it, and has a bot and paper, each once", () => {
  const page = markup("vampireradar", { seats: ["V", "H1"] });
  const row = page.match(/<li[^>]*data-seat="V".*?<\/li>/)[0];
  assert.match(row, /class="missing wide"/);
  assert.match(row, /Who is the vampire\?/);
  assert.equal(1, page.match(/data-action="give" data-arg="V"/g).length);
  assert.equal(1, page.match(/data-action="paper"/g).length);
  const taken = markup("vampireradar", { seats: ["V", "H1"], taken: true });
  assert.ok(!/missing|Who is the vampire/.test(taken));
});

test("on paper the vampire needs no phone, and no bot is promised in its place", () => {
  const page = markup("vampireradar", { seats: ["V", "H1"], options: { path: "paper" } });
  assert.match(page, /data-action="paper"[^>]*aria-pressed="true"/);
  assert.ok(!/missing|Alone|data-action="give" data-arg="V"/.test(page));
});

test("one press gives bots to all free seats, and leaves one to people without phones", () => {
  const bots = (game, seats) =>
    /data-action="bots" data-arg="([^"]*)"[^>]*>([^<]*)/
      .exec(markup(game, { seats }))
      ?.slice(1)
      .map((each) => each.replaceAll("&quot;", '"'));
  const [free, ana] = [
    (seat) => ({ seat, taken: false }),
    (seat) => ({ seat, taken: true, name: "Ana" }),
  ];
  assert.deepEqual(
    ['["V","H2"]', "Bots for all but Player 1"],
    bots("vampireradar", [free("V"), free("H1"), free("H2")]),
  );
  assert.deepEqual(
    ['["V","H2"]', "Bots for all free seats"],
    bots("vampireradar", [free("V"), ana("H1"), free("H2")]),
  );
  // The last free seat has a button of its own, and somebody must hold cards first.
  assert.equal(undefined, bots("vampireradar", [free("V"), ana("H1")]));
  assert.equal(undefined, bots("shisogari", ["P1", "P2", "P3", "P4"].map(free)));
  assert.deepEqual(
    ['["P2","P3","P4"]', "Bots for all free seats"],
    bots("shisogari", [ana("P1"), free("P2"), free("P3"), free("P4")]),
  );
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
  assert.match(page, /Ana<\/span><small>Vampire · hides<\/small>/);
});

test("each game's folder brings a snapshot, and six drawings with words in each language", async () => {
  for (const game of Object.keys(GAMES)) {
    assert.ok(existsSync(new URL(`../../../web/games/${game}/cover.svg`, import.meta.url)), game);
    const { steps } = await loadSteps(game);
    assert.equal(6, new Set(Object.values(steps).map((drawing) => renderToString(drawing()))).size);
    for (const language of ["en", "ja", "nl"])
      for (const name in steps) assert.ok(gameWords(language, game)[`step.${name}`]);
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
  assert.ok(markup("vampire_empire").includes("2 seats are free: each needs a phone or a bot."));
  for (const game of ["vampire_empire", "vwars"]) {
    const page = markup(game, { options: { content: "box" } });
    assert.ok(page.includes("Every seat needs a phone"));
    assert.ok(!page.includes("phone or a bot"));
    assert.ok(!page.includes('data-action="give" data-arg="P1"'));
  }
});
