/**
 * Recompute a fair shuffle (companion/table/fairness/shuffle.py): the key from the sealed seed and
 * the phones' shares, and the seed of each draw. Pure.
 */
import { canonical, assert } from "./assert.js";
import { sha256 } from "./sha256.js";

const BLOCK = 64;
const HEX = { seed: /^[0-9a-f]{64}$/, share: /^[0-9a-f]{32}$/ };

/** @param {string} hex */
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {...Uint8Array} parts */
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/**
 * HMAC-SHA-256 (RFC 2104) of bytes, by a key of at most 64, as hex.
 * @param {Uint8Array} key @param {Uint8Array} message
 */
export function hmac(key, message) {
  /** @param {number} pad */
  const padded = (pad) => Uint8Array.from({ length: BLOCK }, (_, index) => (key[index] ?? 0) ^ pad);
  return sha256(joined(padded(0x5c), fromHex(sha256(joined(padded(0x36), message)))));
}

/** The source of one game's draws: `line` is the seed's, `shares` are hex by seat. */
export class Shuffle {
  #key;
  #next = 0;

  /** @param {string} line @param {Record<string, string>} shares */
  constructor(line, shares) {
    const { kind, seed, v, ...rest } = JSON.parse(line);
    assert(
      kind === "seed" && v === 1 && HEX.seed.test(seed) && canonical(rest) === "{}",
      "proof.seal",
    );
    assert(
      Object.values(shares).every((share) => HEX.share.test(share)),
      "proof.share",
    );
    const added = Object.keys(shares)
      .sort()
      .map((seat) => fromHex(shares[seat]));
    this.#key = fromHex(sha256(joined(fromHex(seed), ...added)));
  }

  /** Return the seed of the next draw; the first is the deal. */
  draw() {
    const drawn = hmac(this.#key, new TextEncoder().encode(String(this.#next)));
    this.#next += 1;
    return drawn;
  }
}
