/**
 * Shows updates one after the other. Answers that depend on a secret are delayed: the same time
 * with the same sound for hit and miss, and hearts change together with the groan, never before it.
 */
import { gameOf, soundsOf } from "../../games/index.js";

const PAUSE_MS = 1200;
/** @type {Record<string, string>} */
const SOUNDS = { night_fell: "drone" };
const BEHIND = 6;

/**
 * An update without the events that have no message in this game.
 * @param {Update} update
 * @param {GameFacts} [gameFacts]
 */
export const news = ({ snapshot, events }, { unannounced = [] } = gameOf(snapshot.game)) => ({
  snapshot,
  events: events.filter(({ event }) => !unannounced.includes(event.event)),
});

/**
 * The sound of an event by a game's sounds ({events, before}), null without one.
 * @param {GameEvent} event
 * @param {GameSounds} sounds
 */
export function soundOf(event, { events = {} }) {
  const sound = events[event.event] ?? SOUNDS[event.event] ?? null;
  return typeof sound === "function" ? sound(event) : sound;
}

/**
 * The delayed event of an update, null without one.
 * @param {LogEntry[]} events
 * @param {GameSounds} gameSounds
 */
export function awaited(events, { before = {} }) {
  return events.map(({ event }) => event).find(({ event }) => event in before) ?? null;
}

export class UpdateQueue {
  /** @type {any[]} */
  #queue = [];
  #busy = false;
  #failed = null;

  /**
   * `show(update, pending event or null)` draws, `play(sound)` sounds, `wait(ms)` resolves later.
   * @param {{show: (update: any, pending: GameEvent | null) => unknown, play: (sound: string) => unknown, wait: (ms: number) => Promise<unknown>}} parts
   */
  constructor({ show, play, wait }) {
    this.show = show;
    this.play = play;
    this.wait = wait;
  }

  /**
   * Show an update after those before it; rejects with the first error, after all are shown.
   * @param {Update} update
   */
  async add(update) {
    this.#queue.push(update);
    if (this.#busy) return;
    this.#busy = true;
    while (this.#queue.length) await this.#present(this.#queue.shift());
    this.#busy = false;
    const failed = this.#failed;
    this.#failed = null;
    if (failed) throw failed;
  }

  /** @param {Update} update */
  async #present(update) {
    const sounds = soundsOf(update.snapshot.game);
    const event = awaited(update.events, sounds);
    const sound = event && sounds.before?.[event.event];
    if (sound && this.#queue.length < BEHIND) {
      await this.#try(() => this.show(null, event));
      await this.#try(() => this.play(sound));
      await this.#try(() => this.wait(PAUSE_MS));
    }
    await this.#try(() => this.show(update, null));
    for (const each of update.events) {
      const sound = soundOf(each.event, sounds);
      if (sound) await this.#try(() => this.play(sound));
    }
  }

  /**
   * Run one step; its failure does not stop the next ones.
   * @param {() => unknown} step
   */
  async #try(step) {
    try {
      await step();
    } catch (error) {
      this.#failed ??= error;
    }
  }
}
