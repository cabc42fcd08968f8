/** How the proposed game is played, in six pictures. Each game draws its own: `steps.js` in its folder. */
import { button, CLOSES } from "../../core/controls.js";
import { loadSteps } from "../../games/index.js";
import { h } from "../../core/dom.js";
import { loadGameWords, text } from "../../core/i18n.js";

/** @type {Record<string, () => Child>} */
let steps = {};

/** Load the six pictures of a game and their words. @param {string} game */
export async function loadPictures(game) {
  const [loadedSteps] = await Promise.all([loadSteps(game), loadGameWords(game, "steps")]);
  steps = loadedSteps.steps;
}

/** Describe the screen. @param {TableState} table */
export const howToPlayScreen = ({ snapshot }) =>
  h(
    "main.how",
    h(
      "div.line",
      h("h1.title", text(`game.${snapshot.game}`)),
      h("a.button", { href: `/help#${snapshot.game}` }, text("how.all")),
      button("seats", text("back"), { class: "prime", ...CLOSES }),
    ),
    h(
      "ol#pictures",
      Object.entries(steps).map(([name, drawing]) =>
        h("li", { "data-step": name }, drawing(), h("p", text(`step.${name}`))),
      ),
    ),
  );
