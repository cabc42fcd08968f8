/** Manhunt's facts for lobbies, overlays and dashboards. */
import "./names.js";
import { isOnPaper } from "../../core/snapshot.js";
import { text } from "../../core/i18n.js";

const SECRET = "F";

/** The places of a sealed path, which has the ways between them. @param {string[]} path */
export const cellsOf = (path) => path.filter((_, index) => index % 2 === 0);

/** A secret turn in words; a sealed path has the ways between places. @param {TurnInWords} turn */
function turnText({ path, when: { round, night }, isSealed = false }) {
  const cells = isSealed ? cellsOf(path) : path;
  const kinds = isSealed ? path.filter((_, index) => index % 2 === 1) : [];
  const name = text(`page.${round ? "round" : "start"}${night ? ".night" : ""}`, { round, night });
  const ways = kinds.map((kind) => text("way", { kind })).join(", ");
  return text("notes.path", {
    night: name,
    path: `${cells.join(" → ") || "–"}${ways && ` (${ways})`}`,
  });
}

/** @type {GameFacts} */
export const game = {
  minutes: 45,
  bots: ["random", "greedy", "search"],
  hasKit: true,
  /** The seat that answers on its own phone alone. */
  secretSeat: SECRET,
  /** The seat that a player is chosen for before the next game. */
  vampireSeat: SECRET,
  hasSecret: (seat) => seat === SECRET,
  /** The path on paper: whether it is, the options for it, and the module for typing it. */
  paper: {
    isOn: isOnPaper,
    chosen: (isOn) => ({ path: isOn ? "paper" : "phone" }),
    loadTyping: () => import("./paper/typing.js"),
  },
  needed: (snapshot) => (isOnPaper(snapshot) ? [] : [SECRET]),
  table: (snapshot) => (isOnPaper(snapshot) ? "manhunt/paper/table" : "manhunt/table"),
  loadCommands: async () => (await import("./commands.js")).commands,
  missing: () => "lobby.fugitive",
  /** The fugitive's turn is no night: it is not announced as one. */
  unannounced: ["night_fell", "night_sealed"],
  showsMover: true,
  turnText,
  /** Nobody holds cards on a map from a file, so bots may sit. */
  hasRealCards: () => false,
  /** A page beside the game: its address, and the words for it. */
  pages: { "/map-editor": "map.editor" },
};
