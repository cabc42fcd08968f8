/** The drawings of V-Wars: where regions lie on the map, roads, cities, standees. They do not depend on the game's state. */
import { shape } from "../../core/icons.js";
import { shapeOf } from "../../core/i18n.js";
import { h } from "../../core/dom.js";

/** @param {string} kind class of the path @param {string} d */
const path = (kind, d) => h("path", { class: kind, d });

/**
 * The end: a city under a red moon, at sunrise or, at a draw, in the dark. `winner`: who won.
 * @param {string} winner
 */
export const triumph = (winner) =>
  h(
    "svg",
    { class: `triumph won-${winner}`, viewBox: "-160 -50 320 100", "aria-hidden": "true" },
    h("circle.orb", { cy: winner === "humans" ? 18 : -8, r: 34 }),
    path(
      "town",
      "M-160 50V22H-138V8H-112V28H-96V-4H-84L-78-16-72-4H-60V24H-40V12H-14V30H10V2H24V-10H40V2H52V26H70V14H98V-2H118V20H140V10H160V50Z",
    ),
    path(
      "windows",
      "M-130 16H-124V22H-130ZM-90 8H-84V14H-90ZM-72 20H-66V26H-72ZM-32 22H-26V28H-32ZM20 14H26V20H20ZM36 24H42V30H36ZM80 24H86V30H80ZM104 8H110V14H104ZM146 22H152V28H146Z",
    ),
  );

/**
 * Where eight regions lie, in the order of a ring: on a square around its middle, or in two columns. [column, row]
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

/**
 * Return the regions' places on a wide and on a tall screen.
 * @param {number} count
 */
const placesOf = (count) =>
  count === RING
    ? [SQUARE, COLUMNS]
    : [rows(count, Math.min(WIDE, count)), rows(count, Math.min(TALL, count))];

/**
 * How far two places are from each other, as roads go; one through a third place counts double.
 * @param {VWarsPlace} place
 * @param {VWarsPlace} other
 */
const distance = ([x, y], [x2, y2]) => {
  const far = Math.hypot(x2 - x, y2 - y);
  const isThrough = far > 1.9 && (x === x2 || y === y2);
  return isThrough ? 2 * far : far;
};

/**
 * The length of all roads if region `order[at]` lies on place `at`.
 * @param {string[]} order
 * @param {VWarsRoad[]} roads
 * @param {VWarsPlace[]} places
 */
function length(order, roads, places) {
  /** @type {Map<string, any>} */
  const at = new Map(order.map((id, index) => [id, places[index]]));
  return roads.reduce((sum, [one, other]) => sum + distance(at.get(one), at.get(other)), 0);
}

/**
 * The roads between regions that touch, each once; none where every region touches every other: nobody typed which do.
 * @param {Record<string, {adjacent: string[]}>} regions
 * @returns {VWarsRoad[]}
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
 * @param {string[]} ids
 * @param {VWarsRoad[]} roads
 * @param {VWarsPlace[]} places
 * @returns {string[]}
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
 * @returns {[string[], number]}
 * @param {string[]} first
 * @param {VWarsRoad[]} roads
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
 * @param {Record<string, {adjacent: string[]}>} regions
 * @returns {VWarsChart}
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

/**
 * The roads between the regions, beneath them; stretched over the room that the map has.
 * @param {Record<string, VWarsPlace>} places
 * @param {VWarsRoad[]} roads
 * @param {string} kind
 */
export const roadMap = (places, roads, kind) => {
  const all = Object.values(places);
  const [columns, lines] = [0, 1].map((axis) => 1 + Math.max(...all.map((place) => place[axis])));
  return h(
    "svg",
    {
      class: `roads ${kind}`,
      viewBox: `0 0 ${columns * 100} ${lines * 100}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    roads.map(([one, other]) =>
      h("path", {
        d: [places[one], places[other]]
          .map(([x, y], at) => `${at ? "L" : "M"}${x * 100 + 50} ${y * 100 + 50}`)
          .join(""),
      }),
    ),
  );
};

/** The compass in the middle of a ring. */
export const compass = () =>
  h(
    "svg.compass",
    { viewBox: "-60 -60 120 120", "aria-hidden": "true" },
    h("circle", { r: 44 }),
    path("needle", "M0-58 10-10 58 0 10 10 0 58-10 10-58 0-10-10Z"),
    path("north", "M0-58 10-10 0 0-10-10Z"),
  );

/** A city's houses; their windows are lit in the colour of who holds it. */
export const skyline = () =>
  h(
    "svg.skyline",
    { viewBox: "0 0 60 38", "aria-hidden": "true" },
    path("houses", "M1 38V20L13 8 25 20V38ZM22 38V10L32 0 42 10V38ZM39 38V22L49 12 59 22V38Z"),
    path("windows", "M8 23H18V32H8ZM27 12H37V22H27ZM27 27H37V34H27ZM45 25H54V33H45Z"),
  );

/** What burns where a riot is now, or comes soon. */
export const flame = () =>
  h(
    "svg.icon.flame",
    { viewBox: "-30 -32 60 64", "aria-hidden": "true" },
    path("fire", "M0-30Q22-8 20 10A20 20 0 0 1-20 10Q-20-4-8-12-8 0 0 0 4-14 0-30Z"),
  );

/**
 * A player's wooden figure.
 * @param {string} seat
 */
export const standee = (seat) =>
  h(
    "svg",
    { class: `icon standee ${seat}`, viewBox: "-32 -38 64 74", "aria-hidden": "true" },
    path("wood", "M-24 26V-14Q-24-36 0-36 24-36 24-14V26Z"),
    path("foot", "M-31 26H31V35H-31Z"),
    h("g", { transform: "translate(0 -5) scale(.75)" }, shape(shapeOf(seat))),
  );
