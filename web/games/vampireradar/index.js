/** Vampire Radar's facts for lobbies, overlays and dashboards. */
import { loadGameWords } from "../../core/i18n.js";
import { isOnPaper } from "../../core/snapshot.js";
import "./snapshot.js";

const SECRET = "V";

/** @type {GameFacts} */
export const game = {
  minutes: 45,
  bots: ["greedy", "heuristic", "deep"],
  hasKit: true,
  /** The seat that answers on its own phone alone; it needs none when its path is kept on paper. */
  secretSeat: SECRET,
  /** The seat that a player is chosen for before the next game. */
  vampireSeat: SECRET,
  hasSecret: (seat) => seat === SECRET,
  /** The secret seat's path on paper: whether it is, and the options that turn it on or off. */
  paper: {
    isOn: isOnPaper,
    chosen: (isOn) => ({ path: isOn ? "paper" : "phone" }),
    loadTyping: () => import("./paper/typing.js"),
  },
  /** The seats that must be taken before the start, and its sentence. */
  needed: (snapshot) => (isOnPaper(snapshot) ? [] : [SECRET]),
  missing: () => "lobby.vampire",
  /** The module of its table display. */
  table: (snapshot) => (isOnPaper(snapshot) ? "vampireradar/paper/table" : "vampireradar/table"),
  /** A page beside the game: its address, and the words for it. */
  pages: { "/tiles": "tiles" },
  loadSetup: () => import("./tiles/field_setup.js"),
  loadSheet: async () => {
    const [{ sheetTable }] = await Promise.all([
      import("./tiles/sheet.js"),
      loadGameWords("vampireradar", "tiles"),
    ]);
    return sheetTable;
  },
  loadHandover: () => import("./paper/handover.js"),
  loadCommands: async () => (await import("./commands.js")).commands,
  loadDrawing: async () => (await import("./drawing/board.js")).drawField,
};
