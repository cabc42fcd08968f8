/** The rules of each game in our own words; the page requests nothing from the table. */
import { GAMES } from "../../games/index.js";
import { chapterList, loadChapters } from "./chapters.js";
import { applyStyles, loadStyles } from "../../core/styles.js";
import { button, lightButton, onPress, toggleTheme } from "../../core/controls.js";
import { languageButtons } from "../../core/language_buttons.js";
import { byId, h, render } from "../../core/dom.js";
import { chooseLanguage, followLanguage, loadWords, text, useWordsOf } from "../../core/i18n.js";

const asked = location.hash.slice(1);
/** @type {{game: string, rules: Awaited<ReturnType<typeof loadChapters>> | null}} */
const help = { game: GAMES.includes(asked) ? asked : GAMES[0], rules: null };

/** @param {string} game */
async function choose(game) {
  const [rules] = await Promise.all([loadChapters(game), loadStyles(game)]);
  Object.assign(help, { game, rules });
  useWordsOf(game);
  applyStyles(game);
}

/** @type {ActionTable} */
const ACTIONS = {
  game: async (game) => {
    await choose(game);
    history.replaceState(null, "", `#${game}`);
    scrollTo(0, 0);
  },
  // The display has no other way back to the table.
  back: () => (history.length > 1 ? history.back() : location.assign("/")),
  language: chooseLanguage,
  light: toggleTheme,
};

function draw() {
  render(byId("screen"), [
    h(
      "main.help",
      h("div.tools", languageButtons(), lightButton()),
      h("h1", text("help.title")),
      h(
        "div.row",
        GAMES.map((game) =>
          button(["game", game], text(`game.${game}`), {
            "aria-pressed": String(game === help.game),
          }),
        ),
      ),
      help.rules && chapterList(help.game, help.rules),
      h("p.muted", text("help.own")),
      h("p.muted", text("help.typing")),
      button("back", text("back"), { class: "prime wide" }),
    ),
  ]);
}

await loadWords(null, "help");
await choose(help.game);
followLanguage(draw);
onPress(document.body, async ({ action, argument }) => {
  await ACTIONS[action]?.(argument);
  draw();
});
draw();
