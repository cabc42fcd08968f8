/** The rules of each game in our own words, for whoever opens the page; it asks the table for nothing. */
import { chapters, GAMES } from "./chapters.js";
import { button, lightButton, otherLight } from "../../core/controls.js";
import { onPress } from "../../core/press.js";
import { h, render } from "../../core/dom.js";
import { chooseLanguage, followLanguage, LANGUAGES, loadWords, text } from "../../core/i18n.js";

const asked = location.hash.slice(1);
const help = { game: asked in GAMES ? asked : "vampireradar" };

const ACTIONS = {
  game: (game) => {
    help.game = game;
    history.replaceState(null, "", `#${game}`);
    scrollTo(0, 0);
  },
  // On the display there is no other way back to the table.
  back: () => (history.length > 1 ? history.back() : location.assign("/")),
  language: chooseLanguage,
  light: otherLight,
};

function draw() {
  render(document.getElementById("screen"), [
    h(
      "main",
      { class: "help" },
      h(
        "div",
        { class: "tools" },
        Object.entries(LANGUAGES).map(([code, name]) =>
          button(`language-${code}`, name, {
            lang: code,
            "aria-pressed": String(code === document.documentElement.lang),
          }),
        ),
        lightButton(),
      ),
      h("h1", {}, text("help.title")),
      h(
        "div",
        { class: "row" },
        Object.keys(GAMES).map((game) =>
          button(`game-${game}`, text(`game.${game}`), {
            "aria-pressed": String(game === help.game),
          }),
        ),
      ),
      chapters(help.game),
      h("p", { class: "muted" }, text("help.own")),
      button("back", text("back"), { class: "wide" }),
    ),
  ]);
}

await loadWords(null, "help");
followLanguage(draw);
onPress(document.body, async (action) => {
  const [name, argument] = (action ?? "").split("-");
  await ACTIONS[name]?.(argument);
  draw();
});
draw();
