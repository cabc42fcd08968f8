/** The sky over the village, behind the words of the night and of the dawn: a picture that does not depend on the game. */
import { h } from "../../../core/dom.js";
import { SYMBOLS } from "./symbols.js";

const WIDTH = 800;
/** Where the houses stand: below it is the ground, on which a display has its buttons. */
const GROUND = 800;
/**
 * Numbers between 0 and 1, the same at each drawing: steps of the golden ratio, whose points lie evenly.
 * @param {number} index
 * @param {number} step
 */
const spread = (index, step) => (index * step) % 1;
const STARS = Array.from({ length: 46 }, (_, index) => [
  Math.round(spread(index + 1, 0.618) * WIDTH),
  Math.round(spread(index + 1, 0.755) ** 1.4 * 620),
  1 + Math.round(spread(index + 1, 0.57) * 2),
]);
/** Roofs from left to right: where a house begins, how wide it is, its eaves and its ridge above the ground. */
const HOUSES = [
  [-20, 120, 70, 120],
  [92, 64, 110, 190],
  [150, 150, 60, 112],
  [292, 96, 84, 150],
  [380, 130, 52, 96],
  [505, 60, 120, 214],
  [560, 140, 66, 118],
  [694, 126, 88, 152],
];
const VILLAGE = HOUSES.map(
  ([x, wide, eaves, ridge]) =>
    `M${x} ${GROUND}V${GROUND - eaves}L${x + wide / 2} ${GROUND - ridge} ${x + wide} ${GROUND - eaves}V${GROUND}Z`,
)
  .concat(`M-800 ${GROUND}Q400 ${GROUND - 24} 1600 ${GROUND}V1200H-800Z`)
  .join("");
const WINDOWS = [
  [30, 42],
  [112, 70],
  [196, 30],
  [318, 48],
  [448, 22],
  [523, 84],
  [612, 34],
  [742, 50],
];

/**
 * Draw the sky; `isDawn`: the stars and the moon are gone, the sun is near. `isCard`: in a low card, with less ground below
 * the houses.
 * @param {boolean} isDawn
 * @param {boolean} [isCard]
 */
export const sky = (isDawn, isCard = false) =>
  h(
    "div",
    { class: `sky${isDawn ? " dawn" : ""}`, "aria-hidden": "true" },
    h(
      "svg.stars",
      { viewBox: `0 0 ${WIDTH} 1000`, preserveAspectRatio: "xMidYMin slice" },
      STARS.map(([cx, cy, r]) => h("circle", { cx, cy, r })),
    ),
    h(
      "svg.moon",
      { viewBox: "-100 -100 200 200" },
      h("circle", { r: 96 }),
      h("path.craters", {
        d: "M-30-40a18 18 0 1 0 .1 0ZM36 20a26 26 0 1 0 .1 0ZM40-52a11 11 0 1 0 .1 0Z",
      }),
      h("g.bat", { transform: "translate(-4 2) scale(1.5)" }, SYMBOLS.bat),
    ),
    h(
      "svg.village",
      {
        viewBox: isCard ? `0 580 ${WIDTH} 250` : `0 560 ${WIDTH} 440`,
        preserveAspectRatio: isCard ? "xMidYMax meet" : "xMidYMid slice",
      },
      h("circle.sun", { cx: 250, cy: 730, r: 110 }),
      h("path.houses", { d: VILLAGE }),
      h(
        "g.windows",
        WINDOWS.map(([x, up]) => h("rect", { x, y: GROUND - up, width: 13, height: 18 })),
      ),
    ),
  );
