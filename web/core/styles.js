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
