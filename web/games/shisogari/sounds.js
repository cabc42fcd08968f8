/** Sounds and spoken sentences of Shisogari's display. */

/** Sounds by event. */
export const events = { card_picked: "tok", card_kept: "tok", pair_laid: "clink" };

/** Recordings by sentence. */
export const spoken = {
  /** @param {{seat: string}} params @param {(seat: string) => string | null} call */
  "event.turn_started": ({ seat }, call) => [call(seat)],
  "event.game_over.hunters": "over.hunters",
  "event.game_over.vampire": "over.vampires",
};
