/** What Vampire Empire brings to lobbies, overlays and dashboards. */
import "./names.js";

export const game = {
  minutes: 30,
  bots: ["random", "greedy"],
  winners: { vampire: "vampire_player" },
  needed: ({ seats }) => seats.map(({ seat }) => seat),
};
