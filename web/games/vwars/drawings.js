/** The drawings of V-Wars: where regions lie on the map, roads, cities, standees. They do not depend on the game's state. */
import { shape } from "../../core/icons.js";
import { shapeOf } from "../../core/i18n.js";
import { h } from "../../core/dom.js";

/** @param {string} fill @param {string} d */
const path = (fill, d) => h("path", { fill, d });

/**
 * Where eight regions lie, in the order of a ring: on a square around its middle, or in two columns. [column, row] Also
 * the corners of one land and the middles of its sides, in halves of a region.
 * @type {VWarsPlace[]}
 */
const SQUARE = [
  [0, 0],
  [1, 0],
  [2, 0],
  [2, 1],
  [2, 2],
  [1, 2],
  [0, 2],
  [0, 1],
];
/** @type {VWarsPlace[]} */
const COLUMNS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [1, 2],
  [1, 3],
  [0, 3],
  [0, 2],
  [0, 1],
];

/** Numbers of regions drawn as a ring; others are drawn in rows of at most this number of columns. */
const RING = 8;
const WIDE = 3;
const TALL = 2;

/** @param {number} count @param {number} columns @returns {VWarsPlace[]} */
const rows = (count, columns) =>
  Array.from({ length: count }, (_, at) => [at % columns, Math.floor(at / columns)]);

/** Return the regions' places on a wide and on a tall screen. @param {number} count */
const placesOf = (count) =>
  count === RING
    ? [SQUARE, COLUMNS]
    : [rows(count, Math.min(WIDE, count)), rows(count, Math.min(TALL, count))];

/**
 * How far two places are from each other, as roads go; one through a third place counts double.
 * @param {VWarsPlace} place @param {VWarsPlace} other
 */
const distance = ([x, y], [x2, y2]) => {
  const far = Math.hypot(x2 - x, y2 - y);
  const isThrough = far > 1.9 && (x === x2 || y === y2);
  return isThrough ? 2 * far : far;
};

/**
 * The length of all roads if region `order[at]` lies on place `at`.
 * @param {string[]} order @param {VWarsRoad[]} roads @param {VWarsPlace[]} places
 */
function length(order, roads, places) {
  /** @type {Map<string, any>} */
  const at = new Map(order.map((id, index) => [id, places[index]]));
  return roads.reduce((sum, [one, other]) => sum + distance(at.get(one), at.get(other)), 0);
}

/**
 * The roads between regions that touch, each once; none where every region touches every other: nobody typed which do.
 * @param {Record<string, {adjacent: string[]}>} regions @returns {VWarsRoad[]}
 */
function roadsOf(regions) {
  const ids = Object.keys(regions);
  if (ids.every((id) => regions[id].adjacent.length === ids.length - 1)) return [];
  return ids.flatMap((id) =>
    regions[id].adjacent
      .filter((other) => id < other && other in regions)
      .map((other) => [id, other]),
  );
}

/**
 * The order of regions with the shortest roads on `places` that is found from several first ones.
 * @param {string[]} ids @param {VWarsRoad[]} roads @param {VWarsPlace[]} places @returns {string[]}
 */
function arranged(ids, roads, places) {
  const starts = ids.map((_, first) => ids.map((__, at) => ids[(first + at) % ids.length]));
  /** @type {any[]} */
  const orders = starts.map((order) => exchanged(order, roads, places));
  const best = Math.min(...orders.map(([, far]) => far));
  return orders.find(([, far]) => far === best)[0];
}

/**
 * An order in which exchanging two regions makes the roads on `places` no shorter, and their length.
 * @returns {[string[], number]} @param {string[]} first @param {VWarsRoad[]} roads
 * @param {VWarsPlace[]} places
 */
function exchanged(first, roads, places) {
  let order = first;
  let shortest = length(order, roads, places);
  for (let isBetter = roads.length > 0; isBetter;) {
    isBetter = false;
    for (let one = 0; one < order.length; one++)
      for (let other = one + 1; other < order.length; other++) {
        const tried = [...order];
        [tried[one], tried[other]] = [tried[other], tried[one]];
        const far = length(tried, roads, places);
        if (far < shortest - 1e-9) [order, shortest, isBetter] = [tried, far, true];
      }
  }
  return [order, shortest];
}

const known = new Map();

/**
 * Where the regions lie: {wide, tall: {id: [column, row]}, roads}. The same for the same regions.
 * @param {Record<string, {adjacent: string[]}>} regions @returns {VWarsChart}
 */
export function chart(regions) {
  const ids = Object.keys(regions);
  const key = JSON.stringify(ids.map((id) => [id, regions[id].adjacent]));
  if (!known.has(key)) {
    const roads = roadsOf(regions);
    const [wide, tall] = placesOf(ids.length).map((places) => {
      const order = arranged(ids, roads, places);
      return Object.fromEntries(order.map((id, at) => [id, places[at]]));
    });
    known.set(key, { wide, tall, roads });
  }
  return known.get(key);
}

