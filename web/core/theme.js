/**
 * What comes before a page's modules: the light theme for sunlit rooms if this device chose it,
 * before the first drawing and when any page of the browser changes it; and another loading of a
 * page that failed before its first drawing, once the table answers. After the first drawing,
 * on a phone that of its game, come the fonts and the sky.
 */
/** @param {string | null} chosen "1" for light */
const applyTheme = (chosen) => {
  document.documentElement.classList.toggle("light", chosen === "1");
  if (chosen !== "1" || document.getElementById("light")) return;
  document.head.append(
    Object.assign(document.createElement("link"), {
      id: "light",
      rel: "stylesheet",
      href: "/static/core/light.css",
    }),
  );
};
try {
  applyTheme(localStorage.getItem("light"));
} catch {
  // This browser refuses storage: the choice lasts as long as the page.
}
addEventListener("storage", ({ key, newValue }) => key === "light" && applyTheme(newValue));
/** While nothing is drawn: a page that cannot begin shows its first sentence. */
const reload = () => {
  if (!document.getElementById("loading")) return;
  // eslint-disable-next-line no-restricted-globals
  fetch("/healthz").then(() => location.reload(), again);
};
const again = () => setTimeout(reload, 4000);
// A browser that cannot read the modules will not do so later.
addEventListener("error", ({ error }) => error instanceof SyntaxError || again(), true);
addEventListener("unhandledrejection", again);
new MutationObserver((_, watch) => {
  if (!document.querySelector("main:not(.opening)")) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => import("./sky.js").catch(() => {})));
}).observe(document, { childList: true, subtree: true });
