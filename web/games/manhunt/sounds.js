/** Sounds and spoken sentences of Manhunt's display. */

/** Sounds by event. */
export const events = {
  pawn_walked: "tok",
  fugitive_shown: "bell",
  target_reached: "bell",
  hideout_reached: "bell",
  question_answered: "clink",
  fugitive_caught: "groan",
};

/** Recordings by sentence. */
export const spoken = {
  /** @param {{seat: string}} params @param {(seat: string) => string | null} call */
  "event.turn_started": ({ seat }, call) => [call(seat)],
};
