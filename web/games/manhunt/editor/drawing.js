/**
 * A map as lines, discs, polygons and texts in its own units: the same shapes as in
 * companion/games/manhunt/drawing.py; a test compares both. Pure.
 */
import { h } from "../../../core/dom.js";
import { endsOf } from "./check.js";

/** @type {Record<string, string>} */
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
/**
 * Ink, width and dashes of each look, the lowest stroke first; lengths in parts of the pitch.
 * @type {Record<string, [string, number, number[]][]>}
 */
export const STROKES = {
  plain: [["way", 0.09, []]],
  rail: [
    ["dark", 0.1, []],
    ["pale", 0.06, [0.12, 0.12]],
  ],
  wave: [
    ["water", 0.26, []],
    ["deep", 0.035, [0.16, 0.1]],
  ],
  double: [
    ["brick", 0.12, []],
    ["pale", 0.05, []],
  ],
  dash: [["leaf", 0.07, [0.14, 0.1]]],
  dots: [["earth", 0.08, [0.05, 0.09]]],
  thin: [["dark", 0.035, []]],
  bold: [["brick", 0.16, []]],
};
const [PLACE, NUMBER, NAME, SIGN, APART] = [0.27, 0.16, 0.075, 0.1, 0.16];
/** Height of a capital in parts of the type size. */
const CAPITALS = 0.73;
const ARROW = [
  [1.2, 0],
  [-0.8, 0.9],
  [-0.8, -0.9],
];
const DIAMOND = [
  [0.8, 0],
  [0, 0.8],
  [-0.8, 0],
  [0, -0.8],
];
const HOUSE = [
  [0, -1.1],
  [1, -0.2],
  [0.7, -0.2],
  [0.7, 0.9],
  [-0.7, 0.9],
  [-0.7, -0.2],
  [-1, -0.2],
];

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
 * The line style of each kind of way, in the order of the file.
 * @param {ManhuntWay[]} ways
 * @returns {Record<string, string>}
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

/**
 * The whole map, the lowest shape first: ways by kind, signs on them, places.
 * @param {ManhuntMap} map
 * @param {number} [unit]
 */
export function mapShapes(map, unit = pitch(map)) {
  return [...wayShapes(map, unit), ...map.places.flatMap((place) => placeShapes(place, unit))];
}

/** @param {ManhuntMap} map @param {number} unit */
function wayShapes(map, unit) {
  const lines = wayLines(map, unit);
  const byWidth = Object.entries(looks(map.ways)).sort(
    ([, a], [, b]) => STROKES[b][0][1] - STROKES[a][0][1],
  );
  const strokes = byWidth.flatMap(([kind, look]) => {
    const own = lines.filter((_, index) => (map.ways[index].kind ?? "street") === kind);
    return STROKES[look].map(([ink, width, dash]) => ({
      ink,
      width: width * unit,
      dash: dash.map((part) => part * unit),
      lines: own,
    }));
  });
  return [
    ...strokes,
    ...map.ways.flatMap((way, index) => [
      ...(way.between ? [] : [turned("arrow", lines[index], 0.62, ARROW, unit)]),
      ...(way.fugitive_only ? [turned("fugitive", lines[index], 0.42, DIAMOND, unit)] : []),
    ]),
  ];
}

/**
 * Each way's line; ways between the same two places lie beside each other.
 * @param {ManhuntMap} map
 * @param {number} unit
 */
