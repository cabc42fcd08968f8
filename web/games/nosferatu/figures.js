/** The figures in the glade and around it, in their colours: each is drawn around (0, 0), 64 high. */
import { h } from "../../core/dom.js";

/** @param {string} d @param {string} fill */
const path = (d, fill) => h("path", { d, fill });

const PALE = "#f7eee2";
const DARK = "#1a1018";
const IRON = "#3a2600";
const MOON = "var(--orb, #f6e8b4)";

/**
 * Each kind of piece: a lantern on a disc, a cape with a pale face, a dark figure before the moon.
 * @type {Record<string, VNode[]>}
 */
export const FIGURES = {
  villagers: [
    h("circle", { r: 31, fill: "var(--amber)", stroke: IRON, "stroke-width": 4 }),
    path("M-13-9H13L9 14H-9Z", "#fff3c4"),
    path("M0-6Q8 3 0 12-8 3 0-6Z", "#d9480f"),
    path(
      "M-2-25H2V-20L17-9H-17L-2-20ZM-12 14H12V20H-12ZM-15-9H-12L-8 14H-11ZM15-9H12L8 14H11Z",
      IRON,
    ),
  ],
  vampires: [
    h("path", {
      d: "M-10-18L-27-28Q-20-6-32 29L-16 24 0 32 16 24 32 29Q20-6 27-28L10-18Z",
      fill: "#e2334c",
      stroke: "#2a0710",
      "stroke-width": 4,
      "stroke-linejoin": "round",
    }),
    path("M-12-16Q-12-31 0-31 12-31 12-16 10-1 0 4-10-1-12-16Z", PALE),
    path("M-12-15Q-13-33 0-33 13-33 12-15L6-23 0-16-6-23ZM-7-14H-2V-10H-7ZM2-14H7V-10H2Z", DARK),
  ],
  nosferatu: [
    h("circle", { r: 36, fill: MOON, stroke: DARK, "stroke-width": 4 }),
    path("M-23-12A6 6 0 1 0-22.9-12ZM22 8A8 8 0 1 0 22.1 8ZM-19 12A5 5 0 1 0-18.9 12Z", "#dfcb8b"),
    path(
      "M0-31C-9-31-12-23-11-15L-21-24-13-5C-20 2-22 14-21 30L-13 26-7 34 0 28 7 34 13 26 21 30C22 14 20 2 13-5L21-24 11-15C12-23 9-31 0-31Z",
      DARK,
    ),
    path("M-8-16-2-13-7-10ZM8-16 2-13 7-10Z", "#ff5a6e"),
    path("M-5-4H5L3-1 2 3 0-1-2 3-3-1Z", PALE),
  ],
};

const TUFTS = [
  "M-26 20q-1-9-6-12 9 2 6 12Zq2-10 9-13-6 5-9 13ZM20-20q-1-8-5-11 8 2 5 11Zq2-9 8-12-5 5-8 12Z",
  "M24 22q-1-9-6-12 9 2 6 12Zq2-10 9-13-6 5-9 13ZM-4-26q-1-7-5-9 7 2 5 9Zq2-8 7-10-4 4-7 10Z",
  "M-22-18q-1-8-5-11 8 2 5 11Zq2-9 8-12-5 5-8 12ZM10 28q-1-7-5-9 7 2 5 9Zq2-8 7-10-4 4-7 10Z",
];

/** Grass on a hexagon: three drawings, so that neighbours differ. @param {number} number */
export const grass = (number) => h("path.grass", { d: TUFTS[number % TUFTS.length] });

/** A fir of three tiers, 60 high, on (x, y). @param {number[]} place */
const fir = ([x, y, scale]) =>
  h("path", {
    d: "M0-60 14-38H8L20-20H12L24 0H4V8H-4V0H-24L-12-20H-20L-8-38H-14Z",
    transform: `translate(${x} ${y}) scale(${scale})`,
  });
