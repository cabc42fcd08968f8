/** Spoken sentences of Vampire Empire's display. */

/** Recordings by sentence. */
export const spoken = {
  "event.turn_started.vampire": "night",
  "event.turn_started.human": "day",
  "event.game_over.vampire": "over.vampire",
  "event.game_over.human": "over.humans",
};
