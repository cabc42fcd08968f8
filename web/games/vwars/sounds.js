/** What the display of V-Wars says aloud. */

/** Sentences that were spoken beforehand. */
export const spoken = {
  "said.vwars.turn": ({ seat }, call) => [call(seat)],
  "said.vwars.over.humans": "over.humans",
  "said.vwars.over.vampires": "over.vampires",
  "said.vwars.over.draw": "over.draw",
};
