/** Spoken sentences of V-Wars's display. */

/** Messages that are read as answers. */
export const answers = [
  "event.turned_public",
  "event.investigated",
  "event.awakened",
  "event.election_held",
  "event.riot_ended",
  "event.control_changed",
];

/** Recordings by sentence. */
export const spoken = {
  /** @param {{seat: string}} params @param {Names} names */
  "event.turn_started": ({ seat }, { call }) => [call(seat)],
  "event.game_over.humans": "over.humans",
  "event.game_over.vampires": "over.vampires",
};
