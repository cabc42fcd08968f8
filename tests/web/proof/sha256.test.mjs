import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { sha256 } from "../../../web/proof/sha256.js";

test("every length around the block borders gives node's own digest", () => {
  for (let length = 0; length < 300; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255);

    assert.equal(sha256(bytes), createHash("sha256").update(bytes).digest("hex"));
  }
});

test("a string is hashed as its UTF-8", () => {
  assert.equal(sha256("吸血鬼"), createHash("sha256").update("吸血鬼").digest("hex"));
});

test("the seal of the documented night is the published vector", () => {
  const line =
    '{"actions":[{"to":"C5","type":"walk"},{"to":"D5","type":"attack"},{"type":"end"}],"game":"hyuydqjvewwxyz75vlmsaojg6m",' +
    '"kind":"night","nonce":"e83a328a241ab772ca5dfc5afb325ce0e071c966d267059b24292cbd45f8328b","number":2,' +
    '"path":["C4","C5","D5"],"prev":"39cd3c189f9582834b47193d571e66a0c3c86a909dc6c526b7c4fba3cab6a143","seat":"V","v":1}';

  assert.equal(sha256(line), "bfafd97694d2296670a4fc5c446eed2d388e4fbf6f88f2e872995dd7880396a6");
});
