/** The style sheets of games: of all loaded ones, only those of the game on the page apply. */

/** The loading of each style sheet, by its address. */
const loading = new Map();

/** Fetch a style sheet once; `applyStyles` applies it. @param {string} game @param {string} name */
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
 * Fetch the style sheet of every screen of a game, and with `more` ("table", "replay") those of
 * some.
 * @param {string} game @param {...string} more
 */
export const loadStyles = (game, ...more) =>
  Promise.all(["style", ...more].map((name) => load(game, name)));

/** Apply the style sheets of these games alone. @param {...(string | null | undefined)} games */
export function applyStyles(...games) {
  /** @type {NodeListOf<HTMLLinkElement>} */
  const all = document.querySelectorAll("link[data-game]");
  for (const link of all) link.media = games.includes(link.dataset.game) ? "all" : "not all";
}
