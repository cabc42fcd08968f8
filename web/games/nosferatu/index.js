/** What Nosferatu brings to lobbies, overlays and dashboards. */
import "./names.js";

export const game = {
  minutes: 20,
  bots: ["random", "greedy", "search"],
  hasKit: true,
  hasSecret: () => false,
  loadDrawing: async () => (await import("./board.js")).drawBoard,
};
