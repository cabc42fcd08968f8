/** Where pawns stand beside the numbers of their places. Pure. */

/** Where places are enlarged, pawns are by this part of it, but never reduced. */
export const PAWN_GROWTH = 0.86;
/** Half the side of a pawn, in radii of a place. */
const HALF = 1.1;
/** How far from the middle of its place a pawn stands, aside and above or below. */
const [ASIDE, ABOVE] = [1.7, 1.6];
/** How much a pawn's own number counts beside those of other places. */
const OWN = 0.1;
/** Half the width and height of a number, in radii of a place. */
const [ACROSS, DOWN] = [0.8, 0.45];
/** Above the place, else the nearest to above. */
const DIRECTIONS = Array.from({ length: 24 }, (_, index) => {
  const turn = ((index % 2 ? 1 : -1) * Math.ceil(index / 2) * Math.PI) / 12;
  return [Math.sin(turn) * ASIDE, -Math.cos(turn) * ABOVE];
});

/**
 * The spot of each pawn, from the middle of its place in the map's units: the first direction in
 * which it covers least of other numbers and pawns and of what is outside the view, where places are
 * drawn `scale` times as large: there is least room.
 * @param {Record<string, string>} pawns @param {ManhuntLaid} laid @param {number} scale
 * @returns {Map<string, [number, number]>}
 */
export function pawnSpots(pawns, { places, radius, city: { view } }, scale) {
  const disc = radius * scale;
  const pawn = radius * Math.max(1, scale * PAWN_GROWTH);
  const half = HALF * pawn;
  /** @type {ManhuntPoint[]} */
  const taken = [];
  /** @type {Map<string, [number, number]>} */
  const spots = new Map();
  for (const [name, cell] of Object.entries(pawns)) {
    const own = places.get(cell);
    if (!own) continue;
    /** @param {number[]} direction */
    const spotAt = ([right, down]) => ({ x: own.x + right * pawn, y: own.y + down * pawn });
    const costs = DIRECTIONS.map((direction) => {
      const spot = spotAt(direction);
      const numbers = total(
        [...places.values()],
        (place) =>
          shared(place, spot, half + ACROSS * disc, half + DOWN * disc) * (place === own ? OWN : 1),
      );
      const covered = numbers + total(taken, (each) => shared(each, spot, 2 * half, 2 * half));
      return covered / disc ** 2 + Number(leaves(view, spot, half));
    });
    const best = DIRECTIONS[costs.indexOf(Math.min(...costs))];
    taken.push(spotAt(best));
    spots.set(name, [best[0] * radius, best[1] * radius]);
  }
  return spots;
}

/** @template T @param {T[]} items @param {(item: T) => number} of */
const total = (items, of) => items.reduce((sum, item) => sum + of(item), 0);

/**
 * The area that two boxes share, by their middles and the sums of their half sides.
 * @param {ManhuntPoint} one @param {ManhuntPoint} other @param {number} across @param {number} down
 */
const shared = (one, other, across, down) =>
  Math.max(0, across - Math.abs(one.x - other.x)) * Math.max(0, down - Math.abs(one.y - other.y));

/**
 * Whether a box leaves the view.
 * @param {number[]} view @param {ManhuntPoint} middle @param {number} half
 */
const leaves = ([left, top, width, height], { x, y }, half) =>
  x - half < left || y - half < top || x + half > left + width || y + half > top + height;
