/** Shisogari's facts for lobbies, overlays and dashboards. @param {{lobby?: Lobby}} snapshot */
const hasRealCards = ({ lobby }) => lobby?.options?.hands === "cards";

/** @type {GameFacts} */
export const game = {
  minutes: 20,
  bots: ["random", "heuristic", "search"],
  /** Placing a card is no night: it is not announced. */
  unannounced: ["night_fell", "night_sealed"],
  /** Who is to move is public even while a secret turn is awaited. */
  showsMover: true,
  winners: { vampire: "vampires_side" },
  hasRealCards,
  hasWallStyle: true,
  loadDrawing: async () => (await import("./round_table.js")).drawTable,
  /** The option whether real cards are in the hands. */
  cards: { name: "hands", real: "cards", ours: "phones" },
  needed: ({ lobby, seats }) => (hasRealCards({ lobby }) ? [] : seats.map(({ seat }) => seat)),
};
