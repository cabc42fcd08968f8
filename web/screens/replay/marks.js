/** Draw the marks of a replay's timeline, each around an x. `name`: the class that colours it. */
import { h } from "../../core/dom.js";

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {number} x @param {string} name @param {number} [r] */
export const circle = (x, name, r = 6) => h("circle", { class: name, cx: x, cy: 11, r });

/** @param {number} x @param {string} name */
export const triangle = (x, name) =>
  h("path", { class: name, d: `M${round(x - 7)} 4H${round(x + 7)}L${x} 19Z` });

/** @param {number} x @param {string} name */
export const diamond = (x, name) =>
  h("path", { class: name, d: `M${x} 2L${round(x + 8)} 11 ${x} 20 ${round(x - 8)} 11Z` });

/** @param {number} x @param {string} name */
export const cross = (x, name) =>
  h("path", {
    class: name,
    d: `M${round(x - 5)} 6L${round(x + 5)} 16M${round(x + 5)} 6L${round(x - 5)} 16`,
  });

/** @param {number} x @param {string} name */
export const drop = (x, name) =>
  h("path", {
    class: name,
    d: `M${x} 2Q${round(x + 9)} 13 ${round(x + 7)} 17A7 6 0 0 1 ${round(x - 7)} 17Q${round(x - 9)} 13 ${x} 2Z`,
  });

/** @param {number} x @param {string} name */
export const cardMark = (x, name) =>
  h("rect", { class: name, x: round(x - 5), y: 5, width: 10, height: 13, rx: 2 });

/**
 * A box of a width and height, with its upper edge at y.
 * @param {number} x @param {string} name @param {[number, number, number]} null
 * @param {Record<string, any>} [more]
 */
export const box = (x, name, [y, width, height], more = {}) =>
  h("rect", { class: name, x: round(x - width / 2), y, width, height, ...more });
