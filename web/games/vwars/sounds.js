/** Spoken sentences of V-Wars's display. */

/** Recordings by sentence. */
export const spoken = {
  /** @param {{seat: string}} params @param {(seat: string) => string | null} call */
  "event.turn_started": ({ seat }, call) => [call(seat)],
  "event.game_over.humans": "over.humans",
  "event.game_over.vampires": "over.vampires",
};
