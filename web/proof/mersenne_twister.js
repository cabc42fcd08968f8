/**
 * A second implementation of the table's random generator (the Mersenne twister, seeded by a string
 * as in Python): the seed in a record must give the same cards. Pure.
 */
import { sha512 } from "./sha512.js";

const [WORDS, SHIFT] = [624, 397];

/** @param {number} seed */
function started(seed) {
  const state = new Uint32Array(WORDS);
  state[0] = seed;
  for (let index = 1; index < WORDS; index += 1)
    state[index] = Math.imul(1812433253, state[index - 1] ^ (state[index - 1] >>> 30)) + index;
  return state;
}

/** Return the state from words, the least significant first. @param {number[]} key */
function mixed(key) {
  const state = started(19650218);
  let [index, at] = [1, 0];
  const next = () => {
    index += 1;
    if (index >= WORDS) [state[0], index] = [state[WORDS - 1], 1];
  };
  const before = () => state[index - 1] ^ (state[index - 1] >>> 30);
  for (let left = Math.max(WORDS, key.length); left; left -= 1) {
    state[index] = (state[index] ^ Math.imul(before(), 1664525)) + key[at] + at;
    at = (at + 1) % key.length;
    next();
  }
  for (let left = WORDS - 1; left; left -= 1) {
    state[index] = (state[index] ^ Math.imul(before(), 1566083941)) - index;
    next();
  }
  state[0] = 0x80000000;
  return state;
}

/** A string's number as words: its bytes and their SHA-512. @param {string} text */
function keyOf(text) {
  const bytes = new TextEncoder().encode(text);
  const whole = [...bytes, ...sha512(bytes)].reverse();
  const words = [];
  for (let at = 0; at < whole.length; at += 4)
    words.push(
      ((whole[at] ?? 0) |
        ((whole[at + 1] ?? 0) << 8) |
        ((whole[at + 2] ?? 0) << 16) |
        ((whole[at + 3] ?? 0) << 24)) >>>
        0,
    );
  while (words.length > 1 && words.at(-1) === 0) words.pop();
  return words;
}

/** The generator of a seed, which is a string. */
export class Generator {
  #state;
  #index = 0;

  /** @param {string} seed */
  constructor(seed) {
    this.#state = mixed(keyOf(seed));
  }

  #word() {
    const [state, index] = [this.#state, this.#index];
    const far = (index + SHIFT) % WORDS;
    const joined = (state[index] & 0x80000000) | (state[(index + 1) % WORDS] & 0x7fffffff);
    state[index] = state[far] ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
    let word = state[index];
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    this.#index = (index + 1) % WORDS;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /** A whole number below `count`. @param {number} count */
  below(count) {
    const bits = Math.ceil(Math.log2(count + 1));
    for (;;) {
      const drawn = this.#word() >>> (32 - bits);
      if (drawn < count) return drawn;
    }
  }

  /** @param {any[]} list */
  choice(list) {
    return list[this.below(list.length)];
  }

  /**
   * Draw `count` entries, each once, in the order in which they are drawn.
   * @param {any[]} list @param {number} count
   */
  sample(list, count) {
    // A few of many are drawn until they differ, others from a pool; the limit between the two is
    // Python's.
    if (list.length > 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0)) {
      const drawn = new Set();
      while (drawn.size < count) drawn.add(this.below(list.length));
      return [...drawn].map((at) => list[at]);
    }
    const pool = [...list];
    return Array.from({ length: count }, (_, done) => {
      const at = this.below(pool.length - done);
      const item = pool[at];
      pool[at] = pool[pool.length - done - 1];
      return item;
    });
  }

  /** A list in another order. @param {any[]} list */
  shuffled(list) {
    const mixedUp = [...list];
    for (let last = mixedUp.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [mixedUp[last], mixedUp[other]] = [mixedUp[other], mixedUp[last]];
    }
    return mixedUp;
  }
}

/** Return the element that a seed's generator chooses. @param {string} seed @param {any[]} list */
export const chosen = (seed, list) => new Generator(seed).choice(list);
