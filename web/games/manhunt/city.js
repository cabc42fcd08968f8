/**
 * The plan of the city that a map file describes: how its ways run, and where houses and parks
 * stand. A pure function of the map: the same map gives the same plan. Lengths are in the map's
 * units.
 */
import { placeNames } from "./city_names.js";

/**
 * The looks of kinds with these names; others take the remaining ones, in the order of the file.
 * @type {Record<string, string>}
 */
const KNOWN = {
  street: "plain",
  passage: "plain",
  water: "wave",
  rail: "rail",
  alley: "dots",
  stairs: "double",
  shaft: "dash",
  tunnel: "dash",
  tram: "rail",
  river: "wave",
};
const LOOKS = ["plain", "rail", "wave", "double", "dash", "dots", "thin", "bold"];
/** The widths of looks with their banks and casings, in parts of the pitch. */
const [RIVER, WIDTH] = [0.66, 0.24];
/** These run in curves; the others are straight. */
const CURVED = ["wave", "rail"];
/** No houses stand along ways of these kinds. */
const BARE = ["water", "river", "rail", "tram", "passage", "stairs", "shaft", "tunnel"];
/** The distance of ways between the same two places, in parts of the pitch. */
const APART = 0.32;
/** The size of names, in parts of the pitch. */
const NAME = 0.18;
/** The sides of a cell of the raster, in parts of the pitch. */
const CELL = 0.07;
/** Cells of the largest raster: a map whose places lie far apart has larger cells. */
const MOST_CELLS = 200_000;
/** What a cell of the raster is taken by. */
const [WAY, PARK, HOUSE] = [1, 2, 4];

/**
 * The usual distance of places: a tenth of them may be closer, and a map has room for ten to forty
 * side by side.
 * @param {ManhuntMap} map
 */
export function pitch({ places, size: { width } }) {
  const nearest = nearestOf(places).sort((a, b) => a - b);
  const apart = nearest[Math.floor(nearest.length / 10)] ?? Infinity;
  return Math.min(Math.max(apart, width / 40), width / 10);
}

/**
 * The distance of each place to its nearest one; compares only those that are not too far left or
 * right.
 * @param {ManhuntPlace[]} places
 */
function nearestOf(places) {
  const sorted = [...places].sort((one, other) => one.x - other.x);
  return sorted.map(({ x, y }, index) => {
    let best = Infinity;
    for (const step of [-1, 1])
      for (let at = index + step; sorted[at] && Math.abs(sorted[at].x - x) < best; at += step)
        best = Math.min(best, Math.hypot(sorted[at].x - x, sorted[at].y - y));
    return best;
  });
}

/**
 * The look of each kind of way, in the order of the file.
 * @param {ManhuntWay[]} ways @returns {Record<string, string>}
 */
export function looks(ways) {
  const kinds = [...new Set(ways.map(({ kind = "street" }) => kind))];
  /** @type {Record<string, string>} */
  const taken = {};
  for (const kind of kinds) {
    const look = Object.hasOwn(KNOWN, kind) ? KNOWN[kind] : null;
    if (look && !Object.values(taken).includes(look)) taken[kind] = look;
  }
  const left = LOOKS.filter((look) => !Object.values(taken).includes(look));
  return Object.fromEntries(kinds.map((kind) => [kind, taken[kind] ?? left.shift() ?? "thin"]));
}

/** @type {WeakMap<ManhuntMap, {key: string, city: ManhuntCity}>} */
const plans = new WeakMap();

/**
 * The plan of a map, computed once for its names in a language. `names` are in the order of its
 * places; an empty one is not written.
 * @param {ManhuntMap} map @param {string[]} names @returns {ManhuntCity}
 */
export function cityOf(map, names) {
  const key = names.join("\n");
  const old = plans.get(map);
  if (old?.key === key) return old.city;
  const city = planned(map, names);
  plans.set(map, { key, city });
  return city;
}

