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
    const first = moves.find(([by]) => by === 0)[1];
    assert.deepEqual(
      names.map((seat) => [seat, seat]).sort(),
      first.map(([seat, holder]) => [seat, holder.seat]).sort(),
    );
    for (const [by, held] of moves) {
      assert.equal("V", held[0][0]);
      for (const [seat, holder] of held)
        assert.equal(seat, names[(names.indexOf(holder.seat) - by + names.length) % names.length]);
    }
    assert.equal(names.length, new Set(moves.map(([by]) => by)).size);
  }
});

test("the question says who sits where afterwards, for each player who could be the vampire", () => {
  const seats = [
    { seat: "V", taken: true, name: "Ana" },
    { seat: "H1", taken: true, bot: "greedy" },
    { seat: "H2", taken: false },
    { seat: "H3", taken: true },
  ];
  useSeats(seats);
  const page = renderToString(nextGameScreen({ game: "vampireradar", seats }));
  assert.match(page, /Who plays Vampire in the next game\?/);
  const words = page.replace(/<[^>]*>/g, " ").replace(/ +/g, " ");
  assert.match(words, /Ana Player 1: Bot · Player 2: free · Player 3: until now Player 3/);
  assert.match(words, /Player 1 Player 1: free · Player 2: until now Player 3 · Player 3: Ana/);
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
