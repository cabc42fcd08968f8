/** Read VampireRader's public snapshot, by pure functions; give its secret seat a shape. */
import { useNames } from "../../core/names.js";
import { standing as standingBy } from "../../core/snapshot.js";

useNames({ shapes: { V: "vampire" } });

const ACTS = [
  "pawn_walked",
  "bullet_taken",
  "radar_called",
  "shot_fired",
  "turn_ended",
  "paper_taken_up",
];

/** The events of the log that still stand. */
export const standing = (log) =>
  standingBy(
    log,
    ({ event, seat }) => ACTS.includes(event) && !(event === "turn_ended" && seat === "V"),
  );

const TOLD = ["radar_called", "shot_fired", "pawns_killed", "bat_eaten"];

/** The last disclosure of the vampire that stands, as {event, message}; null before the first one. */
export const lastAnswer = ({ answer }) => (TOLD.includes(answer?.event.event) ? answer : null);