/** @param {ManhuntMap} map @param {string[]} names @returns {ManhuntCity} */
function planned(map, names) {
  const unit = pitch(map);
  const { width, height } = map.size;
  const room = Math.sqrt((width * height) / Math.max(map.places.length, 1));
  const radius = Math.min(room * 0.2, unit * 0.28);
  const ways = laidWays(map, unit, radius);
  const labels = placeNames(map.places, names, { radius, size: unit * NAME, width });
  const view = viewOf(map, labels, unit);
  const raster = rasterOf(view, unit);
  for (const { look, points } of ways) mark(raster, points, widthOf(look, unit) / 2);
  for (const place of map.places) mark(raster, [place], radius * 1.15);
  const isBuilt = ways.some(isHoused);
  const parks = isBuilt ? laidParks(map, unit, raster) : [];
  const houses = ways.filter(isHoused).flatMap((way) => housesOf(way, unit, radius, raster));
  return { unit, radius, view, ways, looks: looks(map.ways), names: labels, parks, houses };
}

/** The numbers of the two places of a way. @param {Partial<ManhuntWay>} way @returns {number[]} */
export const endsOf = ({ between, from = 0, to = 0 }) => between ?? [from, to];

/** @param {ManhuntCityWay} way */
const isHoused = ({ kind }) => !BARE.includes(kind);

/** The width of a look with its banks and casings. @param {string} look @param {number} unit */
export const widthOf = (look, unit) => (look === "wave" ? RIVER : WIDTH) * unit;

/* ---- ways ---- */

/**
 * Each way as a cubic curve: eight numbers, and points along it. Ways between the same two places
 * bend away from each other; boats and trains go on in curves from way to way.
 * @param {ManhuntMap} map @param {number} unit @param {number} radius @returns {ManhuntCityWay[]}
 */
function laidWays(map, unit, radius) {
  const look = looks(map.ways);
  const at = new Map(map.places.map((place) => [place.number, place]));
  /** @type {any[]} */
  const ways = map.ways
    .map(({ kind = "street", between, from, to, fugitive_only: isSecret }) => {
      const [one, other] = endsOf({ between, from, to });
      return {
        kind,
        look: look[kind],
        ends: [one, other],
        isOneWay: !between,
        isSecret: Boolean(isSecret),
        a: at.get(Number(one)),
        b: at.get(Number(other)),
      };
    })
    .filter(({ a, b }) => a && b && a !== b);
  /** @type {Map<string, any[]>} */
  const pairs = new Map();
  for (const way of ways) push(pairs, [...way.ends].sort((a, b) => a - b).join("-"), way);
  const next = followings(ways.filter((way) => CURVED.includes(way.look)));
  return ways.map((way) => {
    const { a, b, ends } = way;
    const beside = pairs.get([...ends].sort((one, other) => one - other).join("-")) ?? [];
    const side = (beside.indexOf(way) - (beside.length - 1) / 2) * APART * unit;
    const bend = ends[0] < ends[1] ? side : -side;
    const straight = curve(a, b, [(b.x - a.x) / 3, (b.y - a.y) / 3], null, bend);
    const [before, after] = [next.get(way)?.[0], next.get(way)?.[1]];
    if (!before && !after) return { ...way, ...straight };
    const smooth = curve(a, b, tangent(before ?? a, b, a, b), tangent(a, after ?? b, a, b), bend);
    return { ...way, ...(crowds(smooth.points, map, [a, b], radius * 1.6) ? straight : smooth) };
  });
}

