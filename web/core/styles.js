/** The style sheets of games: of all that a page has loaded, those of the game on it count alone. */

/** When each style sheet is there, by its address. */
const loading = new Map();

/**
 * Fetch a style sheet of a game once, which counts for nothing before `applyStyles`.
 * @param {string} game
 * @param {string} name
 */
function load(game, name) {
  const href = `/static/games/${game}/${name}.css`;
  if (!loading.has(href)) {
    const link = Object.assign(document.createElement("link"), {
      rel: "stylesheet",
      media: "not all",
      href,
    });
    link.dataset.game = game;
    loading.set(
      href,
      new Promise((done) => {
        link.onload = link.onerror = done;
      }),
    );
    document.head.append(link);
  }
  return loading.get(href);
}

/**
 * Fetch what every screen of a game wears, and with `more` ("table", "replay") what only some do.
 * @param {string} game
 * @param {...string} more
 */
export const loadStyles = (game, ...more) =>
  Promise.all(["style", ...more].map((name) => load(game, name)));

/**
 * Let the style sheets of these games count and those of no other.
 * @param {...(string | null | undefined)} games
 */
export function applyStyles(...games) {
  /** @type {NodeListOf<HTMLLinkElement>} */
  const all = document.querySelectorAll("link[data-game]");
  for (const link of all) link.media = games.includes(link.dataset.game) ? "all" : "not all";
}

/** What a style sheet says of the whole page; of that only the colours' names count elsewhere. */
const PAGE = /:root|body(:has\([^()]*\))?/g;

/**
 * Let rules count below the elements of a class alone.
 * @param {any} rules
 * @param {string} within
 */
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
 * Fetch a game's style sheets and let them count below the elements of a class alone, so that those of several games are on
 * a page.
 * @param {string} game
 * @param {string} within the selector of that class
 * @param {string[]} names
 */
export async function loadStylesWithin(game, within, names) {
  const texts = names.map((name) =>
    fetch(`/static/games/${game}/${name}.css`).then((reply) => reply.text()),
  );
  for (const text of await Promise.all(texts)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    confine(sheet.cssRules, within);
    document.adoptedStyleSheets.push(sheet);
  }
}
