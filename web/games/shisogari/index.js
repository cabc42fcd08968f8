/** What Shisogari brings to lobbies, overlays and dashboards. */
export const game = {
  minutes: 20,
  bots: ["random", "greedy", "heuristic"],
  hasWords: true,
  hasTutorial: true,
  /** Placing a card is no night: nobody hears of it. */
  unheard: ["night_fell", "night_sealed"],
  /** Who is to move is public even while a secret turn is awaited. */
  showsMover: true,
  winners: { vampire: "vampires_side" },
  needed: ({ lobby, seats }) =>
    lobby.options.hands === "cards" ? [] : seats.map(({ seat }) => seat),
};
