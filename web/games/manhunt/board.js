/**
 * A map as an SVG: its city, and on it the places, pawns and marks of a page. A pure function of the
 * map's file, of a view {pawns} and of this page's marks.
 */
import { endsOf } from "./city.js";
import { drawCity, drawNames, pathOf, plan } from "./city_drawing.js";
import { PAWN_GROWTH, pawnSpots } from "./pawn_spots.js";
import { shape } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { text, translated, shapeOf } from "../../core/i18n.js";
import { mapOf } from "../../core/reference.js";

export { legend } from "./city_drawing.js";

/**
 * The width of a map in pixels on a phone, on a display of 7 inches and on one of 1366 × 768, and
 * the least sizes of its numbers and names there.
 */
const NARROW = { phone: 320, small: 520, wide: 840 };
const LEAST = 14;
const LEAST_NAME = { phone: 14, small: 13, wide: 10 };
/** How long the whole way of a finished game takes to be drawn. */
const WAY_SECONDS = 5;
/** The largest zoom that the button for it offers. */
const MOST_ZOOM = 3;

/** @param {ManhuntPlace} place */
const cellOf = ({ number }) => String(number);

/** @type {WeakMap<ManhuntMap, Map<string, ManhuntPlace>>} */
const byCell = new WeakMap();

/** The places of a map by cell. @param {ManhuntMap} map */
function placesOf(map) {
  const old = byCell.get(map);
  if (old) return old;
  const places = new Map(map.places.map((place) => [cellOf(place), place]));
  byCell.set(map, places);
  return places;
}

/** A place's number and name. @param {string | number} cell @param {ManhuntMap | null} [map] */
export function placeName(cell, map = mapOf()) {
  const place = map && placesOf(map).get(String(cell));
  return place ? `${cell} ${translated(place.name)}` : String(cell);
}

/**
 * A place in words: its label, the pawns that stand there, and its ways: "12 Coal Quay, Ana a, street
 * to 11, 13, boat to 30".
 * @param {{pawns?: Record<string, string>}} view @param {string} cell
 * @param {ManhuntMap | null} [map]
 */
export function placeWords({ pawns = {} }, cell, map = mapOf()) {
  const standing = Object.keys(pawns).filter((pawn) => pawns[pawn] === cell);
  return [
    placeName(cell, map),
    ...standing.map((pawn) => text("pawn", { pawn })),
    ...Object.entries(waysFrom(cell, map)).map(([kind, places]) =>
      text("ways.to", { kind, places: places.join(", ") }),
    ),
  ].join(", ");
}

/**
 * The numbers of the places to which a place's ways lead, by the kind of the way.
 * @param {string} cell @param {ManhuntMap | null} map
 */
function waysFrom(cell, map) {
  const here = Number(cell);
  /** @type {Record<string, number[]>} */
  const places = {};
  for (const { between, from, to, kind = "street" } of map?.ways ?? []) {
    const ends = endsOf({ between, from, to });
    const there = ends[0] === here ? ends[1] : between && ends[1] === here ? ends[0] : null;
    if (there) (places[kind] ??= []).push(there);
  }
  return places;
}

/** The kind of a way in words: the file's, or the word for unseen ways. @param {string} way */
export const wayName = (way) => text("way", { kind: way });

/**
 * Draw a map. Without a label it is one picture, and nothing can be pressed.
 * @param {{pawns?: Record<string, string>, to_move?: string | null}} view
 * @param {ManhuntLook & {trail?: any, way?: string[]}} [look]
 * @param {ManhuntMap | null} [map]
 */
export function drawMap(view, look = {}, map = mapOf()) {
  if (!map) return h("p#field.muted", "…");
  const places = placesOf(map);
  const city = plan(map, translated);
  const zoom = look.zoom ?? 1;
  const most = Math.max(1, ...Object.values(look.odds ?? {}));
  const sizes = sizesOf(city, zoom);
  const laid = { city, places, radius: city.radius, stops: stopsOf(city) };
  const marks = { ...look, focus: look.focus ?? [...places.keys()][0] };
  const pawns = view.pawns ?? {};
  const spots = pawnSpots(pawns, laid, Math.max(Number(sizes.phone), Number(sizes.small)));
  return h(
    "div#mapbox",
    {
      class: `mapbox zoom-${zoom}`,

      // Keys scroll to the parts outside, even if keys can reach no place.
      tabindex: look.label ? null : 0,
    },
    h(
      "svg#field.field.map",
      {
        class: sizes.looks,
        "--radius": city.radius,
        "--phone": sizes.phone,
        "--small": sizes.small,
        "--pawn-growth": PAWN_GROWTH,
        role: look.label ? "group" : "img",
        "aria-label": look.title,
        viewBox: city.view.join(" "),
      },
      drawCity(city),
      (look.trail ?? []).length > 1 && drawTrail(look.trail, laid),
      (look.way?.length ?? 0) > 1 && drawWay(look.way ?? [], laid),
      drawNames(city, pawnBoxes(pawns, laid, spots)),
      [...places].map(([cell, place]) => drawPlace(cell, place, laid, marks, most)),
      (look.arrows ?? []).map((arrow) => drawArrow(arrow, laid)),
      h("g", { "aria-hidden": "true" }, drawPawns(pawns, laid, spots, view)),
    ),
  );
}

