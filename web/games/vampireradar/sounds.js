/** Sounds and spoken sentences of VampireRader's display. */

/** Sounds by event: a name, or a function that returns one. */
export const events = {
  pawn_walked: "tok",
  bullet_taken: "clink",
  pawns_killed: "scream",
  bat_eaten: "flap",
  shot_fired: ({ hit }) => (hit ? "groan" : "wind"),
  /** Dawn is the end of the vampire's turn. */
  turn_ended: ({ seat }) => (seat === "V" ? "bell" : null),
};

/** Events that are held back while this sound plays. */
export const before = { radar_called: "sweep", shot_fired: "heartbeat" };

/** Return whether the vampire's player makes this sound, or speaks this sentence, instead of the speaker. */
export const isLeftToPlayer = ({ own_groan: isOwn }, name) =>
  isOwn && /^(groan|wind|said\.shot_\w+)$/.test(name);

/** Recordings that name seats without a number. */
export const seats = { V: "vampire" };

/** Recordings by sentence: a name, or a function that returns several. */
export const spoken = {
  "said.vampire_placed": "hidden",
  "said.shot_hit": "hit",
  "said.shot_missed": "miss",
  "said.bullet_taken": "bullet",
  "said.night_over": "dawn",
  "said.pawns_killed": "killed",
  "said.bat_eaten": "bat",
  "said.radar_called": ({ distance }) => [`number.${distance}`],
  "said.human_eliminated": ({ seat }, call) => [call(seat), "out"],
  "said.turn_started": ({ seat }, call) => [call(seat)],
  "said.game_over.humans": "over.humans",
  "said.game_over.vampire": "over.vampire",
};
