/** What a display tells of an update's events: their messages and their sounds. */
import { gameOf } from "../../games/index.js";

/** @type {Record<string, string>} */
const SOUNDS = { night_fell: "drone" };

/** An update without unannounced events. @param {Update} update @param {GameFacts} [gameFacts] */
export const news = ({ snapshot, events }, { unannounced = [] } = gameOf(snapshot.game)) => ({
  snapshot,
  events: events.filter(({ event }) => !unannounced.includes(event.event)),
});

/**
 * The sound of an event by a game's sounds ({events, before}), null without one.
 * @param {GameEvent} event @param {GameSounds} sounds
 */
export function soundOf(event, { events = {} }) {
  const sound = events[event.event] ?? SOUNDS[event.event] ?? null;
  return typeof sound === "function" ? sound(event) : sound;
}

/** The event whose answer everybody awaits, or null. @param {Update} update */
export const awaitedEvent = ({ snapshot, events }) =>
  events.find(({ position }) => position === snapshot.awaited)?.event ?? null;
