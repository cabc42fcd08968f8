import assert from "node:assert/strict";
import test from "node:test";
import { LIST, areWords, randomWords } from "../../../web/screens/join/recovery.js";

test("three words are drawn from enough to leave no chance to ten guesses", () => {
  assert.equal(new Set(LIST).size, LIST.length);
  assert.ok(LIST.length >= 1296);
  assert.ok(10 / LIST.length ** 3 < 5e-9);
});

test("a word is two syllables that the table takes, none that stutters", () => {
  assert.deepEqual(
    LIST.filter((word) => !/^[bdfklmnprst][aeio][bdfklmnprst][aeio]$/.test(word)),
    [],
  );
  assert.deepEqual(
    LIST.filter((word) => word.slice(0, 2) === word.slice(2)),
    [],
  );
});

test("words are drawn from the whole list", () => {
  const words = Array.from({ length: 6000 }, randomWords).flatMap((words) => words.split(" "));
  assert.deepEqual(
    words.filter((word) => !LIST.includes(word)),
    [],
  );
  assert.ok(new Set(words).size > 0.99 * LIST.length);
});

test("words are whole however they are written", () => {
  assert.ok(areWords(randomWords()));
  assert.ok(areWords(" Kano-Bimi, TESO"));
  assert.ok(!areWords("kano bimi"));
});