/** How far a corner of a land may lie from its place on the grid, of a region 100 wide. */
const SHIFT = 9;

/**
 * A whole number of at most `SHIFT` either way, always the same for a corner and an axis.
 * @param {number} x @param {number} y @param {number} axis
 */
const shift = (x, y, axis) => ((x * 7 + y * 13 + axis * 5 + x * y * 11) % (2 * SHIFT + 1)) - SHIFT;

/** How many columns and rows these places have. @param {Record<string, VWarsPlace>} places */
export function extent(places) {
  const all = Object.values(places);
  return [0, 1].map((axis) => 1 + Math.max(...all.map((place) => place[axis])));
}

/**
 * The lands of the regions and the roads between them, beneath the regions' words; stretched over
 * the room that the map has. Lands that meet share their crooked border. Roads past other regions
 * have room in the middle of a wide map alone.
 * @param {Record<string, VWarsPlace>} places
 * @param {VWarsRoad[]} roads
 * @param {string} kind
 * @param {(region: string) => Record<string, unknown>} looks the attributes of a land
 */
export function landMap(places, roads, kind, looks) {
  const [width, height] = extent(places).map((count) => 100 * count);
  /** @param {number} x @param {number} y */
  const corner = (x, y) =>
    [
      [x, width, shift(x, y, 0)],
      [y, height, shift(x, y, 1)],
    ]
      .map(([at, size, by]) => Math.max(2, Math.min(size - 2, at * 50 + by)))
      .join(" ");
  /** @param {VWarsPlace} place */
  const border = ([column, row]) =>
    SQUARE.map(([x, y]) => corner(2 * column + x, 2 * row + y)).join("L");
  return h(
    "svg",
    {
      class: `lands ${kind}`,
      viewBox: `0 0 ${width} ${height}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    Object.entries(places).map(([id, place]) =>
      h("path", { ...looks(id), class: "land", d: `M${border(place)}Z` }),
    ),
    roads
      .map(([one, other]) => [places[one], places[other]])
      .filter(([one, other]) => kind === "wide" || isNear(one, other))
      .map(([one, other]) => h("path.road", { d: tie(one, other) })),
  );
}

/** @param {VWarsPlace} one @param {VWarsPlace} other */
const isNear = (one, other) => distance(one, other) < 1.9;

/**
 * The middle of a road: it crosses the border, and no words; a road past other regions is longer.
 * @param {VWarsPlace} one @param {VWarsPlace} other
 */
function tie(one, other) {
  const half = isNear(one, other) ? 0.08 : 0.28;
  return [0.5 - half, 0.5 + half]
    .map((part, at) => {
      const [x, y] = [0, 1].map((axis) =>
        Math.round(100 * (one[axis] + part * (other[axis] - one[axis])) + 50),
      );
      return `${at ? "L" : "M"}${x} ${y}`;
    })
    .join("");
}

/** The compass in the middle of a ring. */
export const compass = () =>
  h(
    "svg.compass",
    { viewBox: "-60 -60 120 120", "aria-hidden": "true" },
    h("circle", { r: 44 }),
    path("var(--needle)", "M0-58 10-10 58 0 10 10 0 58-10 10-58 0-10-10Z"),
    path("#b3122b", "M0-58 10-10 0 0-10-10Z"),
  );

/** The picture on a card: a city under the moon or the sun. */
export const cityPicture = () =>
  h(
    "svg.city-picture",
    { viewBox: "0 -16 60 54", "aria-hidden": "true" },
    h("circle", { cx: 45, cy: -1, r: 12, fill: "var(--orb)" }),
    path("#0c0a12", "M1 38V20L13 8 25 20V38ZM22 38V10L32 0 42 10V38ZM39 38V22L49 12 59 22V38Z"),
    path("var(--light)", "M8 23H18V32H8ZM27 12H37V22H27ZM27 27H37V34H27ZM45 25H54V33H45Z"),
  );

/** What burns where a riot is now, or comes soon. */
export const flame = () =>
  h(
    "svg.icon.flame",
    { viewBox: "-30 -32 60 64", "aria-hidden": "true" },
    h("path", { d: "M0-30Q22-8 20 10A20 20 0 0 1-20 10Q-20-4-8-12-8 0 0 0 4-14 0-30Z" }),
  );

/** A player's wooden figure. @param {string} seat */
export const standee = (seat) =>
  h(
    "svg",
    { class: `icon standee ${seat}`, viewBox: "-32 -38 64 74", "aria-hidden": "true" },
    h("path.wood", { d: "M-24 26V-14Q-24-36 0-36 24-36 24-14V26Z" }),
    path("#7d5a30", "M-31 26H31V35H-31Z"),
    h("g", { transform: "translate(0 -5) scale(.75)" }, shape(shapeOf(seat))),
  );
