/** What the display of Vampire Empire says aloud. */

/** Sentences that were spoken beforehand. */
export const spoken = {
  "said.castle.turn.vampire": "night",
  "said.castle.turn.human": "day",
  "said.castle.over.vampire": "over.vampire",
  "said.castle.over.human": "over.humans",
  "said.castle.over.draw": "over.draw",
};
