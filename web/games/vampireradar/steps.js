/** How Vampire Radar is played, in six pictures: corners of one small field, drawn as the game draws its own. */
import { centre, drawField } from "./drawing/board.js";
import { hearts } from "./drawing/hearts.js";
import { h } from "../../core/dom.js";

/** The tiles that a picture shows, and what it leaves around them, in units of the field. */
const [SHOWN, MARGIN] = [3, 54];

const FIELD = {
  tiles: ["......", "..r...", "......", "......", "......", "......"],
  tokens: { bats: ["E4"], bullets: ["B4"] },
  walls: ["B1-C1", "A1-A2", "C3-D3"],
};

/**
 * Draw three by three tiles of the field from `corner` on, without the letters and numbers of its frame.
 * @param {string} corner @param {Record<string, string>} pawns @param {RadarLook} [look]
 */
function part(corner, pawns, look = {}) {
  const { tag, attrs, children } = drawField({ ...FIELD, pawns }, look);
  const [x, y] = centre(corner);
  const size = (SHOWN - 1) * 100 + 2 * MARGIN;
  return h(
    tag,
    {
      ...attrs,
      id: null,
      role: null,
      "aria-hidden": "true",
      viewBox: `${x - MARGIN} ${y - MARGIN} ${size} ${size}`,
    },
    children.map(withoutLabels),
  );
}

/** @param {VNode | string} child @returns {VNode | string} */
const withoutLabels = (child) =>
  typeof child === "object" && child.tag === "g"
    ? { ...child, children: child.children.filter((each) => !isLabel(each)) }
    : child;

/** @param {VNode | string} child */
const isLabel = (child) => typeof child === "object" && child.attrs.class === "label";

/** @param {string} cell */
const hidden = (cell) => ({ rings: { [cell]: "me" } });

export const steps = {
  hide: () => part("C2", {}, hidden("D3")),
  walk: () => part("A1", { H1a: "A2" }, { arrows: [{ from: "A2", to: "B2" }] }),
  radar: () => part("B1", { H1a: "C2" }, { ripple: "C2", badges: { C2: 3 } }),
  shoot: () => part("A2", { H2a: "A3" }, { shot: { cell: "A3", direction: "E" } }),
  night: () =>
    part(
      "C2",
      { H1b: "D2" },
      { ...hidden("D3"), trail: ["E4", "E3", "D3"], badges: { D2: "claw" } },
    ),
  end: () => h("div.hearts", { "aria-hidden": "true" }, hearts(1, 5)),
};
