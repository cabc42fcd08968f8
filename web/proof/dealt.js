/** Compare every public event with a sealed deal. Later draws are not computed. */
import { assert, same } from "./assert.js";

/** Whether two piles have the same cards. @param {string[]} one @param {string[]} other */
export const isSameHeap = (one, other) => same([...one].sort(), [...other].sort());

/** The number of cards in each pile. @param {Record<string, string[]>} piles */
export const sizes = (piles) =>
  Object.fromEntries(Object.entries(piles).map(([name, pile]) => [name, pile.length]));

export class Dealt {
  /** @param {{deal: any, content: any}} parts */
  constructor({ deal, content }) {
    this.deal = deal;
    this.isBox = !content;
  }

  /** Whether this deal could have been dealt. */
  isDeal() {
    return true;
  }

  /**
   * Check one public event and count it.
   * @param {GameEvent} _event @param {Record<string, number>} _count
   */
  hear(_event, _count) {}

  copy() {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), structuredClone({ ...this }));
  }

  /** @param {RecordLine} recordLine @param {Record<string, number>} count */
  begin({ public: events }, count) {
    assert(this.isDeal() && events[0].event === "game_set_up", "proof.deal");
    this.happen({ public: events }, count);
  }

  /** @param {RecordLine} recordLine @param {Record<string, number>} count */
  act({ public: events }, count) {
    this.happen({ public: events }, count);
    return null;
  }

  /** @param {RecordLine} recordLine @param {Record<string, number>} count */
  happen({ public: events }, count) {
    for (const event of events) this.hear(event, count);
  }
}
