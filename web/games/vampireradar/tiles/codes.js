/** Parse the code `VRT07` as a hand scanner types it, in any keyboard layout. Pure. */

/** The digits 0 to 9 as a French keyboard types them without Shift. */
const SHIFTED = "à&é\"'(-è_ç";
export const TILES = 38;
/** More letters than a code with its kind has: a scanner that ends no code. */
export const ENDLESS = 12;

/** The number of the tile whose code was typed, null for anything else. @param {string} typed */
export function scannedNumber(typed) {
  const letters = [...typed.trim().normalize("NFC").toLowerCase()].map((letter) =>
    SHIFTED.includes(letter) ? SHIFTED.indexOf(letter) : letter,
  );
  // Before the code may stand a byte order mark, and its kind by AIM, such as ]Q1 ($ on a French keyboard).
  const code = /^\ufeff?(?:[\]$][a-z][0-9a-z])?vrt(\d\d)$/.exec(letters.join(""));
  const number = code ? Number(code[1]) : 0;
  return number >= 1 && number <= TILES ? number : null;
}

/** What a scanner on the companion's own port read since `before` ({run, count}, null: nothing was read yet): tile
 * numbers, 0 for what was no tile's code. `scanner` is {run, count, beeps}; another run counts from the beginning.
 * @param {any} before
 * @param {{run: string, count: number, beeps: number[]}} scanner
 */
export function freshBeeps(before, { run, count, beeps }) {
  const fresh = before ? count - (before.run === run ? before.count : 0) : 0;
  return fresh > 0 ? beeps.slice(-fresh) : [];
}

/** The numbers that no tile of `tiles` ({cell: [number, turn]}) has. @param {RadarTiles} tiles */
export function missing(tiles) {
  const used = new Set(Object.values(tiles).map(([number]) => number));
  return Array.from({ length: TILES }, (_, index) => index + 1).filter(
    (number) => !used.has(number),
  );
}

/** The field turned clockwise by a quarter, with every tile. @param {RadarTiles} tiles */
export function turnedField(tiles) {
  return Object.fromEntries(
    Object.entries(tiles).map(([cell, [number, turn]]) => [
      turnedCell(cell),
      [number, (turn + 90) % 360],
    ]),
  );
}

/** Where a cell goes when the field turns by a quarter: A1 to F1. @param {string} cell */
export function turnedCell(cell) {
  return "ABCDEF"[6 - Number(cell[1])] + ("ABCDEF".indexOf(cell[0]) + 1);
}
