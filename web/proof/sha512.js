/** SHA-512 (FIPS 180-4) in whole numbers: the generator's seeds need it. Pure. */

const MASK = (1n << 64n) - 1n;
const PRIMES = Array.from({ length: 410 }, (_, n) => n)
  .filter((n) => n > 1 && ![...Array(n).keys()].slice(2).some((divisor) => n % divisor === 0))
  .slice(0, 80);

/** The first 64 bits of a root's fractional part. @param {number} prime @param {bigint} degree */
function fraction(prime, degree) {
  const power = BigInt(prime) << (64n * degree);
  let [low, high] = [0n, 1n << 72n];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= power) low = middle;
    else high = middle;
  }
  return low & MASK;
}

const START = PRIMES.slice(0, 8).map((prime) => fraction(prime, 2n));
const ROUNDS = PRIMES.map((prime) => fraction(prime, 3n));
/** @type {(word: bigint, bits: bigint) => bigint} */
const turned = (word, bits) => ((word >> bits) | (word << (64n - bits))) & MASK;

/** The SHA-512 of bytes, as 64 bytes. @param {Uint8Array} bytes */
export function sha512(bytes) {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 17) / 128) * 128);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setBigUint64(blocks.length - 8, BigInt(bytes.length * 8));
  const hash = [...START];
  for (let offset = 0; offset < blocks.length; offset += 128) {
    const words = Array.from({ length: 16 }, (_, index) => view.getBigUint64(offset + 8 * index));
    for (let index = 16; index < 80; index += 1) {
      const [early, late] = [words[index - 15], words[index - 2]];
      words.push(
        (words[index - 16] +
          (turned(early, 1n) ^ turned(early, 8n) ^ (early >> 7n)) +
          words[index - 7] +
          (turned(late, 19n) ^ turned(late, 61n) ^ (late >> 6n))) &
          MASK,
      );
    }
    let [a, b, c, d, e, f, g, h] = hash;
    words.forEach((word, index) => {
      const first =
        h +
        (turned(e, 14n) ^ turned(e, 18n) ^ turned(e, 41n)) +
        ((e & f) ^ (~e & MASK & g)) +
        ROUNDS[index] +
        word;
      const second =
        (turned(a, 28n) ^ turned(a, 34n) ^ turned(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) & MASK, c, b, a, (first + second) & MASK];
    });
    [a, b, c, d, e, f, g, h].forEach((word, index) => {
      hash[index] = (hash[index] + word) & MASK;
    });
  }
  const digest = new DataView(new ArrayBuffer(64));
  hash.forEach((word, index) => digest.setBigUint64(8 * index, word));
  return new Uint8Array(digest.buffer);
}
