/** Nosferatu's facts for lobbies, overlays and dashboards. */
import "./names.js";

/** @type {GameFacts} */
export const game = {
  minutes: 20,
  bots: ["random", "heuristic", "search"],
  hasKit: true,
  /** The seat that a player is chosen for before the next game. */
  vampireSeat: "vampires",
  hasSecret: () => false,
  loadCommands: async () => (await import("./commands.js")).commands,
  loadDrawing: async () => (await import("./board.js")).drawBoard,
};
