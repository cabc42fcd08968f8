/** The rules of each game in our own words, for whoever opens the page; it asks the table for nothing. */
import { button, lightButton, otherLight } from "./choices.js";
import { icon } from "./icons.js";
import { onPress } from "./press.js";
import { el, patch } from "./tree.js";
import { chooseLanguage, followLanguage, LANGUAGES, loadWords, text } from "./words.js";

/** Each game's chapters: the name of its texts, how many sentences it has, and its sign. */
const GAMES = {
  vampireradar: [["goal", 2, "moon"], ["turn", 4, "bullet"], ["radar", 2, "radar"], ["shot", 3, "heart"], ["night", 4, "bat"], ["table", 5, "undo"], ["end", 2, "moon"]],
  nosferatu: [["goal", 2, "moon"], ["enter", 2, "bat"], ["capture", 3, "heart"], ["count", 2, "moon"], ["move", 1, "bat"], ["end", 2, "heart"]],
  shisogari: [["goal", 2, "moon"], ["cards", 2, "diamond"], ["turn", 3, "circle"], ["pick", 3, "bat"], ["accuse", 2, "heart"], ["table", 3, "undo"]],
  vampire_empire: [["goal", 2, "moon"], ["turn", 4, "circle"], ["actions", 4, "diamond"], ["fight", 5, "sword"], ["support", 1, "heart"], ["table", 4, "undo"], ["end", 3, "fang"]],
  vwars: [["goal", 3, "moon"], ["turn", 2, "circle"], ["actions", 5, "diamond"], ["event", 2, "star"], ["riot", 5, "sword"], ["cards", 1, "square"], ["table", 4, "undo"], ["end", 2, "fang"]],
};

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
  patch(document.getElementById("screen"), [el("main", { class: "help" },
    el("div", { class: "tools" }, Object.entries(LANGUAGES).map(([code, name]) =>
      button(`language-${code}`, name, { lang: code, "aria-pressed": String(code === document.documentElement.lang) })), lightButton()),
    el("h1", {}, text("help.title")),
    el("div", { class: "row" }, Object.keys(GAMES).map((game) => button(`game-${game}`, text(`game.${game}`), { "aria-pressed": String(game === help.game) }))),
    GAMES[help.game].map(([name, many, sign]) => el("section", { class: "card", id: name },
      el("h2", {}, icon(sign), " ", text(`help.${help.game}.${name}`)),
      Array.from({ length: many }, (_, index) => el("p", {}, text(`help.${help.game}.${name}.${index + 1}`))))),
    el("p", { class: "muted" }, text("help.own")), button("back", text("back"), { class: "wide" }))]);
}

await loadWords(null, "help");
followLanguage(draw);
onPress(document.body, async (action) => {
  const [name, argument] = (action ?? "").split("-");
  await ACTIONS[name]?.(argument);
  draw();
});
draw();
