import assert from "node:assert/strict";
import { gameWords, sharedWords } from "../catalogues.mjs";
import { test } from "node:test";

import { GAMES, loadRules, loadSteps } from "../../../web/games/index.js";
import { chosenOptions } from "../../../web/screens/host/options.js";
import { rulesPage } from "../../../web/screens/help/rules.js";
import { renderToString } from "../markup.mjs";
import { useWords } from "../../../web/core/i18n.js";

globalThis.localStorage = { getItem: () => null };
globalThis.document = { documentElement: { lang: "en", classList: { contains: () => false } } };
useWords("en", sharedWords("en", "help", "settings"));

const RULES = Object.fromEntries(
  await Promise.all(
    GAMES.map(async (game) => {
      const [rules, { steps }] = await Promise.all([loadRules(game), loadSteps(game)]);
      return [game, { ...rules, drawings: steps }];
    }),
  ),
);

const usual = (game) =>
  Object.fromEntries(
    Object.entries(RULES[game].options).map(([name, values]) => [name, values[0]]),
  );
const snapshot = (game, options) => ({
  game,
  view: { options: { ...usual(game), ...options } },
  seats: [],
  undo: null,
});

test("a table with the usual settings has agreed on nothing else", () => {
  for (const game of GAMES) {
    assert.deepEqual(chosenOptions(snapshot(game, {}), RULES[game].options), []);
    assert.ok(
      !renderToString(rulesPage(snapshot(game, {}), "P1", RULES[game])).includes('id="agreed"'),
    );
  }
});

test("the rules on a phone begin with what the table chose otherwise, each option in words", () => {
  for (const game of GAMES) {
    const words = gameWords("en", game);
    useWords("en", { ...sharedWords("en", "help", "settings"), ...words });
    for (const [name, values] of Object.entries(RULES[game].options)) {
      const page = renderToString(
        rulesPage(snapshot(game, { [name]: values[1] }), "P1", RULES[game]),
      );
      assert.match(page, /id="agreed"/);
      assert.ok(page.includes(words[`option.${name}`]), name);
      assert.ok(page.indexOf("agreed") < page.indexOf('id="goal"'), name);
    }
  }
});

test("each drawn step stands in one chapter of the rules", () => {
  for (const game of GAMES) {
    const named = RULES[game].chapters.flatMap(([, , , ...steps]) => steps);
    assert.deepEqual(named.toSorted(), Object.keys(RULES[game].drawings).toSorted(), game);
  }
});

test("before a game the settings of the lobby are shown", () => {
  assert.deepEqual(
    chosenOptions(
      { game: "nosferatu", view: null, lobby: { options: { draws: false } } },
      RULES.nosferatu.options,
    ),
    [["draws", false]],
  );
});
