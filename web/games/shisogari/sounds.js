/** Sounds and spoken sentences of Shisogari's display. */

/** Sounds by event. */
export const events = { card_picked: "tok", card_kept: "tok", pair_laid: "clink" };

/** Messages that are read as answers. */
export const answers = ["event.accused", "event.cards_shown", "event.pairs_counted"];

/** Recordings by sentence. */
export const spoken = {
  /** @param {{seat: string}} params @param {Names} names */
  "event.turn_started": ({ seat }, { call }) => [call(seat)],
  "event.game_over.hunters": "over.hunters",
  "event.game_over.vampire": "over.vampires",
};
