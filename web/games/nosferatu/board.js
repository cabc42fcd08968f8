/**
 * A field of hexagons as an SVG, a pure function of a view {rows, pawns} and of this page's marks.
 */
import { FIGURES, forest, grass, trunk } from "./figures.js";
import { PIECES } from "./names.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";

const WIDTH = 86;
const HEIGHT = WIDTH * 0.866;
const MIDDLE = 325;
/** @type {Record<string, string>} */
const KINDS = { n: "nosferatu", v: "vampires", m: "villagers" };
/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** The kind of a piece: "n", "v" or "m". @param {string} pawn */
export const kindOf = (pawn) => pawn[0];

/** Where the middle of a cell is in the picture. @param {string} cell @param {string[][]} rows */
function centre(cell, rows) {
  const row = rows.findIndex((cells) => cells.includes(cell));
  const column = rows[row].indexOf(cell) - (rows[row].length - 1) / 2;
  return [round(MIDDLE + column * WIDTH), round(MIDDLE + (row - (rows.length - 1) / 2) * HEIGHT)];
}

const CORNERS = Array.from({ length: 6 }, (_, index) => Math.PI * (index / 3 + 1 / 6));
/** @param {number} radius */
const hexagon = (radius) =>
  CORNERS.map((angle) =>
    [Math.cos(angle) * radius, Math.sin(angle) * radius].map(round).join(","),
  ).join(" ");
const HIT = hexagon(WIDTH * 0.57);
const GROUND = hexagon(WIDTH * 0.54);
const RING = hexagon(WIDTH * 0.49);

/**
 * Draw the field. Without a label it is one picture, and nothing can be pressed.
 * @param {NosferatuView} view @param {NosferatuLook & {last?: any}} [look]
 */
export function drawBoard(view, look = {}) {
  const { rows } = view;
  const standing = Object.fromEntries(
    Object.entries(view.pawns).map(([pawn, cell]) => [cell, pawn]),
  );
  const cells = rows.flat();
  return h(
    "svg#field",
    {
      role: look.label ? "group" : "img",
      class: `field hex-board${look.safe ? " entering" : ""}`,
      "aria-label": look.title,
      viewBox: "0 0 650 650",
    },
    forest(),
    trunks(view),
    cells.map((cell, number) => tile(cell, number, rows, look)),
    look.jumps && drawJumps(look.jumps, rows),
    look.last?.way.length > 0 && moveTrail(look.last, rows),
    (look.arrows ?? []).map((each) => arrow(centre(each.from, rows), centre(each.to, rows))),
    h(
      "g.standing",
      { "aria-hidden": "true" },
      cells.map((cell) => upon(cell, standing[cell], rows)),
    ),
  );
}

/** Both sides' pieces off the board; a turned villager is dark. @param {NosferatuView} view */
function trunks({ hands, taken = [], turned = [] }) {
  /** @param {string[]} pawns */
  const figures = (pawns) => pawns.map((pawn) => KINDS[kindOf(pawn)]);
  const [vampires, villagers] = [false, true].map((isTheirs) =>
    taken.filter((pawn) => (kindOf(pawn) === "m") === isTheirs),
  );
  return hands
    ? [
        trunk("vampires", figures(hands.vampires), figures(vampires)),
        trunk("villagers", figures(hands.villagers), figures([...villagers, ...turned])),
      ]
    : [];
}

/**
 * @param {string} cell @param {number} number @param {string[][]} rows @param {NosferatuLook} look
 */
function tile(cell, number, rows, look) {
  const isLive = look.label && (!look.pressable || look.pressable.includes(cell));
  const ring = look.rings?.[cell];
  const attrs = look.label
    ? {
        "data-cell": cell,
        role: "button",
        tabindex: isLive || cell === (look.focus ?? rows[0][0]) ? 0 : -1,
        "aria-label": look.label(cell),
        "aria-disabled": isLive ? null : "true",
        "data-why-not": isLive ? null : look.whyNot?.(cell),
        translate: "no",
      }
    : {};
  return h(
    "g",
    {
      ...attrs,
      class: `tile${isLive ? " live" : ""}${look.safe?.includes(cell) ? " safe" : ""}`,
      transform: `translate(${centre(cell, rows).join(" ")})`,
    },
    h("polygon.hit", { points: HIT }),
    h("polygon.ground", { points: GROUND }),
    grass(number),
    ring && h("polygon", { class: `ring ${ring}`, points: RING }),
  );
}

