/** Sounds and spoken sentences of Shisogari's display. */

/** Sounds by event. */
export const events = { card_picked: "tok", card_kept: "tok", pair_laid: "clink" };

/** Messages that are read as answers. */
export const answers = ["event.accused", "event.cards_shown", "event.pairs_counted"];

/** Recordings by sentence. */
export const spoken = {
  /** @param {{seat: string}} params @param {Names} names */
  "event.turn_started": ({ seat }, { call }) => [call(seat)],
  /** @param {any} event @param {Names} names */
  "event.item_named": ({ seat, item }, { call }) => [call(seat), `item.${item}`],
  /** @param {any} event @param {Names} names */
  "event.accused": ({ seat, suspect }, { call }) => [call(seat), "accuses", call(suspect)],
  "event.cards_shown": "cards_open",
  /** @param {any} event */
  "event.pairs_counted": ({ pairs, hunters }) => [
    "pairs",
    `number.${pairs}`,
    "hunters",
    `number.${hunters}`,
  ],
  "event.game_over.hunters": "over.hunters",
  "event.game_over.vampire": "over.vampires",
};
