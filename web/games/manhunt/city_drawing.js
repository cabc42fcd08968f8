/** A city's plan as an SVG: river, parks, houses, ways and names. Pure. */
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";
import { mapOf } from "../../core/reference.js";
import { cityOf, looks } from "./city.js";
import { meet } from "./city_names.js";

/**
 * How each look is drawn: ink, width and dashes in parts of the pitch, and the layer, the lowest
 * first. Houses stand above layer 1.
 * @type {Record<string, [string, number, number[], number][]>}
 */
const STROKES = {
  plain: [
    ["casing", 0.22, [], 2],
    ["street", 0.135, [], 3],
    ["middle", 0.018, [0.085, 0.11], 4],
  ],
  rail: [
    ["casing", 0.12, [], 2],
    ["rail", 0.05, [], 5],
    ["rail", 0.17, [0.03, 0.13], 5],
  ],
  wave: [
    ["bank", 0.66, [], 0],
    ["water", 0.5, [], 1],
    ["boats", 0.045, [0.001, 0.13], 5],
  ],
  double: [
    ["casing", 0.22, [], 2],
    ["brick", 0.15, [], 3],
    ["steps", 0.15, [0.03, 0.07], 4],
  ],
  dash: [
    ["casing", 0.15, [], 2],
    ["leaf", 0.075, [0.14, 0.14], 3],
  ],
  dots: [
    ["casing", 0.16, [], 2],
    ["earth", 0.08, [0.001, 0.14], 3],
  ],
  thin: [
    ["casing", 0.12, [], 2],
    ["fair", 0.045, [], 3],
  ],
  bold: [
    ["casing", 0.24, [], 2],
    ["rose", 0.16, [], 3],
    ["steps", 0.03, [0.2, 0.1], 4],
  ],
};
/** @type {any[]} */
const SAMPLE = [{ line: [4, 12, 4, 12, 56, 12, 56, 12] }];
const GROUND = 1;
const TONES = [0, 1, 2, 3];

/** @param {number} value */
const short = (value) => Math.round(value * 10) / 10;
/** @param {number[]} numbers */
const joined = (...numbers) => numbers.map(short).join(" ");

/** @type {WeakMap<ManhuntCity, VNode[]>} */
const drawn = new WeakMap();

/**
 * The plan of a map in this page's language. A name that is the place's number is not written.
 * @param {ManhuntMap} map @param {(name: string) => string} nameOf
 */
export const plan = (map, nameOf) =>
  cityOf(
    map,
    map.places.map(({ name, number }) => (name === String(number) ? "" : nameOf(name))),
  );

/** The city below its places, drawn once for each plan. @param {ManhuntCity} city */
export function drawCity(city) {
  const old = drawn.get(city);
  if (old) return old;
  const strokes = city.ways.flatMap((way) =>
    STROKES[way.look].map(([ink, width, dash, layer]) => ({ way, ink, width, dash, layer })),
  );
  /** @type {Map<string, any>} */
  const byStroke = new Map();
  for (const { way, ...stroke } of strokes) {
    const key = JSON.stringify([stroke, way.isSecret]);
    const same = byStroke.get(key) ?? { ...stroke, isSecret: way.isSecret, ways: [] };
    same.ways.push(way);
    byStroke.set(key, same);
  }
  const sorted = [...byStroke.values()].sort((a, b) => a.layer - b.layer);
  const [below, above] = [true, false].map((isLow) =>
    sorted
      .filter(({ layer }) => layer <= GROUND === isLow)
      .map((stroke) => drawStroke(stroke, city.unit)),
  );
  const vnodes = [
    h("g.city", { "aria-hidden": "true" }, below, drawParks(city), drawHouses(city), above),
    h("g.arrows", { "aria-hidden": "true" }, drawDirections(city)),
  ];
  drawn.set(city, vnodes);
  return vnodes;
}

/** @param {{ink: string, width: number, dash: number[], ways: ManhuntCityWay[], isSecret: boolean}} stroke @param {number} unit */
const drawStroke = ({ ink, width, dash, ways, isSecret }, unit) =>
  h("path", {
    class: ["way", dash[0] > 0.01 && "flat", isSecret && "hidden-way"],
    "--ink": `var(--${ink})`,
    d: ways.map(pathOf).join(""),
    "stroke-width": short(width * unit),
    "stroke-dasharray": dash.length ? joined(...dash.map((part) => part * unit)) : null,
  });

