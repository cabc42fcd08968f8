/** Sounds and spoken sentences of Shisogari's display. */

/** Sounds by event. */
export const events = { card_picked: "tok", card_kept: "tok", pair_laid: "clink" };

/** Messages that are read as answers. */
export const answers = ["event.accused", "event.cards_shown", "event.pairs_counted"];

/** Recordings by sentence. @type {Record<string, Recording>} */
export const spoken = {
  "event.turn_started": ({ seat }, { call }) => [call(seat)],
  "event.item_named": ({ seat, item }, { call }) => [call(seat), `item.${item}`],
  "event.accused": ({ seat, suspect }, { call }) => [call(seat), "accuses", call(suspect)],
  "event.cards_shown": "cards_open",
  "event.pairs_counted": ({ pairs, hunters }) => [
    "pairs",
    `number.${pairs}`,
    "hunters",
    `number.${hunters}`,
  ],
  "event.game_over.hunters": "over.hunters",
  "event.game_over.vampire": "over.vampires",
};
