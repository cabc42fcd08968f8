/**
 * A map during drawing, and its changes. Each change returns {map, ...} or {refused, at}: a code of
 * the catalogues, and the point of the gesture. Pure.
 */
import { endsOf } from "../city.js";
import { LONGEST_NAME, MOST_KINDS, MOST_PLACES, MOST_WAYS, kindsOf } from "./check.js";

const SIZE = { width: 1000, height: 700 };
const MOST_NUMBER = 9999;

/** The map before anything is drawn. @param {{title: string, language: string}} head */
export const blank = ({ title, language }) => ({
  format: 1,
  game: "manhunt",
  title,
  language,
  sample: false,
  size: { ...SIZE },
  places: [],
  ways: [],
  rules: {},
});

/** @param {string} code @param {ManhuntPoint | null} at @param {Params} [params] */
const refusal = (code, at, params = {}) => ({ refused: { code, params }, at });
/** @param {ManhuntMap} map @param {number} number @returns {any} */
export const placeAt = (map, number) => map.places.find((place) => place.number === number);
/** @param {{width: number, height: number}} size @param {ManhuntPoint} point */
const whole = ({ width, height }, { x, y }) => ({
  x: Math.min(Math.max(Math.round(x), 0), width),
  y: Math.min(Math.max(Math.round(y), 0), height),
});

/** Add a place, numbered and named. @param {ManhuntMap} map @param {ManhuntPoint} point */
export function addPlace(map, point) {
  if (map.places.length >= MOST_PLACES)
    return refusal("content.too_many", point, {
      key: "places",
      found: map.places.length + 1,
      most: MOST_PLACES,
    });
  const { width, height } = map.size;
  if (point.x < 0 || point.y < 0 || point.x > width || point.y > height)
    return refusal("edit.outside", point);
  const taken = new Set(map.places.flatMap(({ number, name }) => [String(number), name]));
  let number = 1;
  while (taken.has(String(number))) number += 1;
  const place = { number, name: String(number), ...whole(map.size, point) };
  return { map: { ...map, places: [...map.places, place] }, selected: number };
}

/**
 * Join two places by a way of a kind.
 * @param {ManhuntMap} map @param {number} from @param {number} to @param {string} kind
 */
export function addWay(map, from, to, kind) {
  const at = placeAt(map, to);
  if (from === to) return refusal("content.map.way_to_itself", at);
  if (map.ways.length >= MOST_WAYS) {
    const count = map.ways.length + 1;
    return refusal("content.too_many", at, { key: "ways", found: count, most: MOST_WAYS });
  }
  const isThere = map.ways.some((way) => {
    const [a, b] = endsOf(way);
    return (
      (way.kind ?? "street") === kind && ((a === from && b === to) || (a === to && b === from))
    );
  });
  if (isThere) return refusal("content.map.way_twice", at, { a: from, b: to });
  if (!kindsOf(map).includes(kind) && kindsOf(map).length >= MOST_KINDS)
    return refusal("content.map.kinds", at, { most: MOST_KINDS });
  return { map: { ...map, ways: [...map.ways, { between: [from, to], kind }] } };
}

/** @param {ManhuntMap} map @param {number} number @param {Partial<ManhuntPlace>} changes */
const changed = (map, number, changes) => ({
  ...map,
  places: map.places.map((place) => (place.number === number ? { ...place, ...changes } : place)),
});

/**
 * Move a place; it stays on the map.
 * @param {ManhuntMap} map @param {number} number @param {ManhuntPoint} point
 */
export const movePlace = (map, number, point) => ({
  map: changed(map, number, whole(map.size, point)),
});

/** Name a place. @param {ManhuntMap} map @param {number} number @param {string} name */
export function namePlace(map, number, name) {
  const at = placeAt(map, number);
  if (!name.trim()) return refusal("content.empty", at);
  if ([...name.trim()].length > LONGEST_NAME)
    return refusal("content.too_long", at, { most: LONGEST_NAME });
  if (map.places.some((place) => place.number !== number && place.name === name.trim()))
    return refusal("content.name_twice", at);
  return { map: changed(map, number, { name: name.trim() }) };
}

/**
 * Give a place another number; its ways keep leading to it.
 * @param {ManhuntMap} map @param {number} number @param {number} next
 */
export function numberPlace(map, number, next) {
  const at = placeAt(map, number);
  if (!Number.isInteger(next) || next < 1)
    return refusal("content.at_least", at, { found: String(next), least: 1 });
  if (next > MOST_NUMBER) return refusal("content.at_most", at, { found: next, most: MOST_NUMBER });
  if (next !== number && placeAt(map, next))
    return refusal("content.map.number_twice", at, { number: next });
  /** @param {any} end */
  const other = (end) => (end === number ? next : end);
  return {
    map: {
      ...changed(map, number, { number: next }),
      ways: map.ways.map((way) => renumbered(way, other)),
    },
    selected: next,
  };
}

/** @param {ManhuntWay} way @param {(end: any) => any} other */
const renumbered = (way, other) =>
  way.between
    ? { ...way, between: way.between.map(other) }
    : { ...way, from: other(way.from), to: other(way.to) };

/**
 * Change what a place is: "hideout", "target", or a side that starts there.
 * @param {ManhuntMap} map @param {number} number @param {string} what
 */
export function togglePlace(map, number, what) {
  /** @type {ManhuntPlace} */
  const { starts = [], ...place } = placeAt(map, number);
  if (what === "hideout" || what === "target")
    return { map: changed(map, number, { [what]: !place[what] }) };
  const others = starts.filter((side) => side !== what);
  return {
    map: changed(map, number, {
      starts: others.length < starts.length ? others : [...starts, what],
    }),
  };
}

/** Remove a place, with its ways. @param {ManhuntMap} map @param {number} number */
export const removePlace = (map, number) => ({
  map: {
    ...map,
    places: map.places.filter((place) => place.number !== number),
    ways: map.ways.filter((way) => !endsOf(way).includes(number)),
  },
  selected: null,
});

/** @param {ManhuntMap} map @param {number} index */
export const removeWay = (map, index) => ({
  map: { ...map, ways: map.ways.filter((_, each) => each !== index) },
});

/** Turn a way: one-way, one-way back, both. @param {ManhuntMap} map @param {number} index */
export function turnWay(map, index) {
  /** @type {any} */
  const { between, from, to, ...rest } = map.ways[index];
  const [one, other] = endsOf(map.ways[index]);
  const turned = between
    ? { from: one, to: other, ...rest }
    : one < other
      ? { from: other, to: one, ...rest }
      : { between: [other, one], ...rest };
  return { map: replaced(map, index, turned) };
}

/** @param {ManhuntMap} map @param {number} index */
export const onlyFugitive = (map, index) => ({
  map: replaced(map, index, { ...map.ways[index], fugitive_only: !map.ways[index].fugitive_only }),
});

/** @param {ManhuntMap} map @param {number} index @param {ManhuntWay} way */
const replaced = (map, index, way) => ({
  ...map,
  ways: map.ways.map((each, at) => (at === index ? way : each)),
});

/**
 * Set the map's size to that of a picture, while there are no places yet.
 * @param {ManhuntMap} map @param {string} name @param {{width: number, height: number}} size
 */
export function overPicture(map, name, { width, height }) {
  const background = name.replace(/.*[/\\]/, "");
  if (map.places.length) return { map: { ...map, background } };
  const size = { width: SIZE.width, height: Math.max(100, Math.round((1000 * height) / width)) };
  return { map: { ...map, background, size } };
}
