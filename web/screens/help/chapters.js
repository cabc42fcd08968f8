/**
 * The rules of each game in our own words, chapter by chapter. The words are those of the folder
 * "help".
 */
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";

/**
 * Describe all chapters of a game, as its `rules.js` lists them.
 * @param {string} game
 * @param {GameRules["chapters"]} chapters
 */
export const chapterList = (game, chapters) =>
  chapters.map(([name, many, sign]) =>
    h(
      "section.card",
      { id: name },
      h("h2", icon(sign), " ", text(`help.${game}.${name}`)),
      Array.from({ length: many }, (_, index) => h("p", text(`help.${game}.${name}.${index + 1}`))),
    ),
  );
