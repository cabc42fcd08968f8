/** Spoken sentences of Vampire Empire's display. */

/** Recordings by sentence. */
export const spoken = {
  "event.vampire_empire.turn.vampire": "night",
  "event.vampire_empire.turn.human": "day",
  "event.vampire_empire.over.vampire": "over.vampire",
  "event.vampire_empire.over.human": "over.humans",
  "event.vampire_empire.over.draw": "over.draw",
};
