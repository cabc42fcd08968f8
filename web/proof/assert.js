/** Helpers of every check of a record: values in canonical form, and assertions. Pure. */
import { sha256 } from "./sha256.js";

/**
 * Return the canonical form of a value: ASCII JSON, keys sorted, no spaces
 * (companion/core/codec.py).
 * @param {any} value @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") {
    return JSON.stringify(value).replace(
      /[\u007f-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${canonical(key)}:${canonical(value[key])}`)
    .join(",")}}`;
}

/** Return the head after an event: the hash of both. @param {string} head @param {any} event */
export const headAfter = (head, event) => sha256(head + canonical(event));

/** @param {any} a @param {any} b */
export const same = (a, b) => canonical(a) === canonical(b);

export class ProofError extends Error {}

/**
 * Throw an error with a code of the catalogues unless a condition holds.
 * @param {any} holds @param {string} code @returns {asserts holds}
 */
export function assert(holds, code) {
  if (!holds) throw new ProofError(code);
}
