/**
 * The rules of each game in our own words, chapter by chapter, with the game's drawings of its steps.
 */
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { loadGameWords, text } from "../../core/i18n.js";
import { loadRules, loadSteps } from "../../games/index.js";

/** Load a game's rules, its drawings, and the words of both. @param {string} game */
export async function loadChapters(game) {
  const [rules, { steps }] = await Promise.all([
    loadRules(game),
    loadSteps(game),
    loadGameWords(game, "rules", "steps"),
  ]);
  return { ...rules, drawings: steps };
}

/**
 * Describe all chapters of a game, as its `rules.js` lists them; each begins with its drawn steps.
 * @param {string} game
 * @param {{chapters: GameRules["chapters"], drawings: Record<string, () => Child>}} rules
 */
export const chapterList = (game, { chapters, drawings }) =>
  chapters.map(([name, many, sign, ...steps]) =>
    h(
      "section.card",
      { id: name },
      h("h2", icon(sign), " ", text(`help.${game}.${name}`)),
      steps.map((step) => h("div.step", drawings[step](), h("p", text(`step.${step}`)))),
      Array.from({ length: many }, (_, index) => h("p", text(`help.${game}.${name}.${index + 1}`))),
    ),
  );