/**
 * How much larger places are drawn on a phone and on a small display, so that their numbers can be
 * read, and which words have no room there.
 * @param {ManhuntCity} city @param {number} zoom
 */
function sizesOf({ view, radius, unit, names, ways }, zoom) {
  const longest = String(Math.max(...ways.flatMap(({ ends }) => ends)));
  const most = (0.46 * unit) / radius;
  const size = names[0]?.size ?? LEAST;
  /** @type {["phone", "small", "wide"]} */
  const places = ["phone", "small", "wide"];
  const parts = places.map((where) => {
    const pixels = (NARROW[where] * zoom) / view[2];
    const enlarged = Math.max(LEAST / (numberSize(longest, radius) * pixels), 1);
    return {
      by: Math.min(enlarged, most).toFixed(2),
      // Numbers that would be too small stand at the places alone that can be pressed.
      looks: [
        enlarged > most && `${where}-dots`,
        size * pixels < LEAST_NAME[where] && `${where}-bare`,
      ],
    };
  });
  const [phone, small] = parts.map(({ by }) => by);
  return { phone, small, looks: parts.flatMap(({ looks }) => looks).filter(Boolean) };
}

/** The least zoom at which a phone shows every place's number. @param {ManhuntMap | null} map */
export function firstZoom(map = mapOf()) {
  if (!map) return 1;
  const city = plan(map, translated);
  const zooms = [1, 2].filter((zoom) => !sizesOf(city, zoom).looks.includes("phone-dots"));
  return zooms[0] ?? MOST_ZOOM;
}

/** The button's next zoom. @param {number} [zoom] */
export const nextZoom = (zoom = 1) => (zoom >= MOST_ZOOM ? 1 : zoom + 1);

/**
 * A page's `show` that scrolls an enlarged map to what can be pressed when it comes onto the page.
 * @param {(trees: Child[]) => void} show
 */
export function centring(show) {
  /** @param {Child[]} trees */
  return (trees) => {
    const before = document.getElementById("mapbox");
    show(trees);
    if (document.getElementById("mapbox") !== before) centreMap();
  };
}

/** @type {WeakMap<ManhuntCity, Map<string, string>>} */
const stops = new WeakMap();

/**
 * The look of the boats or trains that stop at a place.
 * @param {ManhuntCity} city @returns {Map<string, string>}
 */
function stopsOf(city) {
  const old = stops.get(city);
  if (old) return old;
  const lines = ["wave", "rail"].flatMap((look) =>
    city.ways
      .filter((way) => way.look === look)
      .flatMap(({ ends }) => ends.map((end) => ({ cell: String(end), look }))),
  );
  const looksByCell = new Map(lines.map((line) => [line.cell, line.look]));
  stops.set(city, looksByCell);
  return looksByCell;
}

