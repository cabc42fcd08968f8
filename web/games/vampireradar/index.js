/** What VampireRadar brings to lobbies, overlays and dashboards. */
import { isOnPaper } from "../../core/snapshot.js";

export const game = {
  minutes: 45,
  bots: ["greedy", "heuristic", "search", "deep"],
  hasKit: true,
  hasPaper: true,
  /** The seat that answers on its own phone alone; it needs none when its path is kept on paper. */
  secretSeat: "V",
  /** The seats that must be taken before the start, and the sentence that says so. */
  needed: (picture) => (isOnPaper(picture) ? [] : ["V"]),
  missing: () => "lobby.vampire",
  /** The module of its table display. */
  table: (picture) => (isOnPaper(picture) ? "vampireradar/paper/table" : "vampireradar/table"),
  loadDrawing: async () => (await import("./board.js")).drawField,
};