/** @param {ManhuntCityWay} way */
export function pathOf({ line, isCurved }) {
  const [x, y, ...rest] = line;
  return isCurved
    ? `M${joined(x, y)}C${joined(...rest)}`
    : `M${joined(x, y)}L${joined(...rest.slice(-2))}`;
}

/** @param {ManhuntCity} city */
const drawParks = ({ parks, unit }) =>
  parks.length > 0 && [
    h("path.park", {
      d: parks.map(({ edge }) => `M${edge.map(({ x, y }) => joined(x, y)).join("L")}Z`).join(""),
      "stroke-width": short(unit * 0.2),
    }),
    h("path.tree", {
      d: parks.flatMap(({ trees }) => trees.map(({ x, y }) => `M${joined(x, y)}h.1`)).join(""),
      "stroke-width": short(unit * 0.15),
    }),
  ];

/** @param {ManhuntCity} city */
function drawHouses({ houses }) {
  if (!houses.length) return null;
  /** @param {ManhuntHouse} house @param {number[][]} corners */
  const outline = ({ x, y, ahead, aside, width, depth }, corners) =>
    `M${corners
      .map(([right, down]) => [right * width, down * depth])
      .map(([right, down]) =>
        joined(x + ahead * right - aside * down, y + aside * right + ahead * down),
      )
      .join("L")}Z`;
  /** @param {number} left @param {number} top @param {number} right @param {number} bottom */
  const box = (left, top, right, bottom) => [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  return [
    TONES.map((tone) =>
      h("path.house", {
        "--tone": `var(--house-${tone})`,
        d: houses
          .filter((house) => house.tone === tone)
          .map((house) => outline(house, box(-0.5, -0.5, 0.5, 0.5)))
          .join(""),
      }),
    ),
    h("path.eave", { d: houses.map((house) => outline(house, box(-0.5, 0, 0.5, 0.5))).join("") }),
    h("path.lit", {
      d: houses
        .filter(({ isLit }) => isLit)
        .map((house) => outline(house, box(-0.1, 0.1, 0.12, 0.4)))
        .join(""),
    }),
  ];
}

/** The heads of arrows on one-way streets. @param {ManhuntCity} city */
const drawDirections = ({ ways, unit }) =>
  ways
    .filter(({ isOneWay }) => isOneWay)
    .map(({ points }) => {
      const [from, to] = [points[0], points[points.length - 1]];
      const middle = points[Math.floor(points.length / 2)];
      const [x, y] =
        points.length > 2 ? [middle.x, middle.y] : [(from.x + to.x) / 2, (from.y + to.y) / 2];
      const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
      return h("path.one-way", {
        d: "M12 0-8 9V-9Z",
        transform: `translate(${joined(x, y)}) rotate(${short(turn)}) scale(${short(unit / 90)})`,
      });
    });

/**
 * The names of places, above all that is not pressed, without those that boxes of something else
 * would cover in part.
 * @param {ManhuntCity} city @param {number[][]} covered
 */
export const drawNames = ({ names }, covered = []) =>
  h(
    "g.names",
    { "aria-hidden": "true", translate: "no" },
    names
      .filter(({ box }) => !covered.some((each) => meet(box, each)))
      .map(({ lines, anchor, x, y, size }) =>
        lines.map((line, index) =>
          h(
            "text.name",
            {
              class: anchor,
              x: short(x),
              y: short(y + size * (0.86 + index * 1.12)),
              "font-size": short(size),
            },
            line,
          ),
        ),
      ),
  );

/** The line of a kind of way, for a legend. @param {string} look */
export const sample = (look) =>
  h(
    "svg.sample",
    { viewBox: "0 0 60 24", "aria-hidden": "true" },
    STROKES[look].map(([ink, width, dash]) =>
      drawStroke({ ink, width: Math.min(width, 0.4), dash, isSecret: false, ways: SAMPLE }, 56),
    ),
  );

/** The kinds of ways with their lines. @param {ManhuntMap | null} [map] */
export const legend = (map = mapOf()) =>
  map &&
  h(
    "ul.legend",
    Object.entries(looks(map.ways)).map(([kind, look]) =>
      h("li", sample(look), text("way", { kind })),
    ),
  );
