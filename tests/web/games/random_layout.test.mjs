import assert from "node:assert/strict";
import test from "node:test";
import { layField } from "../../../web/games/vampireradar/tiles/random_layout.js";
import { CELLS, neighbour, STEPS, tileAt } from "../../../web/games/vampireradar/drawing/field.js";

const near = (cell) =>
  Object.keys(STEPS)
    .map((direction) => neighbour(cell, direction))
    .filter(Boolean);

test("a proposed field keeps the rules of laying: counts, corners, bats and radars apart, a wall for each wall tile", () => {
  for (let tries = 0; tries < 100; tries += 1) {
    const { tiles, walls } = layField();
    const of = (kind) => CELLS.filter((cell) => tileAt(cell, tiles) === kind);
    assert.deepEqual(
      [4, 4, 8, 7, 13],
      ["b", "r", "o", "w", "."].map((kind) => of(kind).length),
    );
    for (const corner of ["A1", "F1", "A6", "F6"]) assert.equal(tileAt(corner, tiles), ".");
    for (const kind of ["b", "r"])
      for (const cell of of(kind))
        assert.ok(near(cell).every((other) => tileAt(other, tiles) !== kind));
    assert.equal(new Set(walls).size, 7);
  }
});
