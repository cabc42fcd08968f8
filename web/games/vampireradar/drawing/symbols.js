/**
 * The pictures on the field: each is drawn around (0, 0), where a tile is 94 wide.
 */
import { h } from "../../../core/dom.js";

/** @param {string} d @param {string} [fill] */
const path = (d, fill) => h("path", { d, fill });

const DARK = "#14101a";

const BAT =
  "M0-6L4-16 8-7Q22-24 40-18Q30-9 33 4Q24-3 17 6Q11 0 6 9L0 21-6 9Q-11 0-17 6Q-24-3-33 4Q-30-9-40-18Q-22-24-8-7L-4-16Z";
const DIAMOND = [34, 22];

/** What lies on a tile, by its name. Nested diamonds: a radar counts steps across and down. */
export const SYMBOLS = {
  bat: [path(BAT)],
  bullet: [
    path("M-10 8V-8Q-10-25 0-33 10-25 10-8V8Z"),
    path("M-10 12H10V21H-10ZM-12 25H12V32H-12Z"),
  ],
  radar: [
    DIAMOND.map((r) => h("path.lined", { d: `M0-${r} ${r} 0 0 ${r}-${r} 0Z` })),
    path("M0-10 10 0 0 10-10 0Z"),
  ],
};

/** The vampire: a cape with a high collar, a pale face with two eyes. */
export const VAMPIRE = [
  path("M-14-14L-33-30Q-44 8-25 36L-14 30 0 38 14 30 25 36Q44 8 33-30L14-14Z", "var(--red)"),
  path("M-15-22Q-15-38 0-38 15-38 15-22 13-4 0 2-13-4-15-22Z", "#f4efe6"),
  path("M-15-22Q-15-40 0-40 15-40 15-22L8-30 0-22-8-30Z", DARK),
  path("M-8-20H-3V-16H-8ZM3-20H8V-16H3ZM-5-8H5L3-3 1-7H-1L-3-3Z", DARK),
];

/** The pawns by owner: what stands, and its base's edge. @type {Record<string, string[]>} */
const PAWNS = {
  H1: ["M0-35 33 24Q0 38-33 24Z", "M-33 24Q0 38 33 24L28 15Q0 28-28 15Z"],
  H2: ["M-27-28H27V24Q0 36-27 24Z", "M-27 24Q0 36 27 24V15Q0 27-27 15Z"],
  H3: ["M0-32A31 31 0 1 1-.1-32Z", "M-27 14A31 31 0 0 0 27 14Q0 26-27 14Z"],
};

/** A pawn that stands on its base and throws a shadow. @param {string} seat */
export const pawnShape = (seat) => [
  h("ellipse", { cx: 3, cy: 32, rx: 31, ry: 8, fill: "rgb(0 0 0 / 45%)", stroke: "none" }),
  path(PAWNS[seat][0]),
  h("path", { d: PAWNS[seat][1], fill: "rgb(0 0 0 / 24%)", stroke: "none" }),
];

const PAVING = "M-47-18H-9M-9-47V1M-9 1H47M21-47V1M-31-18V16M-47 16H7M7 1V47M7 25H47M-17 16V47";

/**
 * Paving stones of a tile: one drawing in four turns, so that neighbours differ.
 * @param {number[]} at column and row
 */
export const paving = ([column, row]) => PAVED[(column * 3 + row * 5 + ((column * row) >> 1)) % 4];

const PAVED = [0, 90, 180, 270].map((turn) =>
  h("path.paving", { d: PAVING, transform: `rotate(${turn})` }),
);

/** A wall of two courses of bricks, along x. */
export const BRICKS = [
  h("rect", { x: -50, y: -10, width: 100, height: 20, rx: 3 }),
  h("path.joints", {
    d: "M-50 0H50M-32-10V0M-8-10V0M16-10V0M38-10V0M-42 0V10M-20 0V10M4 0V10M28 0V10",
  }),
];

/**
 * The wooden frame from `from` to `to` on both axes, around the tiles, which begin at 40 and end at 640.
 * @param {number} from @param {number} to
 */
export const frame = (from, to) => [
  h("rect", { x: from, y: from, width: to - from, height: to - from, rx: 14, fill: "var(--wood)" }),
  h("rect.rim", { x: from + 4, y: from + 4, width: to - from - 8, height: to - from - 8, rx: 11 }),
  h("rect", { x: 37, y: 37, width: 606, height: 606, rx: 7, fill: "var(--bed)" }),
];

/**
 * Diamonds around a tile, one for each of so many steps, cut off at the frame.
 * @param {number[]} centre @param {number} steps
 */
export const diamonds = ([x, y], steps) =>
  h(
    "svg.ripples",
    { x: 40, y: 40, width: 600, height: 600, viewBox: "40 40 600 600" },
    Array.from({ length: steps }, (_, step) => {
      const r = 100 * (step + 1);
      return h("path", {
        d: `M${x} ${y - r} ${x + r} ${y} ${x} ${y + r} ${x - r} ${y}Z`,
        "--step": step,
      });
    }),
  );

/** Diamonds that run over the field: the same ten for every answer. @param {number[]} centre */
export const ripples = (centre) => diamonds(centre, 10);

/**
 * What darkens the field but for the tiles of a shot.
 * @param {number[]} from centre of the first tile
 * @param {number[]} to centre of the last
 */
export const shade = (from, to) => {
  const [[x1, y1], [x2, y2]] = [from, to];
  const [left, right] = [Math.min(x1, x2) - 50, Math.max(x1, x2) + 50];
  const [top, bottom] = [Math.min(y1, y2) - 50, Math.max(y1, y2) + 50];
  return h("path.shade", { d: `M40 40H640V640H40ZM${left} ${top}H${right}V${bottom}H${left}Z` });
};
