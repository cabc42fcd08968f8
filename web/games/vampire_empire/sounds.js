/** Spoken sentences of Vampire Empire's display. */

/** Recordings by sentence. */
export const spoken = {
  "event.castle.turn.vampire": "night",
  "event.castle.turn.human": "day",
  "event.castle.over.vampire": "over.vampire",
  "event.castle.over.human": "over.humans",
  "event.castle.over.draw": "over.draw",
};
