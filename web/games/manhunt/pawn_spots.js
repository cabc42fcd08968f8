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
/** Above the place, else the nearest to above; last on the lower right, where clues are. */
const DIRECTIONS = [
  0, 15, -15, 30, -30, 45, -45, 60, -60, 75, -75, 90, -90, -105, 105, -120, 120, -135, -150, 165,
  -165, 180, 150, 135,
].map((angle) => {
  const turn = (angle * Math.PI) / 180;
  return [Math.sin(turn) * ASIDE, -Math.cos(turn) * ABOVE];
});

/**
 * The spot of each pawn, from the middle of its place in the map's units: the first direction in
 * which it covers least of other numbers and pawns and of what is outside the view, at the usual
 * size and where places are drawn `scale` times as large.
 * @param {Record<string, string>} pawns @param {ManhuntLaid} laid @param {number} scale
 * @returns {Map<string, [number, number]>}
 */
export function pawnSpots(pawns, { places, radius, city: { view } }, scale) {
  /** @type {{disc: number, pawn: number, taken: ManhuntPoint[]}[]} */
  const looks = [
    { disc: radius, pawn: radius, taken: [] },
    { disc: radius * scale, pawn: radius * Math.max(1, scale * PAWN_GROWTH), taken: [] },
  ];
  /** @type {Map<string, [number, number]>} */
  const spots = new Map();
  for (const [pawn, cell] of Object.entries(pawns)) {
    const own = places.get(cell);
    if (!own) continue;
    const reach = radius * scale * 5;
    const near = [...places.values()].filter(
      ({ x, y }) => Math.abs(x - own.x) < reach && Math.abs(y - own.y) < reach,
    );
    /** @param {number[]} direction @param {number} by */
    const spotAt = ([right, down], by) => ({ x: own.x + right * by, y: own.y + down * by });
    const costs = DIRECTIONS.map((direction) =>
      total(looks, ({ disc, pawn: by, taken }) => {
        const [spot, half] = [spotAt(direction, by), HALF * by];
        const numbers = total(near, (place) => {
          const covered = shared(place, spot, half + ACROSS * disc, half + DOWN * disc);
          return place === own ? covered * OWN : covered;
        });
        const covered = numbers + total(taken, (each) => shared(each, spot, 2 * half, 2 * half));
        return covered / disc ** 2 + Number(leaves(view, spot, half));
      }),
    );
    const best = DIRECTIONS[costs.indexOf(Math.min(...costs))];
    looks.forEach(({ pawn: by, taken }) => taken.push(spotAt(best, by)));
    spots.set(pawn, [best[0] * radius, best[1] * radius]);
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
