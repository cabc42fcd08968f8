/** A map as an SVG, a pure function of its file, of a view {pawns} and of this page's marks. */
import { shape } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { text, translated, shapeOf } from "../../core/i18n.js";
import { mapOf } from "../../core/reference.js";

/** Kinds of ways differ by colour and dashes, in the order of the file. */
const KINDS = 8;

/** @param {ManhuntPlace} place */
const cellOf = ({ number }) => String(number);
/** @param {ManhuntWay} way */
const endsOf = ({ between, from, to }) => between ?? [from, to];

/** Values computed once from a map: its places by cell, its ways, and the size of a place. */
const known = new WeakMap();

/** @param {ManhuntMap} map @returns {ManhuntLaid} */
function layOut(map) {
  if (!known.has(map)) known.set(map, laidOut(map));
  return known.get(map);
}

/** @param {ManhuntMap} map @returns {ManhuntLaid} */
function laidOut(map) {
  const places = new Map(map.places.map((place) => [cellOf(place), place]));
  const ways = (map.ways ?? []).map((way) => ({
    kind: "street",
    ...way,
    ends: endsOf(way).map(String),
  }));
  const kinds = [...new Set(ways.map(({ kind }) => kind))];
  const { width = 1000, height = 700 } = map.size ?? {};
  const room = Math.sqrt((width * height) / map.places.length);
  return { places, ways, kinds, width, height, radius: Math.round(room * 0.2) };
}

/**
 * The label of a place: its number and its name.
 * @param {string | number} cell
 * @param {ManhuntMap | null} [map]
 */
export function placeName(cell, map = mapOf()) {
  const place = map && layOut(map).places.get(String(cell));
  return place ? `${cell} ${translated(place.name)}` : String(cell);
}

/**
 * The kind of a way in words: the file's name for it, or the word for an unseen way.
 * @param {string} way
 */
export const wayName = (way) => text("way", { kind: way });

/**
 * Draw a map. Without a label nothing can be pressed.
 * @param {{pawns?: Record<string, string>, to_move?: string | null}} view
 * @param {ManhuntLook & {trail?: any}} [look]
 * @param {ManhuntMap | null} [map]
 */
export function drawMap(view, look = {}, map = mapOf()) {
  if (!map) return h("p#field.muted", "…");
  const laid = layOut(map);
  const focus = look.focus ?? [...laid.places.keys()][0];
  const most = Math.max(1, ...Object.values(look.odds ?? {}));
  return h(
    "div#mapbox",
    {
      class: `mapbox zoom-${look.zoom ?? 1}`,

      // Keys scroll to the parts outside, even if keys can reach no place.
      tabindex: look.label ? null : 0,
    },
    h(
      "svg#field.field.map",
      {
        role: look.label ? "group" : "img",
        "data-why-not": look.label ? null : look.whyWait,
        "aria-label": look.title,
        viewBox: `${-laid.radius * 2} ${-laid.radius * 3} ${laid.width + 4 * laid.radius} ${laid.height + 5 * laid.radius}`,
      },
      laid.ways.map((way) => drawWay(way, laid)),
      (look.trail ?? []).length > 1 && drawTrail(look.trail, laid),
      [...laid.places].map(([cell, place]) =>
        drawPlace(cell, place, laid, { ...look, focus }, most),
      ),
      (look.arrows ?? []).map((arrow) => drawArrow(arrow, laid)),
      h("g", { "aria-hidden": "true" }, drawPawns(view.pawns ?? {}, laid, view)),
    ),
  );
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

/** @param {ManhuntLaidWay} way @param {ManhuntLaid} laid */
function drawWay({ ends: [from, to], kind, fugitive_only: isHidden, between }, laid) {
  const [a, b] = [laid.places.get(from), laid.places.get(to)];
  if (!a || !b) return null;
  const number = laid.kinds.indexOf(kind) % KINDS;
  // Ways of several kinds between the same places lie beside each other.
  const [right, down] = aside(a, b, number * laid.radius * 0.24);
  return h("line", {
    class: `way kind-${number}${isHidden ? " hidden-way" : ""}${between ? "" : " one-way"}`,
    x1: a.x + right,
    y1: a.y + down,
    x2: b.x + right,
    y2: b.y + down,
    "stroke-width": Math.max(2, laid.radius * 0.22),
  });
}

/** @param {ManhuntPoint} a @param {ManhuntPoint} b @param {number} far */
function aside(a, b, far) {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return [((a.y - b.y) / length) * far, ((b.x - a.x) / length) * far].map(Math.round);
}

/** @param {string[]} cells @param {{places: Map<string, any>, radius: number}} laid */
function drawTrail(cells, laid) {
  const points = cells
    .map((cell) => laid.places.get(String(cell)))
    .filter(Boolean)
    .map(({ x, y }) => `${x},${y}`)
    .join(" ");
  return h("polyline.trail", { points, "stroke-width": laid.radius * 0.5 });
}

/**
 * @param {string} cell
 * @param {ManhuntPlace} place
 * @param {ManhuntLaid} laid
 * @param {ManhuntLook} look
 * @param {number} most
 */
function drawPlace(cell, place, { radius }, look, most) {
  const isLive = look.label && (!look.pressable || look.pressable.includes(cell));
  const ring = cell === look.me ? "me" : look.rings?.[cell];
  const chance = look.odds?.[cell];
  const attrs = look.label
    ? {
        "data-cell": cell,
        role: "button",
        tabindex: cell === look.focus ? 0 : -1,
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
      class: `place ${kind}${isLive ? " live" : ""}`,
      transform: `translate(${place.x} ${place.y})`,
      translate: "no",
    },
    h("circle.hit", { r: radius * 2.1 }),
    chance && h("circle.chance", { r: radius * (1.25 + chance / most / 2) }),
    kind === "hideout"
      ? h("rect.ground", {
          x: -radius,
          y: -radius,
          width: 2 * radius,
          height: 2 * radius,
          rx: 3,
        })
      : h("circle.ground", { r: radius }),
    number(cell, radius),
    look.clues?.[cell] && drawClue(look.clues[cell], radius),
    ring && h("circle", { class: `ring ${ring}`, r: radius * 1.35 }),
  );
}

