/**
 * Small drawings of a game's steps: shapes in a square of 120, each a function of its place and
 * colour.
 */
import { shape } from "./icons.js";
import { h } from "./dom.js";

/** A picture, hidden from screen readers: words beside it say the same. @param {...any} shapes */
export const drawing = (...shapes) =>
  h("svg", { viewBox: "0 0 120 120", "aria-hidden": "true" }, shapes);

/** @param {number} cx @param {number} cy @param {number} r @param {string} fill */
export const disc = (cx, cy, r, fill) => h("circle", { cx, cy, r, fill });

/** @param {string} d @param {string} fill */
export const path = (d, fill) => h("path", { d, fill });

/** @param {string} d @param {string} stroke @param {number} width */
export const line = (d, stroke, width = 4) =>
  h("path", { d, stroke, fill: "none", "stroke-width": width, "stroke-linecap": "round" });

/** A dotted line: a way that was taken, or may be. @param {string} d @param {string} stroke */
export const dots = (d, stroke) =>
  h("path", {
    d,
    stroke,
    fill: "none",
    "stroke-width": 4,
    "stroke-linecap": "round",
    "stroke-dasharray": "1 9",
  });

/**
 * @param {number} x @param {number} y @param {number} size @param {string} fill
 * @param {string | number} text
 */
export const words = (x, y, size, fill, text) =>
  h("text", { x, y, fill, "font-size": size, "font-weight": 700, "text-anchor": "middle" }, text);

/**
 * One of the icons that texts have too.
 * @param {string} name @param {number} x @param {number} y @param {number} size
 * @param {string} color
 */
export const sign = (name, x, y, size, color) =>
  h(
    "g",
    { transform: `translate(${x} ${y}) scale(${size / 58})`, fill: color, color },
    shape(name),
  );

/**
 * A card of 36 by 52 with its middle at a place, turned by degrees, with shapes drawn around (0, 0).
 * @param {number} x @param {number} y @param {number} turn @param {string} fill
 * @param {string} edge @param {...any} shapes
 */
export const card = (x, y, turn, fill, edge, ...shapes) =>
  h(
    "g",
    { transform: `translate(${x} ${y}) rotate(${turn})` },
    h("rect", {
      x: -18,
      y: -26,
      width: 36,
      height: 52,
      rx: 5,
      fill,
      stroke: edge,
      "stroke-width": 3,
    }),
    shapes,
  );

/** A pawn with a head. @param {number} x @param {number} y @param {string} fill */
export const figure = (x, y, fill) => [
  path(
    `M${x - 14} ${y + 22}Q${x - 10} ${y - 6} ${x} ${y - 8}Q${x + 10} ${y - 6} ${x + 14} ${y + 22}Z`,
    fill,
  ),
  disc(x, y - 14, 9, fill),
];
