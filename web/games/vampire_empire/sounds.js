/** Spoken sentences of Vampire Empire's display. */

/** Messages that are read as answers. */
export const answers = [
  "event.vampire_revealed",
  "event.holy_water_answered",
  "event.both_live",
  "event.character_died",
  "event.player_out",
];

/** Recordings by sentence. */
export const spoken = {
  "event.turn_started.vampire": "night",
  "event.turn_started.human": "day",
  "event.game_over.vampire": "over.vampire",
  "event.game_over.human": "over.humans",
};