/** Scroll an enlarged map to a place that can be pressed, else to its middle, once it is drawn. */
export function centreMap() {
  requestAnimationFrame(() => {
    const box = document.getElementById("mapbox");
    const target = box?.querySelector(".live") ?? box?.querySelector("svg");
    if (!box || !target) return;
    const [at, seen] = [target.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollBy(
      at.left + at.width / 2 - seen.left - seen.width / 2,
      at.top + at.height / 2 - seen.top - seen.height / 2,
    );
  });
}

/** A path over places along their ways. @param {string[]} cells @param {ManhuntLaid} laid */
function drawTrail(cells, { city, places, radius }) {
  return h("path.trail", {
    d: stepsOf(cells, { city, places }).join(""),
    "stroke-width": Math.round(radius * 0.5),
  });
}

/** The way of a finished game, drawn by steps. @param {string[]} cells @param {ManhuntLaid} laid */
function drawWay(cells, laid) {
  const steps = stepsOf(cells, laid);
  return h(
    "g.way",
    { "aria-hidden": "true", "--pace": `${WAY_SECONDS / steps.length}s` },
    steps.map((d, index) =>
      h("path.trail", { d, "--step": index, "stroke-width": Math.round(laid.radius * 0.5) }),
    ),
  );
}

/**
 * The line of each step between places, along the way where there is one.
 * @param {string[]} cells
 * @param {Pick<ManhuntLaid, "city" | "places">} laid
 */
function stepsOf(cells, { city, places }) {
  return cells.slice(1).map((cell, index) => {
    const ends = [String(cells[index]), String(cell)];
    const [a, b] = ends.map((end) => places.get(end));
    const ways = city.ways.filter((way) => ends.every((end) => way.ends.map(String).includes(end)));
    if (!a || !b || a === b) return "";
    return ways.length === 1 ? pathOf(ways[0]) : `M${a.x} ${a.y}L${b.x} ${b.y}`;
  });
}

/**
 * @param {string} cell @param {ManhuntPlace} place @param {ManhuntLaid} laid
 * @param {ManhuntLook} look @param {number} most
 */
function drawPlace(cell, place, { radius, stops: stopLooks }, look, most) {
  const isLive = look.label && (!look.pressable || look.pressable.includes(cell));
  const ring = cell === look.me ? "me" : look.rings?.[cell];
  const chance = look.odds?.[cell];
  const attrs = look.label
    ? {
        "data-cell": cell,
        role: "button",
        tabindex: isLive || cell === look.focus ? 0 : -1,
        "aria-label": look.label(cell),
        "aria-disabled": isLive ? null : "true",
        "data-why-not": isLive ? null : look.whyNot?.(cell),
      }
    : {};
  const kind = place.hideout ? "hideout" : place.target ? "target" : "";
  return h(
    "g",
    {
      ...attrs,
      class: [
        "place",
        kind,
        stopLooks.get(cell),
        isLive && "live",
        isLive && look.pressable && "offered",
        ring && "ringed",
      ],
      transform: `translate(${place.x} ${place.y})`,
      translate: "no",
    },
    h("circle.hit", { r: radius * 2.1 }),
    h(
      "g.sign",
      chance && h("circle.chance", { r: radius * (1.25 + chance / most / 2) }),
      kind === "hideout"
        ? h("rect.ground", { x: -radius, y: -radius, width: 2 * radius, height: 2 * radius, rx: 3 })
        : h("circle.ground", { r: radius }),
      kind === "target" && h("circle.bull", { r: radius * 0.8 }),
      number(cell, radius),
      look.clues?.[cell] && drawClue(look.clues[cell], radius),
      ring && h("circle", { class: `ring ${ring}`, r: radius * 1.4 }),
    ),
  );
}

/**
 * What a question has shown of a place: on its lower edge, since pawns stand above.
 * @param {"yes" | "no"} clue @param {number} radius
 */
const drawClue = (clue, radius) =>
  h(
    "g",
    {
      class: `clue ${clue}`,
      transform: `translate(${radius} ${radius * 0.9}) scale(${radius / 54})`,
    },
    h("circle", { r: 32 }),
    shape(clue === "yes" ? "check" : "cross"),
  );

/** @param {string} cell @param {number} radius */
const numberSize = (cell, radius) => Math.round(radius * (cell.length > 2 ? 0.95 : 1.2));

/** A place's number, as large as there is room. @param {string} cell @param {number} radius */
function number(cell, radius) {
  const size = numberSize(cell, radius);
  return h("text", { y: Math.round(size * 0.35), "font-size": size }, cell);
}

/** @param {{from: string, to: string}} arrow @param {ManhuntLaid} laid */
function drawArrow({ from, to }, { places, radius }) {
  const [a, b] = [places.get(String(from)), places.get(String(to))];
  return (
    a &&
    b &&
    h("line.arrow", {
      x1: a.x,
      y1: a.y,
      x2: b.x,
      y2: b.y,
      "stroke-width": Math.round(radius * 0.4),
    })
  );
}

/**
 * What the pawns cover: left, top, right, bottom of each.
 * @param {Record<string, string>} pawns @param {ManhuntLaid} laid
 * @param {Map<string, [number, number]>} spots
 */
const pawnBoxes = (pawns, { places, radius }, spots) =>
  [...spots].map(([pawn, [right, down]]) => {
    const { x = 0, y = 0 } = places.get(pawns[pawn]) ?? {};
    const [left, top] = [x + right - radius, y + down - radius * 1.2];
    return [left, top, left + 2 * radius, top + 2.4 * radius];
  });

/**
 * Pawns stand beside the numbers of their places.
 * @param {Record<string, string>} pawns @param {ManhuntLaid} laid
 * @param {Map<string, [number, number]>} spots @param {{to_move?: string | null}} view
 */
const drawPawns = (pawns, { places, radius }, spots, { to_move: mover }) =>
  [...spots].map(([pawn, spot]) => {
    const { x = 0, y = 0 } = places.get(pawns[pawn]) ?? {};
    const seat = pawn.slice(0, 2);
    return h(
      "g",
      {
        class: `pawn ${seat}${seat === mover ? " moving" : ""}`,
        "data-pawn": pawn,
        transform: `translate(${x} ${y})`,
      },
      h(
        "g.sign",
        h(
          "g",
          {
            transform: `translate(${spot.map(Math.round).join(" ")}) scale(${(radius / 24).toFixed(2)})`,
          },
          h("ellipse.shade", { cy: 24, rx: 24, ry: 7 }),
          h("g", { class: `icon ${seat}` }, shape(shapeOf(seat))),
          h("text", { y: shapeOf(seat) === "triangle" ? 15 : 10, "font-size": 34 }, pawn.slice(2)),
        ),
      ),
    );
  });
