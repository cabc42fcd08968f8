/** What the last night brought, for the display to say until somebody acts. */
import { standing } from "./snapshot.js";

const DEEDS = ["pawns_killed", "bat_eaten"];
const ACTS = ["pawn_walked", "bullet_taken", "radar_called", "shot_fired", "turn_ended"];

const ANSWERS = ["radar_called", "shot_fired"];

/**
 * {isOver, deeds, isActed, isAnswered}: whether the last night has been told to its end, its kills and meals as entries of
 * the log, and whether humans have acted and were answered since.
 * Null for the night in which the vampire only hid, and where the log begins after the night.
 */
export function lastNight(log) {
  const entries = standing(log);
  const night = entries.slice(
    entries.findLastIndex(({ event }) => event.event === "night_fell") + 1,
  );
  if (
    night.length === entries.length ||
    night.some(({ event }) => event.event === "vampire_placed")
  )
    return null;
  const is = (names) =>
    night.some(({ event }) => names.includes(event.event) && event.seat !== "V");
  return {
    isOver: night.some(({ event }) => event.event === "turn_ended"),
    deeds: night.filter(({ event }) => DEEDS.includes(event.event)),
    isActed: is(ACTS),
    isAnswered: is(ANSWERS),
  };
}

/** The last night until a human acts; null then. */
export function nightSummary(log) {
  const night = lastNight(log);
  return night?.isActed ? null : night;
}
