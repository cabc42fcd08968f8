// Who plays the vampire next: the question before the table opens for another game.
import assert from "node:assert/strict";
import { gameWords, sharedWords } from "../catalogues.mjs";
import test from "node:test";

import { loadGame } from "../../../web/games/index.js";
import { movesTo, nextGameScreen } from "../../../web/screens/table/next_game.js";
import { renderToString } from "../markup.mjs";
import { useSeats, useWords, useWordsOf } from "../../../web/core/i18n.js";

globalThis.document = { documentElement: { lang: "en" } };
useWords("en", sharedWords("en", "host"), { vampireradar: gameWords("en", "vampireradar") });
useWordsOf("vampireradar");
await loadGame("vampireradar");
await loadGame("manhunt");

test("the chosen player comes to the vampire's seat when all move on by the number of seats", () => {
  for (const names of [
    ["V", "H1"],
    ["V", "H1", "H2", "H3"],
    ["a", "b", "V"],
  ]) {
    const moves = movesTo(
      names.map((seat) => ({ seat })),
      "V",
    );
    for (const [{ seat }, by] of moves)
      assert.equal("V", names[(names.indexOf(seat) - by + names.length) % names.length]);
    assert.equal(0, moves.find(([{ seat }]) => seat === "V")[1]);
    assert.equal(names.length, new Set(moves.map(([, by]) => by)).size);
  }
});

test("the question names each player with the present side, bots by their level", () => {
  const seats = [
    { seat: "V", taken: true, name: "Ana" },
    { seat: "H1", taken: true, bot: "greedy" },
    { seat: "H2", taken: false },
  ];
  useSeats(seats);
  const page = renderToString(nextGameScreen({ game: "vampireradar", seats }));
  assert.match(page, /Who plays Vampire in the next game\?/);
  assert.match(page, /data-action="again" data-arg="0".*Ana.*Vampire · taken/);
  assert.match(page, /data-action="again" data-arg="1".*Player 1 · Bot, for a first evening/);
  assert.match(page, /data-action="again" data-arg="2".*Player 2 · free/);
  assert.match(page, /data-action="again" data-arg="no"/);
});

test("the question names the side that hides in this game", () => {
  useWords("en", sharedWords("en", "host"), { manhunt: gameWords("en", "manhunt") });
  useWordsOf("manhunt");
  const seats = [
    { seat: "F", taken: true },
    { seat: "H1", taken: true },
  ];
  useSeats(seats);
  const page = renderToString(nextGameScreen({ game: "manhunt", seats }));
  assert.match(page, /Who plays Fugitive in the next game\?/);
});
