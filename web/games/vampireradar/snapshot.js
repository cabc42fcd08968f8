/** Read Vampire Radar's public snapshot, by pure functions; give its secret seat a shape. */
import { message, text, useNames } from "../../core/i18n.js";
import { standing as standingBy } from "../../core/snapshot.js";

useNames({ shapes: { V: "vampire" } });

const ANSWERS = ["radar_called", "shot_fired"];
/** Milliseconds for which the display shows a last shot's result, or a last dawn, before who has won. */
export const END_MS = 2500;

/** The events that disclose the vampire's actions in a night. */
export const ANNOUNCED = ["pawns_killed", "bat_eaten"];
const ACTS = ["pawn_walked", "bullet_taken", ...ANSWERS, "turn_ended"];

/** The events of the log that still stand. @param {LogEntry[]} log */
export const standing = (log) =>
  standingBy(
    log,
    ({ event, seat }) =>
      event === "switched_to_paper" ||
      (ACTS.includes(event) && !(event === "turn_ended" && seat === "V")),
  );

/**
 * The last disclosure of the vampire that stands, as {event, message}; null before the first one.
 * @param {{answer?: any}} snapshot @returns {LogEntry | null}
 */
export const lastAnswer = ({ answer }) =>
  [...ANSWERS, ...ANNOUNCED].includes(answer?.event.event) ? answer : null;

/** The last shot; undefined without one. @param {{log: LogEntry[]}} snapshot @returns {any} */
export const lastShot = ({ log }) =>
  log.findLast(({ event }) => event.event === "shot_fired")?.event;

/**
 * {isOver, announced, isActed, isAnswered}: whether the last night has been published to its end, its kills and meals as entries of
 * the log, and whether humans have acted and were answered since.
 * Null for the night in which the vampire only hid, and where the log begins after the night.
 * @param {LogEntry[]} log
 * @returns {{isOver: boolean, announced: any[], isActed: boolean, isAnswered: boolean} | null}
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
  /** @param {string[]} names */
  const is = (names) =>
    night.some(({ event }) => names.includes(event.event) && event.seat !== "V");
  return {
    isOver: night.some(({ event }) => event.event === "turn_ended"),
    announced: night.filter(({ event }) => ANNOUNCED.includes(event.event)),
    isActed: is(ACTS),
    isAnswered: is(ANSWERS),
  };
}

/** The last night until a human acts; null then. @param {LogEntry[]} log */
export function nightSummary(log) {
  const night = lastNight(log);
  return night?.isActed ? null : night;
}

/** The answer since the last night, as {event, message}, or null. @param {Snapshot} snapshot */
export const todaysAnswer = (snapshot) =>
  (lastNight(snapshot.log)?.isAnswered ?? true) ? lastAnswer(snapshot) : null;

/** The last night's disclosed events, in words. @param {{log: LogEntry[]}} snapshot */
export function dawnWords({ log }) {
  const { isOver, announced } = lastNight(log) ?? { announced: [] };
  if (isOver && !announced.length) return [text("night.quiet")];
  return announced.flatMap((each, index) => [index ? " " : "", ...message(each.message)]);
}
