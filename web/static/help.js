/** The rules of each game in our own words, for whoever opens the page; it asks the table for nothing. */
import { chapters, GAMES } from "./chapters.js";
import { button, lightButton, otherLight } from "./choices.js";
import { onPress } from "./press.js";
import { el, patch } from "./tree.js";
import { chooseLanguage, followLanguage, LANGUAGES, loadWords, text } from "./words.js";

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
  patch(document.getElementById("screen"), [
    el(
      "main",
      { class: "help" },
      el(
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
      el("h1", {}, text("help.title")),
      el(
        "div",
        { class: "row" },
        Object.keys(GAMES).map((game) =>
          button(`game-${game}`, text(`game.${game}`), {
            "aria-pressed": String(game === help.game),
          }),
        ),
      ),
      chapters(help.game),
      el("p", { class: "muted" }, text("help.own")),
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
