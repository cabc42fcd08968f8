/** Proposals for a field: laid at random by the rules of placement, and judged by the table, not here. */
import { CELLS, isWalled, neighbour, STEPS } from "../drawing/field.js";

const CORNERS = ["A1", "F1", "A6", "F6"];
const DEAL = { b: 4, r: 4, o: 8, w: 7 };

/** Propose a field; `random` answers a number from 0 to below 1. */
export function layField(random = Math.random) {
  for (;;) {
    const tiles = layTiles(random);
    const walls = tiles && layWalls(tiles, random);
    if (walls && isConnected(walls)) return { tiles: rows(tiles), walls: walls.sort() };
  }
}

/** @param {Record<string, string>} tiles */
const rows = (tiles) =>
  [0, 6, 12, 18, 24, 30].map((from) =>
    CELLS.slice(from, from + 6)
      .map((cell) => tiles[cell] ?? ".")
      .join(""),
  );
/** @param {string} cell */
const around = (cell) =>
  Object.keys(STEPS)
    .map((direction) => neighbour(cell, direction))
    .filter((cell) => cell !== null);
/** @param {string[]} list @param {() => number} random */
const pick = (list, random) => list[Math.floor(random() * list.length)];

/** @param {() => number} random */
function layTiles(random) {
  /** @type {Record<string, string>} */
  const tiles = {};
  for (const [kind, count] of Object.entries(DEAL)) {
    for (let laid = 0; laid < count; laid += 1) {
      const free = CELLS.filter(
        (cell) => !tiles[cell] && !CORNERS.includes(cell) && mayLie(kind, cell, tiles),
      );
      if (!free.length) return null;
      tiles[pick(free, random)] = kind;
    }
  }
  return tiles;
}

/** @param {string} kind @param {string} cell @param {Record<string, string>} tiles */
function mayLie(kind, cell, tiles) {
  if (kind === "b") return around(cell).every((near) => tiles[near] !== "b");
  if (kind === "r")
    return around(cell).every((near) => tiles[near] !== "r" && !CORNERS.includes(near));
  return true;
}

/**
 * One wall for each wall tile, on one of its edges, no two of them meeting end to end.
 * @param {Record<string, string>} tiles @param {() => number} random
 */
function layWalls(tiles, random) {
  /** @type {string[]} */
  const walls = [];
  for (const cell of CELLS.filter((each) => tiles[each] === "w")) {
    const free = around(cell)
      .map((near) => [cell, near].sort().join("-"))
      .filter((wall) => !walls.includes(wall) && !touches(wall, walls));
    if (!free.length) return null;
    walls.push(pick(free, random));
  }
  return walls;
}

/** The two ends of a wall, as points between tiles. @param {string} wall */
function ends(wall) {
  const [[column, row], [column2, row2]] = wall
    .split("-")
    .map((cell) => [cell.charCodeAt(0), Number(cell[1])]);
  return row === row2
    ? [
        [column2, row],
        [column2, row + 1],
      ]
    : [
        [column, row2],
        [column + 1, row2],
      ];
}

/** @param {string} wall @param {string[]} walls */
function touches(wall, walls) {
  const own = ends(wall).map(String);
  return walls.some((other) => ends(other).some((end) => own.includes(String(end))));
}

/** @param {string[]} walls */
function isConnected(walls) {
  const reached = new Set(["A1"]);
  for (const cell of reached)
    for (const near of around(cell)) if (!isWalled(cell, near, walls)) reached.add(near);
  return reached.size === CELLS.length;
}
