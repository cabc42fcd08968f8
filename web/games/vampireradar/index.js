/** What VampireRadar brings to lobbies, overlays and dashboards. */
import { isOnPaper } from "../../core/snapshot.js";

export const game = {
  minutes: 45,
  bots: ["greedy", "heuristic", "search", "deep"],
  takesPrograms: true,
  hasKit: true,
  hasPaper: true,
  /** The seat that needs no phone when its path is kept on paper. */
  paperSeat: "V",
  /** The seats that must be taken before the start, and the sentence that says so. */
  needed: (picture) => (isOnPaper(picture) ? [] : ["V"]),
  missing: () => "lobby.vampire",
  /** The module of its table display; none while the shared one is its own. */
  table: (picture) => (isOnPaper(picture) ? "vampireradar/paper/table" : null),
  loadDrawing: async () => (await import("./board.js")).drawField,
};
