/** Spoken sentences of Vampire Empire's display. */

/** Recordings by sentence. */
export const spoken = {
  "said.castle.turn.vampire": "night",
  "said.castle.turn.human": "day",
  "said.castle.over.vampire": "over.vampire",
  "said.castle.over.human": "over.humans",
  "said.castle.over.draw": "over.draw",
};
