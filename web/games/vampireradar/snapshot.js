/** Read VampireRader's public snapshot, by pure functions; give its secret seat a shape. */
import { useNames } from "../../core/names.js";
import { standing as standingBy } from "../../core/snapshot.js";

useNames({ shapes: { V: "vampire" } });

/** Whether the vampire plays on paper, in the game that is played or proposed. */
export const isOnPaper = ({ view, lobby }) => (view ?? lobby).options?.path === "paper";

/** Whether there is something sealed to open after the game: on paper only what was sealed before it. */
export const isSealed = (snapshot) => !isOnPaper(snapshot) || Boolean(snapshot.seal);

/** Whether all are asked to go on on paper, or do: the words for it are loaded. */
export const hasPaper = (snapshot) =>
  isOnPaper(snapshot) || snapshot.undo?.asked?.what === "on_paper";

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
