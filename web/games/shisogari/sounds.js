/** What the display of Shisogari sounds and says aloud. */

/** Sounds of events. */
export const events = { card_picked: "tok", card_kept: "tok", pair_laid: "clink" };

/** Sentences that were spoken beforehand. */
export const spoken = {
  "said.player_to_move": ({ seat }, call) => [call(seat)],
  "said.game_over.hunters": "over.hunters",
  "said.vampires_side_wins": "over.vampires",
};