/** @param {Map<any, any[]>} lists @param {any} key @param {any} value */
function push(lists, key, value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/**
 * A third of the direction from one point to another, at most 0.4 of the way from a to b.
 * @param {ManhuntPoint} from @param {ManhuntPoint} to @param {ManhuntPoint} a
 * @param {ManhuntPoint} b @returns {[number, number]}
 */
function tangent(from, to, a, b) {
  const [x, y] = [(to.x - from.x) / 6, (to.y - from.y) / 6];
  const part = Math.min(1, (0.4 * Math.hypot(b.x - a.x, b.y - a.y)) / (Math.hypot(x, y) || 1));
  return [x * part, y * part];
}

/**
 * @param {ManhuntPoint} a @param {ManhuntPoint} b @param {[number, number]} first
 * @param {[number, number] | null} last @param {number} bend
 */
function curve(a, b, first, last, bend) {
  const [long, end] = [Math.hypot(b.x - a.x, b.y - a.y) || 1, last ?? first];
  const [right, down] = [(-(b.y - a.y) / long) * bend, ((b.x - a.x) / long) * bend];
  const line = [
    [a.x, a.y],
    [a.x + first[0] + right, a.y + first[1] + down],
    [b.x - end[0] + right, b.y - end[1] + down],
    [b.x, b.y],
  ];
  const isCurved = Boolean(last) || bend !== 0;
  const steps = isCurved ? 12 : 1;
  const points = Array.from({ length: steps + 1 }, (_, step) => pointAt(line, step / steps));
  return { line: line.flat(), isCurved, points };
}

/** @param {number[][]} line @param {number} part */
function pointAt([a, b, c, d], part) {
  const rest = 1 - part;
  const [p, q, r, s] = [rest ** 3, 3 * rest * rest * part, 3 * rest * part * part, part ** 3];
  return {
    x: p * a[0] + q * b[0] + r * c[0] + s * d[0],
    y: p * a[1] + q * b[1] + r * c[1] + s * d[1],
  };
}

/**
 * Whether points come closer to another place than `least`.
 * @param {ManhuntPoint[]} points @param {ManhuntMap} map @param {ManhuntPlace[]} ends
 * @param {number} least
 */
function crowds(points, { places }, ends, least) {
  const [left, right] = [Math.min, Math.max].map((of) => of(...points.map(({ x }) => x)));
  const [top, bottom] = [Math.min, Math.max].map((of) => of(...points.map(({ y }) => y)));
  return places.some(
    (place) =>
      place.x > left - least &&
      place.x < right + least &&
      place.y > top - least &&
      place.y < bottom + least &&
      !ends.includes(place) &&
      points.some(({ x, y }) => Math.hypot(x - place.x, y - place.y) < least),
  );
}

/**
 * For each of these ways the place before its first end and the one after its last, where one of
 * the same kind goes on without a sharp turn. Each way goes on in one other.
 * @param {any[]} ways @returns {Map<any, any[]>}
 */
function followings(ways) {
  /** @type {Map<any, any[]>} */
  const ends = new Map();
  ways.forEach((way) => {
    push(ends, `${way.kind} ${way.ends[0]}`, { way, end: 0, here: way.a, there: way.b });
    push(ends, `${way.kind} ${way.ends[1]}`, { way, end: 1, here: way.b, there: way.a });
  });
  /** @type {Map<any, any[]>} */
  const next = new Map(ways.map((way) => [way, [null, null]]));
  for (const meeting of ends.values()) {
    const pairs = meeting
      .flatMap((one, index) => meeting.slice(index + 1).map((other) => ({ one, other })))
      .map((pair) => ({ ...pair, turn: turnAt(pair.one.here, pair.one.there, pair.other.there) }))
      .filter(({ turn }) => turn < 0.35)
      .sort((a, b) => a.turn - b.turn);
    const used = new Set();
    for (const { one, other } of pairs) {
      if (used.has(one) || used.has(other)) continue;
      used.add(one).add(other);
      (next.get(one.way) ?? [])[one.end] = other.there;
      (next.get(other.way) ?? [])[other.end] = one.there;
    }
  }
  return next;
}

/**
 * How far a way turns at a place: -1 straight on, 0 at a right angle, 1 back.
 * @param {ManhuntPoint} here @param {ManhuntPoint} one @param {ManhuntPoint} other
 */
function turnAt(here, one, other) {
  const [a, b] = [one.x - here.x, one.y - here.y];
  const [c, d] = [other.x - here.x, other.y - here.y];
  return (a * c + b * d) / (Math.hypot(a, b) * Math.hypot(c, d) || 1);
}

/* ---- what there is between the ways ---- */

/**
 * The part of the plane with everything in it: room for a pawn above each place, and for names.
 * @param {ManhuntMap} map @param {ManhuntCityName[]} names @param {number} unit
 */
function viewOf({ places, size }, names, unit) {
  const boxes = [
    ...places.map(({ x, y }) => [x - unit * 0.5, y - unit * 1.4, x + unit * 0.5, y + unit * 0.5]),
    ...names.map(({ box }) => box),
  ];
  if (!boxes.length) return [0, 0, size.width, size.height];
  const gap = unit * 0.08;
  const [left, top] = [0, 1].map((side) => Math.min(...boxes.map((box) => box[side])) - gap);
  const [right, bottom] = [2, 3].map((side) => Math.max(...boxes.map((box) => box[side])) + gap);
  return [left, top, right - left, bottom - top].map(Math.round);
}

/** A raster over the view: what takes each cell. @param {number[]} view @param {number} unit */
function rasterOf([left, top, width, height], unit) {
  const cell = Math.max(unit * CELL, Math.sqrt((width * height) / MOST_CELLS));
  const [across, down] = [width, height].map((long) => Math.max(Math.floor(long / cell), 1));
  return { left, top, cell, across, down, taken: new Uint8Array(across * down) };
}

/**
 * Mark all cells that lie within `reach` of a line, and some around them.
 * @param {ManhuntRaster} raster @param {ManhuntPoint[]} points @param {number} reach
 * @param {number} [by]
 */
function mark({ left, top, cell, across, down, taken }, points, reach, by = WAY) {
  // Half a cell's diagonal, and what lies between the points of the line, two cells apart.
  const far = Math.hypot(reach / cell, 1) + 0.75;
  const most = Math.ceil(far);
  points.forEach((from, index) => {
    const to = points[Math.min(index + 1, points.length - 1)];
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / cell / 2) || 1;
    for (let step = 0; step <= steps; step += 1) {
      const x = (from.x + ((to.x - from.x) * step) / steps - left) / cell - 0.5;
      const y = (from.y + ((to.y - from.y) * step) / steps - top) / cell - 0.5;
      const [column, row] = [Math.round(x), Math.round(y)];
      for (let j = Math.max(row - most, 0); j <= Math.min(row + most, down - 1); j += 1)
        for (let i = Math.max(column - most, 0); i <= Math.min(column + most, across - 1); i += 1)
          if ((i - x) ** 2 + (j - y) ** 2 <= far * far) taken[j * across + i] |= by;
    }
  });
}

