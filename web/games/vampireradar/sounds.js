/** What the display of VampireRader sounds and says aloud. */

/** Sounds of events: the name of one, or what chooses it. */
export const events = {
  pawn_walked: "tok",
  bullet_taken: "clink",
  pawns_killed: "scream",
  bat_eaten: "flap",
  shot_fired: ({ hit }) => (hit ? "groan" : "wind"),
  /** Dawn is the end of the vampire's turn. */
  turn_ended: ({ seat }) => (seat === "V" ? "bell" : null),
};

/** Answers that are held back for as long as this sound lasts. */
export const before = { radar_called: "sweep", shot_fired: "heartbeat" };

/** Whether the vampire's player makes a sound, or says a sentence, instead of the speaker. */
export const isLeftToPlayer = ({ own_groan: isOwn }, name) =>
  isOwn && /^(groan|wind|said\.shot_\w+)$/.test(name);

/** Seats that are called otherwise than by their number. */
export const seats = { V: "vampire" };

/** Sentences that were spoken beforehand: the name of one, or what chooses them. */
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
