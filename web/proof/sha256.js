// SHA-256 (FIPS 180-4), because crypto.subtle is missing on plain http. With it a page computes
// heads and checks seals by itself.

const ROUNDS = new Uint32Array(64);
const START = new Uint32Array(8);

// The constants are the first 32 bits of the fractional parts of the cube roots (rounds) and
// square roots (start) of the first primes.
/** @param {number} root */
function fractionalBits(root) {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

for (let count = 0, candidate = 2; count < 64; candidate += 1) {
  let prime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) {
    if (candidate % divisor === 0) prime = false;
  }
  if (!prime) continue;
  if (count < 8) START[count] = fractionalBits(Math.sqrt(candidate));
  ROUNDS[count] = fractionalBits(Math.cbrt(candidate));
  count += 1;
}

/** @param {number} word @param {number} bits */
const rotate = (word, bits) => (word >>> bits) | (word << (32 - bits));

/** @param {Uint8Array} bytes */
function padded(bytes) {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(blocks.length - 4, bytes.length << 3);
  return view;
}

/** @param {DataView} view @param {number} offset */
function schedule(view, offset) {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(offset + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [words[i - 15], words[i - 2]];
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16] + small + words[i - 7] + large;
  }
  return words;
}

/** @param {Uint32Array} hash @param {Uint32Array} words */
function compress(hash, words) {
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const first =
      (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUNDS[i] + words[i]) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    hash[i] += word;
  });
}

/**
 * The SHA-256 of bytes, or of a string's UTF-8, as 64 lowercase hex digits.
 * @param {Uint8Array|string} message @returns {string}
 */
export function sha256(message) {
  const view = padded(typeof message === "string" ? new TextEncoder().encode(message) : message);
  const hash = START.slice();
  for (let offset = 0; offset < view.byteLength; offset += 64)
    compress(hash, schedule(view, offset));
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}
