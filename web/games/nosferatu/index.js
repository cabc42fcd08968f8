/** What Nosferatu brings to lobbies, overlays and dashboards. */
export const game = {
  minutes: 20,
  bots: ["random", "greedy", "search"],
  hasKit: true,
  loadDrawing: async () => (await import("./board.js")).drawBoard,
};