/** @param {string} cell @param {string} pawn @param {string[][]} rows */
function upon(cell, pawn, rows) {
  const [x, y] = centre(cell, rows);
  const at = { transform: `translate(${x} ${y})` };
  if (!pawn) return h("g", at, h("text.name", { y: 7 }, cell));
  const kind = KINDS[kindOf(pawn)];
  return h(
    "g",
    { class: `piece ${kind}`, "data-pawn": pawn, ...at },
    h(
      "g",
      { transform: "scale(1.12)" },
      h("ellipse.shade", { cy: 30, rx: 27, ry: 8 }),
      FIGURES[kind],
    ),
  );
}

/** How long the jumps of a finished game take to be drawn. */
const JUMPS_SECONDS = 5;

/**
 * The jumps of a finished game in their order, each in the colour of its side.
 * @param {NosferatuJump[]} jumps @param {string[][]} rows
 */
function drawJumps(jumps, rows) {
  const lines = jumps.map(({ pawn, from, cell }, index) => {
    const [[x1, y1], [x2, y2]] = [centre(from, rows), centre(cell, rows)];
    return h("line", { class: KINDS[kindOf(pawn)], x1, y1, x2, y2, "--step": index });
  });
  return h(
    "g.jumps",
    { "aria-hidden": "true", "--pace": `${JUMPS_SECONDS / lines.length}s` },
    lines,
  );
}

const BURST = "M0-36V-20M31-18 17-10M31 18 17 10M0 36V20M-31 18-17 10M-31-18-17-10";

/**
 * The last move: a tail that widens from cell to cell up to a light under the piece, and a burst where one was taken.
 * @param {NosferatuMove} move @param {string[][]} rows
 */
function moveTrail({ way, taken }, rows) {
  const points = way.map((cell) => centre(cell, rows));
  const last = points.length - 1;
  return h(
    "g.move-trail",
    { id: `trail-${way.join("-")}`, "aria-hidden": "true" },
    points.slice(1).map((to, index) => tail(points[index], to, index / last, (index + 1) / last)),
    last > 0 && h("circle", { cx: points[0][0], cy: points[0][1], r: 7 }),
    h("circle.head", { cx: points[last][0], cy: points[last][1], r: 40 }),
    taken.map((cell) =>
      h("path.burst", { d: BURST, transform: `translate(${centre(cell, rows).join(" ")})` }),
    ),
  );
}

/**
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} thin how much of the whole way lies before `from`, 0 to 1
 * @param {number} wide how much of it lies before `to`
 */
function tail([x1, y1], [x2, y2], thin, wide) {
  const far = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [right, down] = [(x2 - x1) / far, (y2 - y1) / far];
  /** @param {number} x @param {number} y @param {number} part @param {number} sign */
  const side = (x, y, part, sign) => {
    const half = sign * (2 + 15 * part);
    return [x - down * half, y + right * half].map(round).join(",");
  };
  return h("polygon", {
    points: [
      side(x1, y1, thin, 1),
      side(x2, y2, wide, 1),
      side(x2, y2, wide, -1),
      side(x1, y1, thin, -1),
    ].join(" "),
  });
}

/** @param {number[]} from @param {number[]} to */
function arrow([x1, y1], [x2, y2]) {
  const far = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [right, down] = [(x2 - x1) / far, (y2 - y1) / far];
  const head = [
    [0, 0],
    [-26, 15],
    [-26, -15],
  ].map(([along, aside]) =>
    [x2 - right * 10 + right * along - down * aside, y2 - down * 10 + down * along + right * aside]
      .map(round)
      .join(","),
  );
  return h(
    "g.arrow",
    h("line", {
      x1: round(x1 + right * 34),
      y1: round(y1 + down * 34),
      x2: round(x2 - right * 26),
      y2: round(y2 - down * 26),
    }),
    h("polygon", { points: head.join(" ") }),
  );
}

/** The piece of a cell, in words. @param {NosferatuView} view @param {string} cell */
export function named(view, cell) {
  const pawn = Object.keys(view.pawns).find((each) => view.pawns[each] === cell);
  return pawn ? `${cell}, ${text(`piece.${PIECES[kindOf(pawn)]}`)}` : cell;
}
