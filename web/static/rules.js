/**
 * The rules of the game that is played, read on a phone in the middle of it. Its own page lives on behind them, with its
 * seat, its draft and its messages of the night; what everybody is asked is asked here too.
 */
import { chapters } from "./chapters.js";
import { button, consentPanel, deviceButtons } from "./choices.js";
import { el } from "./tree.js";
import { loadWords, text } from "./words.js";

/** Load the words, and the few rules of style. */
export async function readyRules() {
  await loadWords(null, "help");
  if (document.getElementById("help")) return;
  document.head.append(Object.assign(document.createElement("link"), { id: "help", rel: "stylesheet", href: "/static/help.css" }));
}

/** Describe the page: a function of the public picture and the seat. */
export const rulesPage = (picture, seat) => el("main", { class: "help" },
  el("div", { class: "tools" }, deviceButtons()), consentPanel(picture, seat),
  el("h1", { id: "rules", tabindex: "-1" }, text(`game.${picture.game}`)),
  chapters(picture.game),
  el("div", { class: "foot row" }, button("back", text("back"), { class: "prime" })));