function wayLines({ places, ways }, unit) {
  const at = new Map(places.map((place) => [place.number, place]));
  /** @type {Map<string, number[]>} */
  const pairs = new Map();
  ways.forEach((way, index) => {
    const key = [...endsOf(way)].sort((a, b) => a - b).join("-");
    pairs.set(key, [...(pairs.get(key) ?? []), index]);
  });
  /** @type {ManhuntLine[]} */
  const lines = [];
  for (const [key, indices] of pairs) {
    const [one, other] = key.split("-").map(Number);
    const [a, b] = [at.get(one) ?? { x: 0, y: 0 }, at.get(other) ?? { x: 0, y: 0 }];
    const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    indices.forEach((index, order) => {
      const shift = (order - (indices.length - 1) / 2) * APART * unit;
      const [right, down] = [(-(b.y - a.y) / long) * shift, ((b.x - a.x) / long) * shift];
      const line = [a.x + right, a.y + down, b.x + right, b.y + down];
      const isForward = endsOf(ways[index])[0] === one;
      lines[index] = isForward ? line : [...line.slice(2), ...line.slice(0, 2)];
    });
  }
  return lines;
}

/**
 * @param {string} ink
 * @param {ManhuntLine} line
 * @param {number} part
 * @param {number[][]} outline
 * @param {number} unit
 */
function turned(ink, [x1, y1, x2, y2], part, outline, unit) {
  const [x, y] = [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part];
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const [cos, sin] = [Math.cos(angle) * SIGN * unit, Math.sin(angle) * SIGN * unit];
  return {
    ink,
    points: outline.map(([across, down]) => [
      x + cos * across - sin * down,
      y + sin * across + cos * down,
    ]),
  };
}

/**
 * @param {string} ink
 * @param {number} x
 * @param {number} y
 * @param {number[][]} outline
 * @param {number} unit
 */
const sign = (ink, x, y, outline, unit) => ({
  ink,
  points: outline.map(([across, down]) => [x + across * SIGN * unit, y + down * SIGN * unit]),
});

/** @param {ManhuntPlace} place @param {number} unit */
function placeShapes({ x, y, number, name, starts = [], hideout, target }, unit) {
  const radius = PLACE * unit;
  /** @param {string} ink @param {number} reach @param {number} thick */
  const ring = (ink, reach, thick) => ({ ink, x, y, radius: radius * reach, thick: thick * unit });
  return [
    { ink: "pale", x, y, radius, thick: 0 },
    ring("dark", 1, 0.03),
    ...(starts.includes("hunter") ? [ring("hunter", 1, 0.045)] : []),
    ...(starts.includes("fugitive") ? [ring("fugitive", 0.86, 0.045)] : []),
    ...(hideout ? [sign("fugitive", x - radius, y - radius, HOUSE, unit)] : []),
    ...(target ? [sign("target", x + radius, y - radius, DIAMOND, unit * 1.3)] : []),
    { ink: "number", x, y: y + (NUMBER * unit) / 2, size: NUMBER * unit, words: String(number) },
    ...(name === String(number)
      ? []
      : [{ ink: "name", x, y: y + radius + 0.14 * unit, size: NAME * unit, words: name }]),
  ];
}

/** @param {number} value */
const fixed = (value) => String(Math.round(value * 10) / 10);

/**
 * Shapes as described elements of an SVG.
 * @param {ManhuntShape[]} shapes
 */
export const drawShapes = (shapes) => shapes.map(drawn);

/** @param {ManhuntShape} shape */
function drawn(shape) {
  const { ink, x, y } = shape;
  if (shape.lines)
    return h("path", {
      class: `line ink-${ink}`,
      d: shape.lines
        .map((line) => line.map(fixed))
        .map(([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`)
        .join(""),
      "stroke-width": fixed(shape.width),
      "stroke-dasharray": shape.dash.length ? shape.dash.map(fixed).join(" ") : null,
    });
  if (shape.points)
    return h("polygon", {
      class: `fill-${ink}`,
      points: shape.points.map((point) => point.map(fixed).join()).join(" "),
    });
  if (shape.words !== undefined)
    return h(
      "text",
      { class: ink, x: fixed(x), y: fixed(y), "font-size": fixed(shape.size / CAPITALS) },
      shape.words,
    );
  return h("circle", {
    class: shape.thick ? `line ink-${ink}` : `fill-${ink}`,
    cx: fixed(x),
    cy: fixed(y),
    r: fixed(shape.radius),
    "stroke-width": shape.thick ? fixed(shape.thick) : null,
  });
}