/** Numbers from 0 to 1 that depend on `seed` alone. @param {number} seed */
function chances(seed) {
  let state = (seed + 1) * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * The largest free spots between the ways, apart from each other.
 * @param {ManhuntMap} map @param {number} unit @param {ManhuntRaster} raster
 * @returns {ManhuntPark[]}
 */
function laidParks({ places }, unit, raster) {
  const coarse = coarser(raster, 3);
  const { left, top, cell, across, down } = coarse;
  const apart = distances(coarse);
  const [least, most] = [0.3 * unit, 0.55 * unit];
  const [west, east] = [Math.min, Math.max].map((of) => of(...places.map(({ x }) => x)));
  const [north, south] = [Math.min, Math.max].map((of) => of(...places.map(({ y }) => y)));
  const spots = [];
  for (let row = 1; row < down - 1; row += 1)
    for (let column = 1; column < across - 1; column += 1) {
      const [x, y] = [left + (column + 0.5) * cell, top + (row + 0.5) * cell];
      const radius = Math.min(apart[row * across + column] * cell, most);
      const isAmong = x > west && x < east && y > north && y < south;
      if (radius >= least && isAmong) spots.push({ x, y, radius });
    }
  spots.sort((a, b) => b.radius - a.radius || a.x - b.x || a.y - b.y);
  /** @type {ManhuntPark[]} */
  const parks = [];
  for (const spot of spots) {
    if (parks.length >= Math.min(Math.ceil(places.length / 15), 10)) break;
    if (parks.some(({ x, y }) => Math.hypot(x - spot.x, y - spot.y) < 3 * unit)) continue;
    const chance = chances(Math.round(spot.x) * 7919 + Math.round(spot.y));
    /** @param {number} turn @param {number} far */
    const at = (turn, far) => ({
      x: spot.x + Math.cos(turn * Math.PI * 2) * far,
      y: spot.y + Math.sin(turn * Math.PI * 2) * far,
    });
    // The line around the edge is a fifth of a pitch broad.
    const wide = spot.radius - 0.1 * unit;
    const edge = Array.from({ length: 9 }, (_, index) =>
      at(index / 9, wide * (0.7 + chance() * 0.3)),
    );
    const trees = Array.from({ length: 11 }, () => at(chance(), Math.sqrt(chance()) * wide * 0.8));
    parks.push({ ...spot, edge, trees });
    mark(raster, [spot], spot.radius, PARK);
  }
  return parks;
}

/**
 * A raster of larger cells, each taken if any of its parts is.
 * @param {ManhuntRaster} raster @param {number} by @returns {ManhuntRaster}
 */
function coarser({ left, top, cell, across, down, taken }, by) {
  const [columns, rows] = [Math.ceil(across / by), Math.ceil(down / by)];
  const parts = new Uint8Array(columns * rows);
  for (let row = 0; row < down; row += 1)
    for (let column = 0; column < across; column += 1)
      parts[Math.floor(row / by) * columns + Math.floor(column / by)] |=
        taken[row * across + column];
  return { left, top, cell: cell * by, across: columns, down: rows, taken: parts };
}

/**
 * How many cells each one is away from a taken one and from the edge, about.
 * @param {ManhuntRaster} raster
 */
function distances({ across, down, taken }) {
  const apart = Float32Array.from(taken, (by, index) => {
    const [column, row] = [index % across, Math.floor(index / across)];
    return by || !row || !column || row === down - 1 || column === across - 1 ? 0 : 1e6;
  });
  /** @param {number} index @param {number} step */
  const lower = (index, step) => {
    const next = Math.min(
      apart[index + step] + 1,
      apart[index + step * across] + 1,
      apart[index + step * (across + 1)] + Math.SQRT2,
      apart[index + step * (across - 1)] + Math.SQRT2,
    );
    if (next < apart[index]) apart[index] = next;
  };
  for (let index = across + 1; index < apart.length; index += 1) if (apart[index]) lower(index, -1);
  for (let index = apart.length - across - 2; index >= 0; index -= 1)
    if (apart[index]) lower(index, 1);
  return apart;
}

/**
 * Houses along both sides of a way, where there is room: in three rows, some of them lit.
 * @param {ManhuntCityWay} way @param {number} unit @param {number} radius
 * @param {ManhuntRaster} raster
 */
function housesOf({ ends, points, look }, unit, radius, raster) {
  const [from, to] = [points[0], points.at(-1) ?? points[0]];
  const long = Math.hypot(to.x - from.x, to.y - from.y);
  const [ahead, aside] = [(to.x - from.x) / long, (to.y - from.y) / long];
  const chance = chances(Math.min(...ends) * 9973 + Math.max(...ends));
  /** @type {ManhuntHouse[]} */
  const houses = [];
  for (const [row, share] of [
    [0, 0.95],
    [1, 0.8],
    [2, 0.6],
  ])
    for (const side of [-1, 1])
      for (let at = radius; at < long - radius; at += unit * (0.16 + chance() * 0.18)) {
        const [width, depth] = [unit * (0.15 + chance() * 0.16), unit * (0.12 + chance() * 0.09)];
        const off =
          widthOf(look, unit) / 2 + unit * (0.08 + row * 0.24 + chance() * 0.06) + depth / 2;
        const [isThere, tone, lit] = [chance() < share, Math.floor(chance() * 4), chance()];
        const house = {
          x: from.x + ahead * at - aside * side * off,
          y: from.y + aside * at + ahead * side * off,
          ahead,
          aside,
          width,
          depth,
          tone,
          isLit: lit < 0.16,
        };
        if (isThere && fits(house, raster)) houses.push(house);
      }
  return houses;
}

/**
 * Whether a house stands in free cells of the view alone, which it then takes.
 * @param {ManhuntHouse} house @param {ManhuntRaster} raster
 */
function fits(house, raster) {
  if (!everyCell(house, raster, (taken, index) => !taken[index])) return false;
  return everyCell(house, raster, (taken, index) => {
    taken[index] |= HOUSE;
    return true;
  });
}

/**
 * Whether a test holds for every cell under a house; never for cells outside the view.
 * @param {ManhuntHouse} house @param {ManhuntRaster} raster
 * @param {(taken: Uint8Array, index: number) => boolean} test
 */
function everyCell({ x, y, ahead, aside, width, depth }, raster, test) {
  const { left, top, cell, across, down, taken } = raster;
  const [columns, rows] = [Math.ceil(width / cell) + 1, Math.ceil(depth / cell) + 1];
  for (let i = 0; i <= columns; i += 1)
    for (let j = 0; j <= rows; j += 1) {
      const right = (i / columns - 0.5) * width;
      const below = (j / rows - 0.5) * depth;
      const column = Math.floor((x + ahead * right - aside * below - left) / cell);
      const row = Math.floor((y + aside * right + ahead * below - top) / cell);
      if (column < 0 || row < 0 || column >= across || row >= down) return false;
      if (!test(taken, row * across + column)) return false;
    }
  return true;
}
