/** The style sheets of several games on one page: each applies to its own game's drawings alone. */
import { timedFetch } from "../../core/browser.js";

/** Rules of a style sheet for the whole page; only their colour variables apply elsewhere. */
const PAGE = /:root|body(:has\([^()]*\))?/g;

/** Limit rules to the elements of a class. @param {any} rules @param {string} within */
function confine(rules, within) {
  for (const rule of rules) {
    const { selectorText: selector } = rule;
    if (selector) {
      const ofPage = selector.replace(PAGE, within);
      rule.selectorText = ofPage === selector ? `:where(${within}) :is(${selector})` : ofPage;
      if (ofPage !== selector)
        for (const name of [...rule.style])
          if (!name.startsWith("--")) rule.style.removeProperty(name);
    }
    if (rule.cssRules) confine(rule.cssRules, within);
  }
}

/**
 * Fetch a game's style sheets and limit them to the elements of a class, so that a page can have
 * those of several games.
 * @param {string} game
 * @param {string} within the selector of that class
 * @param {string[]} names
 */
export async function loadStylesWithin(game, within, names) {
  const texts = names.map((name) =>
    timedFetch(`/static/games/${game}/${name}.css`).then((reply) => reply.text()),
  );
  for (const text of await Promise.all(texts)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    confine(sheet.cssRules, within);
    document.adoptedStyleSheets.push(sheet);
  }
}
