/** The style sheets of single games: of all that a page has loaded, that of the game on it counts alone. */

/** Fetch the style sheet `name`, a path without its ending, which counts for nothing before `applyStyle`. */
export async function loadStyle(name) {
  if (document.querySelector(`link[data-style="${name}"]`)) return;
  const link = Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    media: "not all",
    href: `/static/${name}.css`,
  });
  link.dataset.style = name;
  const loaded = new Promise((done) => {
    link.onload = link.onerror = done;
  });
  document.head.append(link);
  await loaded;
}

/** Let the style sheet `name` count and that of no other game; null for none. */
export function applyStyle(name) {
  /** @type {NodeListOf<HTMLLinkElement>} */
  const links = document.querySelectorAll("link[data-style]");
  for (const link of links) link.media = link.dataset.style === name ? "all" : "not all";
}
