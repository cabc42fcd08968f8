/** What Vampire Empire brings to lobbies, overlays and dashboards. */
export const game = {
  minutes: 30,
  table: () => "vampire_empire/table",
  bots: ["random", "greedy"],
  hasWords: true,
  winners: { vampire: "vampire_player" },
  needed: ({ seats }) => seats.map(({ seat }) => seat),
};
