/** What the last night brought, for the display to say until somebody acts. */
import { standing } from "./snapshot.js";

const DEEDS = ["pawns_killed", "bat_eaten"];
const ACTS = ["pawn_walked", "bullet_taken", "radar_called", "shot_fired", "turn_ended"];

/**
 * {isOver, deeds}: whether the night has been told to its end, and its kills and meals as entries of the log.
 * Null when humans have acted since, and for the night in which the vampire only hid.
 */
export function nightSummary(log) {
  const entries = standing(log);
  const night = entries.slice(
    entries.findLastIndex(({ event }) => event.event === "night_fell") + 1,
  );
  if (
    night.length === entries.length ||
    night.some(({ event }) => event.event === "vampire_placed")
  )
    return null;
  if (night.some(({ event }) => ACTS.includes(event.event) && event.seat !== "V")) return null;
  return {
    isOver: night.some(({ event }) => event.event === "turn_ended"),
    deeds: night.filter(({ event }) => DEEDS.includes(event.event)),
  };
}
