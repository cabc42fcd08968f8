/** The geometry of the field: cells "A1" to "F6", north towards row 1, walls between two neighbours. */
export const COLUMNS = "ABCDEF";
export const CELLS = Array.from(
  { length: 36 },
  (_, index) => COLUMNS[index % 6] + (1 + Math.floor(index / 6)),
);
/** @type {Record<string, number[]>} */
export const STEPS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };

/** Column and row of a cell, counted from 0. @param {string} cell */
export const at = (cell) => [COLUMNS.indexOf(cell[0]), Number(cell[1]) - 1];

/** @type {Record<string, Record<string, string | null>>} */
const NEIGHBOURS = Object.fromEntries(
  CELLS.map((cell) => [
    cell,
    Object.fromEntries(
      Object.entries(STEPS).map(([direction, [right, down]]) => {
        const [column, row] = at(cell);
        const next = COLUMNS[column + right] + (row + down + 1);
        return [direction, CELLS.includes(next) ? next : null];
      }),
    ),
  ]),
);

/** The neighbour in a direction, or null. @param {string} cell @param {string} direction */
export const neighbour = (cell, direction) => NEIGHBOURS[cell][direction];

/**
 * How many steps across and down part two cells, whatever walls stand between them: what a radar
 * counts.
 * @param {string} cell @param {string} other
 */
export function distanceOf(cell, other) {
  const [[x, y], [x2, y2]] = [at(cell), at(other)];
  return Math.abs(x - x2) + Math.abs(y - y2);
}

/** @param {string} cell @param {string | null} other @param {string[]} walls */
export function isWalled(cell, other, walls) {
  return walls.includes(`${cell}-${other}`) || walls.includes(`${other}-${cell}`);
}

/**
 * The cells that a shot covers: its own and on to a wall, the border or, where pawns stop shots, the next tile with a pawn.
 * @param {string} cell @param {string} direction
 * @param {RadarField & {pawns: Record<string, string>, options?: Record<string, any>}} view
 * @returns {string[]}
 */
export function shotCells(cell, direction, view) {
  const next = neighbour(cell, direction);
  if (next === null || isWalled(cell, next, view.walls)) return [cell];
  return [cell, ...(isStopped(next, view) ? [next] : shotCells(next, direction, view))];
}

/**
 * @param {string} cell @param {{pawns: Record<string, string>, options?: Record<string, any>}} view
 */
const isStopped = (cell, { pawns, options }) =>
  Boolean(options?.pawns_block_shots) && Object.values(pawns).includes(cell);

/**
 * The kind of tile: "." blank, "b" bat, "r" radar, "o" bullet, "w" wall.
 * @param {string} cell @param {string[]} tiles
 */
export function tileAt(cell, tiles) {
  const [column, row] = at(cell);
  return tiles[row][column];
}

/**
 * The pawns on each cell, those of one seat together.
 * @param {Record<string, string>} pawns @returns {Record<string, string[]>}
 */
export function pawnsByCell(pawns) {
  /** @type {Record<string, string[]>} */
  const standing = {};
  for (const pawn of Object.keys(pawns).sort()) (standing[pawns[pawn]] ??= []).push(pawn);
  return standing;
}

/** What a tile has to use: a token, or a radar. @param {string} cell @param {RadarDrawn} view */
export function symbolAt(cell, view) {
  if (view.tokens.bullets.includes(cell)) return "bullet";
  if (view.tokens.bats.includes(cell)) return "bat";
  return tileAt(cell, view.tiles) === "r" ? "radar" : null;
}
