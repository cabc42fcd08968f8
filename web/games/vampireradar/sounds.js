/** Sounds and spoken sentences of Vampire Radar's display. */

/** Sounds by event: a name, or a function that returns one. */
export const events = {
  pawn_walked: "tok",
  bullet_taken: "clink",
  pawns_killed: "scream",
  bat_eaten: "flap",
  /** @param {any} event */
  shot_fired: ({ hit }) => (hit ? "groan" : "wind"),
  /** Dawn is the end of the vampire's turn. @param {any} event */
  turn_ended: ({ seat }) => (seat === "V" ? "bell" : null),
};

/** Sounds while the answer to an event is held back. */
export const before = { radar_called: "sweep", shot_fired: "heartbeat" };

/**
 * Return whether the vampire's player makes this sound, or speaks this sentence, instead of the speaker.
 * @param {TableSettings} settings @param {string} name
 */
export const isLeftToPlayer = ({ player_groans: isOwn }, name) =>
  isOwn && /^(groan|wind|event\.shot_\w+)$/.test(name);

/** Recordings that name seats without a number. */
export const seats = { V: "vampire" };

/** Recordings by sentence: a name, or a function that returns several. */
export const spoken = {
  "event.vampire_placed": "hidden",
  "event.shot_hit": "hit",
  "event.shot_missed": "miss",
  "event.bullet_taken": "bullet",
  "event.night_over": "dawn",
  "event.pawns_killed": "killed",
  "event.bat_eaten": "bat",
  /** @param {any} event */
  "event.radar_called": ({ distance }) => [`number.${distance}`],
  /** @param {any} event @param {(seat: string) => string | null} call */
  "event.human_eliminated": ({ seat }, call) => [call(seat), "out"],
  /** @param {any} event @param {(seat: string) => string | null} call */
  "event.turn_started": ({ seat }, call) => [call(seat)],
  "event.game_over.humans": "over.humans",
  "event.game_over.vampire": "over.vampire",
};
