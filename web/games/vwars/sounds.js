/** Spoken sentences of V-Wars's display. */

/** Recordings by sentence. */
export const spoken = {
  "said.vwars.turn": ({ seat }, call) => [call(seat)],
  "said.vwars.over.humans": "over.humans",
  "said.vwars.over.vampires": "over.vampires",
  "said.vwars.over.draw": "over.draw",
};
