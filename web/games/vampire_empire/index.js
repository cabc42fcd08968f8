/** Vampire Empire's facts for lobbies, overlays and dashboards. */
import "./names.js";

/** @type {GameFacts} */
export const game = {
  minutes: 30,
  bots: ["random", "heuristic", "search"],
  /** The seat that a player is chosen for before the next game. */
  vampireSeat: "vampire",
  winners: { vampire: "vampire_player" },
  hasWallStyle: true,
  loadDrawing: async () => (await import("./characters.js")).drawTable,
  needed: ({ seats }) => seats.map(({ seat }) => seat),
};