const BEHIND = "var(--fir-behind, #0f2f1f)";
const BEFORE = "var(--fir, #081a10)";
const BACK = [
  [30, 108, 0.9],
  [96, 92, 0.7],
  [528, 94, 0.75],
  [46, 556, 0.9],
  [112, 578, 0.7],
  [548, 572, 0.75],
  [620, 548, 0.9],
];
const FRONT = [
  [64, 136, 1.15],
  [16, 176, 1.1],
  [634, 182, 1.1],
  [18, 500, 1.1],
  [76, 588, 1.15],
  [632, 492, 1.15],
  [584, 588, 1.1],
];

/** The glade under the moon, between firs; in the light look the moon is the sun. */
export const forest = () =>
  h(
    "g.forest",
    { "aria-hidden": "true" },
    h("rect", { width: 650, height: 650, rx: 20, fill: "var(--wood)" }),
    h("circle.moonlight", { cx: 601, cy: 98, r: 58, fill: MOON, opacity: 0.12 }),
    h("circle.moonlight", { cx: 601, cy: 98, r: 33, fill: MOON }),
    h("g", { fill: BEHIND }, BACK.map(fir)),
    h("polygon", { points: "129,50 521,50 647,325 521,600 129,600 3,325", fill: "var(--glade)" }),
    h("g", { fill: BEFORE }, FRONT.map(fir)),
  );

const ROWS = { vampires: 25, villagers: 625 };
const LEFT = 34;
const WIDE = 582;
const STEP = 46;

/**
 * What a side has off the board: its waiting pieces stand on a trunk on the left, its lost ones lie on the right.
 * @param {"vampires" | "villagers"} seat @param {string[]} inHand @param {string[]} lost
 */
export function trunk(seat, inHand, lost) {
  const y = ROWS[seat];
  const count = inHand.length + lost.length;
  const step = Math.min(STEP, WIDE / Math.max(count, 1));
  /** @param {number} x @param {string} figure @param {string} kind */
  const at = (x, figure, kind) =>
    h(
      "g",
      { class: `piece ${figure}${kind}`, transform: `translate(${Math.round(x)} ${y}) scale(.6)` },
      FIGURES[figure],
    );
  return h(
    "g.trunk",
    { "aria-hidden": "true" },
    h("rect", { x: 8, y: y - 17, width: 634, height: 34, rx: 17, fill: "var(--bark)" }),
    h("ellipse", { cx: 633, cy: y, rx: 8, ry: 15, fill: "var(--bark-end)" }),
    inHand.map((figure, index) => at(LEFT + index * step, figure, "")),
    lost.map((figure, index) => at(650 - LEFT - 10 - index * step, figure, " lost")),
  );
}

/** A piece beside words. @param {string} figure */
export const emblem = (figure) =>
  h(
    "svg",
    { class: `emblem piece ${figure}`, viewBox: "-38 -38 76 76", "aria-hidden": "true" },
    FIGURES[figure],
  );

/**
 * The winner over the forest: the vampires' moon, the villagers' sunrise, or a lantern under the moon.
 * @param {"vampires" | "villagers" | "draw"} winner
 */
export const triumph = (winner) =>
  h(
    "svg.triumph",
    { viewBox: "-200 -60 400 130", "aria-hidden": "true" },
    h("circle", { cy: winner === "villagers" ? 40 : 0, r: 54, fill: ORBS[winner] }),
    [-182, -112, 118, 184].map((x) => h("g", { fill: BEHIND }, fir([x, 66, 1.1]))),
    [-150, 150].map((x) => h("g", { fill: BEFORE }, fir([x, 72, 1.5]))),
    TRIUMPHANT[winner].map(([figure, x, scale]) =>
      h(
        "g",
        { class: `piece ${figure}`, transform: `translate(${x} ${x ? 40 : 26}) scale(${scale})` },
        FIGURES[figure],
      ),
    ),
  );

const ORBS = { vampires: "#e8503f", villagers: "#ffe2a0", draw: "#f6e8b4" };
/** @type {Record<string, [string, number, number][]>} */
const TRIUMPHANT = {
  vampires: [
    ["vampires", -64, 0.8],
    ["vampires", 64, 0.8],
    ["nosferatu", 0, 1.2],
  ],
  villagers: [
    ["villagers", -74, 0.7],
    ["villagers", 74, 0.7],
    ["villagers", 0, 1.1],
  ],
  draw: [
    ["vampires", -46, 1],
    ["villagers", 46, 1],
  ],
};
