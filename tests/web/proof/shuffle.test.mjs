import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Generator } from "../../../web/proof/mersenne_twister.js";
import { sha256 } from "../../../web/proof/sha256.js";
import { hmac, Shuffle } from "../../../web/proof/shuffle.js";

const vectors = JSON.parse(
  readFileSync(new URL("../../fixtures/shuffles.json", import.meta.url), "utf8"),
);

test("an hmac is node's own, for every length of key and message around the block borders", () => {
  for (let length = 0; length <= 64; length += 1) {
    const [key, message] = [
      Uint8Array.from({ length }, (_, i) => i * 5),
      Uint8Array.from({ length: length * 2 }, (_, i) => i),
    ];

    assert.equal(hmac(key, message), createHmac("sha256", key).update(message).digest("hex"));
  }
});

test("a number below a count is every one of them, and never the count", () => {
  const generator = new Generator("a seed");
  for (const count of [1, 2, 3, 4, 5, 8]) {
    const drawn = new Set(Array.from({ length: 200 }, () => generator.below(count)));
    assert.deepEqual([...drawn].sort(), [...Array(count).keys()]);
  }
});

test("draws are those of the vectors that the table holds too", () => {
  for (const { line, seal, shares, draws } of vectors) {
    const shuffle = new Shuffle(line, shares);

    assert.equal(sha256(line), seal);
    assert.deepEqual(
      draws.map(() => shuffle.draw()),
      draws,
    );
  }
});

test("what is no seed's line, and what is no share, is refused", () => {
  const [{ line }] = vectors;
  for (const other of [
    '{"kind":"seed","seed":"00","v":1}',
    line.replace('"v":1', '"v":2'),
    line.replace('"v"', '"w":1,"v"'),
  ])
    assert.throws(() => new Shuffle(other, {}), /proof.seal/);
  assert.throws(() => new Shuffle(line, { P1: "xx" }), /proof.share/);
});
