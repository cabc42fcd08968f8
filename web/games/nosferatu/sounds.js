/** Sounds and spoken sentences of Nosferatu's display. */

/** Sounds by event. */
export const events = { piece_entered: "tok", piece_moved: "tok", piece_jumped: "clink" };

/** Recordings that name seats without a number. */
export const seats = { vampires: "vampires", villagers: "villagers" };

/** Recordings by sentence. */
export const spoken = {
  /** @param {{seat: string}} parts @param {(seat: string) => string | null} call */
  "event.turn_started": ({ seat }, call) => [call(seat)],
  "event.game_over.vampires": "over.vampires",
  "event.game_over.villagers": "over.villagers",
};
