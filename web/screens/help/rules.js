/**
 * The rules of the running game, on a phone during it. The phone's own page stays active behind
 * them, with its seat, its draft and its messages of the night; votes appear here
 * too.
 */
import { chapterList, loadChapters } from "./chapters.js";
import { button, CLOSES, deviceButtons, votePanel } from "../../core/controls.js";
import { chosenOptions, valueText } from "../host/options.js";
import { h } from "../../core/dom.js";
import { loadWords, text } from "../../core/i18n.js";

/**
 * Load the words, the style sheet and the rules of a game; return what describes the page.
 * @param {string} game @returns {Promise<(snapshot: Snapshot, seat: string) => Child>}
 */
export async function loadRulesPage(game) {
  const rules = await loadChapters(game);
  await loadWords(null, "help", "settings");
  if (!document.getElementById("help"))
    document.head.append(
      Object.assign(document.createElement("link"), {
        id: "help",
        rel: "stylesheet",
        href: "/static/screens/help/help.css",
      }),
    );
  return (snapshot, seat) => rulesPage(snapshot, seat, rules);
}

/**
 * Describe the page: a function of the public snapshot, the seat and the game's rules.
 * @param {Snapshot} snapshot @param {string} seat
 * @param {Awaited<ReturnType<typeof loadChapters>>} rules
 */
export const rulesPage = (snapshot, seat, rules) =>
  h(
    "main.help",
    h("div.tools", deviceButtons()),
    votePanel(snapshot, seat),
    h("h1#rules", text(`game.${snapshot.game}`)),
    agreed(chosenOptions(snapshot, rules.options)),
    chapterList(snapshot.game, rules),
    h("div.foot.row", button("back", text("back"), { class: "prime", ...CLOSES })),
  );

/** The options that differ from the chapters at this table. @param {any[][]} options */
const agreed = (options) =>
  options.length > 0 &&
  h(
    "section#agreed.card",
    h("h2", text("help.agreed")),
    options.map(([name, value]) =>
      h("p", text(`option.${name}`), ": ", h("b", valueText(`option.${name}`, value))),
    ),
  );
