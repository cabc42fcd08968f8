/** Spoken sentences of V-Wars's display. */

/** Recordings by sentence. */
export const spoken = {
  /** @param {{seat: string}} params @param {(seat: string) => string | null} call */
  "event.vwars.turn": ({ seat }, call) => [call(seat)],
  "event.vwars.over.humans": "over.humans",
  "event.vwars.over.vampires": "over.vampires",
  "event.vwars.over.draw": "over.draw",
};
