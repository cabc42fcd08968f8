import assert from "node:assert/strict";
import { test } from "node:test";
import {
  freshBeeps,
  missing,
  scannedNumber,
  turnedCell,
  turnedField,
} from "../../../web/games/vampireradar/tiles/codes.js";

test("a hand scanner's codes are read in small letters, with line ends, and from a French keyboard", () => {
  assert.equal(7, scannedNumber("VRT07"));
  assert.equal(38, scannedNumber("vrt38\r\n"));
  assert.equal(12, scannedNumber("vrt&é"));
  assert.equal(30, scannedNumber('VRT"à'));
  assert.deepEqual([14, 12, 12], ["]Q1VRT14", "$a&vrt&é", "\ufeffVRT12"].map(scannedNumber));
  assert.deepEqual([null, null], ["VRT12VRT13", "q1VRT12"].map(scannedNumber));
  assert.deepEqual([null, null, null, null], ["VRT00", "VRT39", "VRC00", "7"].map(scannedNumber));
});

test("a page takes the beeps that came since it listened, those after the companion's new start too, and none twice", () => {
  const scanner = { run: "a", count: 5, beeps: [7, 0, 9, 1, 2] };
  assert.deepEqual([], freshBeeps(null, scanner));
  assert.deepEqual([1, 2], freshBeeps({ run: "a", count: 3 }, scanner));
  assert.deepEqual([], freshBeeps({ run: "a", count: 5 }, scanner));
  assert.deepEqual([7, 0, 9, 1, 2], freshBeeps({ run: "b", count: 30 }, scanner));
});

test("only the numbers that lie nowhere are missing", () => {
  assert.equal(36, missing({ A1: [1, 0], B1: [38, 90] }).length);
  assert.deepEqual(
    [1, 38],
    [1, 38].filter((number) => !missing({ A1: [1, 0], B1: [38, 90] }).includes(number)),
  );
});

test("a field that is turned four times is as it was, and A1 goes to F1", () => {
  const tiles = { A1: [1, 0], C2: [7, 270], F6: [9, 90] };
  assert.equal("F1", turnedCell("A1"));
  assert.deepEqual([1, 90], turnedField(tiles).F1);
  assert.deepEqual(tiles, turnedField(turnedField(turnedField(turnedField(tiles)))));
});
