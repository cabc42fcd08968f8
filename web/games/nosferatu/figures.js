/** The figures on the green and around it: each is drawn around (0, 0), 64 high. */
import { h } from "../../core/dom.js";

/** @param {string} d @param {string} [kind] class of the path */
const path = (d, kind) => h("path", { d, class: kind });

/**
 * Each kind of piece: a lantern on a disc, a cape with a pale face, a dark figure before the moon.
 * @type {Record<string, VNode[]>}
 */
export const FIGURES = {
  villagers: [
    h("circle.disc", { r: 31 }),
    path("M-13-9H13L9 14H-9Z", "glass"),
    path("M0-6Q8 3 0 12-8 3 0-6Z", "flame"),
    path(
      "M-2-25H2V-20L17-9H-17L-2-20ZM-12 14H12V20H-12ZM-15-9H-12L-8 14H-11ZM15-9H12L8 14H11Z",
      "iron",
    ),
  ],
  vampires: [
    path("M-10-18L-27-28Q-20-6-32 29L-16 24 0 32 16 24 32 29Q20-6 27-28L10-18Z", "cape"),
    path("M-12-16Q-12-31 0-31 12-31 12-16 10-1 0 4-10-1-12-16Z", "face"),
    path("M-12-15Q-13-33 0-33 13-33 12-15L6-23 0-16-6-23ZM-7-14H-2V-10H-7ZM2-14H7V-10H2Z", "dark"),
  ],
  nosferatu: [
    h("circle.moon", { r: 36 }),
    path("M-23-12A6 6 0 1 0-22.9-12ZM22 8A8 8 0 1 0 22.1 8ZM-19 12A5 5 0 1 0-18.9 12Z", "craters"),
    path(
      "M0-31C-9-31-12-23-11-15L-21-24-13-5C-20 2-22 14-21 30L-13 26-7 34 0 28 7 34 13 26 21 30C22 14 20 2 13-5L21-24 11-15C12-23 9-31 0-31Z",
      "dark",
    ),
    path("M-8-16-2-13-7-10ZM8-16 2-13 7-10Z", "glare"),
    path("M-5-4H5L3-1 2 3 0-1-2 3-3-1Z", "fangs"),
  ],
};

const COBBLES = "M-36-8H-6L2-24M-6-8 4 10H34M4 10-10 36M2-24H24";

/**
 * Cobbles of a hexagon: one drawing in six turns, so that neighbours differ.
 * @param {number} number
 */
export const cobbles = (number) =>
  h("path.cobbles", { d: COBBLES, transform: `rotate(${60 * ((number * 5) % 6)})` });

/** The green at midnight with the village in its corners; the moon is the sun in the light look. */
export const village = () =>
  h(
    "g.village",
    { "aria-hidden": "true" },
    h("polygon.green", { points: "129,50 521,50 647,325 521,600 129,600 3,325" }),
    h("circle.sky", { cx: 611, cy: 98, r: 32 }),
    path("M600 78A7 7 0 1 0 600.1 78ZM622 100A9 9 0 1 0 622.1 100Z", "craters"),
    path("M6 150V104L20 62 34 104 50 92 68 110V150ZM6 592V536L36 512 66 536V592Z", "house"),
    path("M582 592V546L608 522 634 546V592ZM634 592V562L644 554V592Z", "house"),
    path(
      "M16 106H24V120H16ZM46 118H56V130H46ZM18 548H28V560H18ZM44 548H54V560H44ZM602 554H614V568H602Z",
      "windows",
    ),
  );

const RAILS = { vampires: 24, villagers: 626 };
const LEFT = 34;
const WIDE = 582;
const STEP = 44;

/**
 * The fence of a side: its pieces in hand stand in front of it on the left, what it has lost hangs on the right.
 * @param {"vampires" | "villagers"} seat
 * @param {string[]} inHand
 * @param {string[]} lost
 */
export function fence(seat, inHand, lost) {
  const y = RAILS[seat];
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
    "g.fence",
    { "aria-hidden": "true" },
    path(`M8 ${y - 9}H642V${y - 3}H8ZM8 ${y + 7}H642V${y + 13}H8Z`, "plank"),
    path(
      [8, 220, 430, 634]
        .map((x) => `M${x} ${y - 20}L${x + 4} ${y - 24} ${x + 8} ${y - 20}V${y + 20}H${x}Z`)
        .join(""),
      "post",
    ),
    inHand.map((figure, index) => at(LEFT + index * step, figure, "")),
    lost.map((figure, index) => at(650 - LEFT - index * step, figure, " lost")),
  );
}

/**
 * A piece beside words, in front of the fence where the style shows it.
 * @param {string} figure
 */
export const emblem = (figure) =>
  h(
    "svg",
    { class: `emblem piece ${figure}`, viewBox: "-38 -38 76 76", "aria-hidden": "true" },
    path("M-38-20H38V-10H-38ZM-38 10H38V20H-38Z", "plank"),
    FIGURES[figure],
  );

/**
 * The winner over the village: the vampires' moon, the villagers' sunrise, or a lantern under the moon.
 * @param {"vampires" | "villagers" | "draw"} winner
 */
export const triumph = (winner) =>
  h(
    "svg.triumph",
    { viewBox: "-200 -60 400 130", "aria-hidden": "true" },
    h("circle.orb", { cy: winner === "villagers" ? 40 : 0, r: 54 }),
    path(
      "M-200 70V40L-178 14-156 40V50L-136 20-116 50V44H-84V70ZM200 70V36L176 10 152 36V48L134 24 116 48V44H84V70Z",
      "house",
    ),
    TRIUMPHANT[winner].map(([figure, x, scale]) =>
      h(
        "g",
        { class: `piece ${figure}`, transform: `translate(${x} ${x ? 40 : 26}) scale(${scale})` },
        FIGURES[figure],
      ),
    ),
  );

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