/**
 * What a question has shown of a place: on its lower edge, since pawns stand above.
 * @param {"yes" | "no"} clue
 * @param {number} radius
 */
const drawClue = (clue, radius) =>
  h(
    "g",
    {
      class: `clue ${clue}`,
      transform: `translate(${radius * 0.95} ${radius * 0.95}) scale(${radius / 36})`,
    },
    h("circle", { r: 32 }),
    shape(clue === "yes" ? "check" : "cross"),
  );

/**
 * A place's number, as large as the place has room for.
 * @param {string} cell
 * @param {number} radius
 */
function number(cell, radius) {
  const size = Math.round(radius * (cell.length > 2 ? 0.95 : 1.2));
  return h("text", { y: size * 0.36, "font-size": size }, cell);
}

/** @param {{from: string, to: string}} arrow @param {ManhuntLaid} laid */
function drawArrow({ from, to }, laid) {
  const [a, b] = [laid.places.get(String(from)), laid.places.get(String(to))];
  return (
    a &&
    b &&
    h("line.arrow", {
      x1: a.x,
      y1: a.y,
      x2: b.x,
      y2: b.y,
      "stroke-width": laid.radius * 0.4,
    })
  );
}

/**
 * @param {Record<string, string>} pawns
 * @param {ManhuntLaid} laid
 * @param {{to_move?: string | null}} view
 */
function drawPawns(pawns, laid, { to_move: mover }) {
  /** @type {Record<string, number>} */
  const counts = {};
  return Object.entries(pawns).map(([pawn, cell]) => {
    /** @type {any} */
    const place = laid.places.get(cell);
    counts[cell] = (counts[cell] ?? 0) + 1;
    const seat = pawn.slice(0, 2);
    const right = (counts[cell] - 1) * laid.radius;
    return h(
      "g",
      {
        class: `pawn ${seat}${seat === mover ? " moving" : ""}`,
        "data-pawn": pawn,
        transform: `translate(${place.x + right} ${place.y - laid.radius * 1.8}) scale(${laid.radius / 24})`,
      },
      h("circle.stand", { r: 26 }),
      h("g", { class: `icon ${seat}` }, shape(shapeOf(seat))),
      h("text", { y: 9, "font-size": 22 }, pawn.slice(2)),
    );
  });
}

/** The kinds of ways with their line styles. */
export function legend(map = mapOf()) {
  if (!map) return null;
  return h(
    "ul#legend.legend",
    layOut(map).kinds.map((kind, number) =>
      h(
        "li",
        h(
          "svg.icon",
          { viewBox: "0 0 30 12", "aria-hidden": "true" },
          h("line", {
            class: `way kind-${number % KINDS}`,
            x1: 1,
            y1: 6,
            x2: 29,
            y2: 6,
            "stroke-width": 4,
          }),
        ),
        " ",
        wayName(kind),
      ),
    ),
  );
}

/**
 * The places with pieces, as text for screen readers.
 * @param {ManhuntView} view
 * @param {ManhuntMap | null} [map]
 */
export const placeList = (view, map = mapOf()) =>
  h(
    "ul#field-table.vh",
    Object.entries(view.pawns ?? {}).map(([pawn, cell]) =>
      h("li", text("place.pawn", { pawn, place: placeName(cell, map) })),
    ),
  );
