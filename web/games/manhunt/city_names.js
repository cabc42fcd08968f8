/** Where the names of places stand: beside no other name, no place, and inside the map. Pure. */

/** The widths of letters in parts of their size, for any of the fonts. */
const NARROW = /[ijlft.,'’|!I ]/;
const BROAD = /[mwMWÆŒ@%]/;
const LINE = 1.12;
/** The prices of a spot that cannot be used, that a pawn may hide, and that widens the map. */
const [NEVER, HIDDEN, BEYOND] = [1000, 0.5, 1.5];
const PASSES = 3;

/** @type {Map<string, number>} */
const widths = new Map();
/** @param {string} letter */
const isWide = (letter) => (letter.codePointAt(0) ?? 0) > 0x2e80;

/** @param {string} line */
function widthIn(line) {
  let sum = 0;
  for (const letter of line) sum += widthOf(letter);
  return sum;
}

/** @param {string} letter */
function widthOf(letter) {
  const old = widths.get(letter);
  if (old) return old;
  const isBroad = BROAD.test(letter) || letter !== letter.toLowerCase();
  const width = isWide(letter) ? 1.02 : NARROW.test(letter) ? 0.34 : isBroad ? 0.78 : 0.57;
  widths.set(letter, width);
  return width;
}

/** A name in one line, and in two of about the same length. @param {string} name */
function foldings(name) {
  const words = name.includes(" ") ? name.split(" ") : [...name];
  const glue = name.includes(" ") ? " " : "";
  if (words.length < 2 || (!glue && !isWide(name)) || name.length < 6) return [[name]];
  const cuts = words.slice(1).map((_, index) => {
    const lines = [words.slice(0, index + 1).join(glue), words.slice(index + 1).join(glue)];
    return { lines, width: Math.max(...lines.map(widthIn)) };
  });
  return [[name], cuts.sort((a, b) => a.width - b.width)[0].lines];
}

/**
 * The spots of a name around its place: where its line begins, is centred or ends, in radii of the
 * place and parts of the name's own width and height, and the price.
 * @type {[string, (wide: number, high: number, radius: number) => [number, number], number][]}
 */
const SPOTS = [
  ["middle", (_, __, radius) => [0, radius * 1.12], 0],
  ["middle", (wide, _, radius) => [wide * 0.22, radius * 1.12], 0.3],
  ["middle", (wide, _, radius) => [-wide * 0.22, radius * 1.12], 0.3],
  ["start", (_, high, radius) => [radius * 1.35, -high / 2], 0.8],
  ["end", (_, high, radius) => [-radius * 1.35, -high / 2], 0.8],
  ["start", (_, __, radius) => [radius * 0.95, radius * 0.55], 0.9],
  ["end", (_, __, radius) => [-radius * 0.95, radius * 0.55], 0.9],
  ["start", (_, high, radius) => [radius * 1.08, -radius * 0.6 - high], 1.2],
  ["end", (_, high, radius) => [-radius * 1.08, -radius * 0.6 - high], 1.2],
  ["middle", (_, high, radius) => [0, -radius * 1.3 - high], 2],
];
/** The part of a name's width left of its spot. @type {Record<string, number>} */
const LEFT = { start: 0, middle: 0.5, end: 1 };

/**
 * @param {ManhuntPlace} place @param {string} name @param {{radius: number, size: number}} sizes
 * @returns {ManhuntCityName[]}
 */
function spots(place, name, { radius, size }) {
  return foldings(name).flatMap((lines, folds) => {
    const [wide, high] = [Math.max(...lines.map(widthIn)) * size, lines.length * LINE * size];
    return SPOTS.map(([anchor, at, price]) => {
      const [right, down] = at(wide, high, radius);
      const [x, y] = [place.x + right, place.y + down];
      const left = x - LEFT[anchor] * wide;
      return {
        cell: String(place.number),
        lines,
        anchor,
        x,
        y,
        size,
        box: [left, y, left + wide, y + high],
        price: price + folds * 0.7,
      };
    });
  });
}

/**
 * Whether two boxes overlap: left, top, right, bottom of each.
 * @param {number[]} one @param {number[]} other
 */
export const meet = (one, other) =>
  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

/**
 * The names that have room, each at the cheapest spot beside the others; the most crowded are
 * placed first. A name without room is left out.
 * @param {ManhuntPlace[]} places @param {string[]} names
 * @param {{radius: number, size: number, width: number}} sizes @returns {ManhuntCityName[]}
 */
export function placeNames(places, names, sizes) {
  const { radius } = sizes;
  const discs = places.map(({ x, y }) => around(x, y, radius * 1.3));
  const pawns = places.map(({ x, y }) => around(x, y - radius * 1.85, radius));
  const choices = places.map((place, index) =>
    names[index] ? spots(place, names[index], sizes) : [],
  );
  const reaches = choices.map((own, index) => hull([discs[index], ...own.map(({ box }) => box)]));
  const others = reaches.map((reach, index) =>
    places.map((_, each) => each).filter((each) => each !== index && meet(reach, reaches[each])),
  );
  const order = places
    .map((_, index) => index)
    .filter((index) => choices[index].length)
    .sort((a, b) => others[b].length - others[a].length || a - b);
  const [left, , right] = hull(discs);
  const [west, east] = [Math.max(left - radius, 0), Math.min(right + radius, sizes.width)];
  for (const index of order) {
    for (const spot of choices[index]) {
      const { box } = spot;
      if (box[0] < west || box[2] > east) spot.price += BEYOND;
      for (const each of others[index])
        if (meet(box, discs[each])) spot.price += NEVER;
        else if (meet(box, pawns[each])) spot.price += HIDDEN;
    }
    choices[index].sort((a, b) => a.price - b.price);
  }
  /** @type {(ManhuntCityName | undefined)[]} */
  const chosen = places.map(() => undefined);
  /** @param {number} index @param {number[]} box */
  const isFree = (index, box) =>
    others[index].every((each) => {
      const own = chosen[each]?.box;
      return !own || !meet(box, own);
    });
  for (let pass = 0; pass < PASSES; pass += 1)
    for (const index of order) {
      const free = choices[index].find(({ price, box }) => price < NEVER && isFree(index, box));
      chosen[index] = free ?? (pass < PASSES - 1 ? choices[index][0] : undefined);
    }
  return chosen.filter((name) => name !== undefined);
}

/** @param {number} x @param {number} y @param {number} far */
const around = (x, y, far) => [x - far, y - far, x + far, y + far];

/** The box around boxes. @param {number[][]} boxes */
function hull(boxes) {
  const all = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [left, top, right, bottom] of boxes) {
    all[0] = Math.min(all[0], left);
    all[1] = Math.min(all[1], top);
    all[2] = Math.max(all[2], right);
    all[3] = Math.max(all[3], bottom);
  }
  return all;
}
