/** Every icon is drawn here, around (0, 0) in a square of 64: a glyph may be an empty box on some systems. */
import { h } from "./dom.js";

/** @param {string} d */
const filled = (d) => [h("path", { d })];
/** @param {string} d */
const lined = (d) => [h("path.lined", { d })];

/** @type {Record<string, VNode[]>} */
const DRAWN = {
  triangle: filled("M0-27 26 19H-26Z"),
  square: filled("M-22-22H22V22H-22Z"),
  circle: filled("M0-25A25 25 0 1 1-.1-25Z"),
  diamond: filled("M0-30 24 0 0 30-24 0Z"),
  star: filled("M0-30 8-10 29-9 13 5 18 26 0 14-18 26-13 5-29-9-8-10Z"),
  fang: filled("M-24-22H24L0 26Z"),
  heart: filled("M0 24C-34 0-28-24-13-24-5-24 0-18 0-12 0-18 5-24 13-24 28-24 34 0 0 24Z"),
  bat: filled(
    "M-30 0Q-18-17-8-5L-5-12 0-5 5-12 8-5Q18-17 30 0 18-4 12 8 6 2 0 13-6 2-12 8-18-4-30 0Z",
  ),
  vampire: filled(
    "M0-29A9 9 0 1 1-.1-29M-10-11-26-20Q-30 10-22 27L-11 21 0 28 11 21 22 27Q30 10 26-20L10-11 0-4Z",
  ),
  bullet: filled("M-8 23V-6Q-8-22 0-27 8-22 8-6V23Z"),
  radar: lined("M0-9 9 0 0 9-9 0ZM0-27 27 0 0 27-27 0Z"),
  N: lined("M0 26V-24M-20-4 0-24 20-4"),
  S: lined("M0-26V24M-20 4 0 24 20 4"),
  W: lined("M26 0H-24M-4-20-24 0-4 20"),
  E: lined("M-26 0H24M4-20 24 0 4 20"),
  undo: lined("M-12-24-26-10-12 4M-24-10H6A16 16 0 0 1 6 22H-12"),
  moon: filled("M8-28A28 28 0 1 0 28 8 22 22 0 0 1 8-28Z"),
  sword: lined("M-24-24 18 18M24-24-18 18M6 22 22 6M-6 22-22 6"),
  check: lined("M-22 2-6 18 22-16"),
  cross: lined("M-18-18 18 18M18-18-18 18"),
  pencil: lined("M-24 24-20 8 12-24 24-12-8 20ZM4-16 16-4"),
  list: lined("M-22-18H22M-22 0H22M-22 18H22"),
  more: filled("M-4-6H4V24H-4ZM-5-22H5V-13H-5Z"),
  sound: lined("M-26-8H-16L-2-22V22L-16 8H-26ZM10-12Q18 0 10 12M18-20Q32 0 18 20"),
  sun: lined(
    "M0-11A11 11 0 1 1-.1-11M0-28V-21M0 21V28M-28 0H-21M21 0H28M-20-20-15-15M15 15 20 20M-20 20-15 15M15-15 20-20",
  ),
  mute: lined("M-26-8H-16L-2-22V22L-16 8H-26ZM10-10 28 10M28-10 10 10"),
};

/** The drawing alone, to be placed inside another picture. @param {string} name */
export const shape = (name) => DRAWN[name];

/** An icon beside text; `kind` is one more class. @param {string} name @param {string} kind */
export function icon(name, kind = "") {
  return h(
    "svg",
    { class: `icon ${kind}`.trim(), viewBox: "-29 -29 58 58", "aria-hidden": "true" },
    DRAWN[name],
  );
}
