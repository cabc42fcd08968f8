/** The chance that the vampire is on a tile, as six steps of colour with their numbers. Pure descriptions. */
import { CELLS } from "../drawing/field.js";
import { h } from "../../../core/dom.js";

/** The thousandths from which a tile is of the next step; the first step is the tile that cannot be. */
const STEPS = [1, 30, 80, 150, 300];

/** @param {number} thousandths */
export const oddsStep = (thousandths) => STEPS.filter((least) => thousandths >= least).length;

/** A chance in percent, as it is written on a tile. @param {number} thousandths */
export const percent = (thousandths) =>
  thousandths < 10 ? "<1" : String(Math.round(thousandths / 10));

/** The same chance for every tile that is possible at all. @param {Record<string, number>} odds */
export function evenly(odds) {
  const cells = Object.keys(odds);
  return Object.fromEntries(cells.map((cell) => [cell, Math.round(1000 / cells.length)]));
}

/**
 * Draw the chances on the field, each with its number; `place(cell)` is the middle of a tile, 94 wide.
 * @param {Record<string, number>} odds @param {(cell: string) => number[]} place
 */
export function drawOdds(odds, place) {
  return h(
    "g.heat",
    { "aria-hidden": "true" },
    CELLS.filter((cell) => odds[cell]).map((cell) => {
      const [x, y] = place(cell);
      return h(
        "g",
        stepAttributes(oddsStep(odds[cell])),
        h("rect", { x: x - 45, y: y - 45, width: 90, height: 90, rx: 8 }),
        h("text.odds", { x: x + 40, y: y + 39 }, percent(odds[cell])),
      );
    }),
  );
}

/** The colour of a step; the last two have dark numbers. @param {number} step */
const stepAttributes = (step) => ({ class: step > 3 && "hot", "--heat": `var(--heat-${step})` });

/** What each colour means. @param {string} title */
export function heatLegend(title) {
  const bounds = [...STEPS.map((least) => Math.max(1, least / 10)), 100];
  return h(
    "ol.legend",
    { "aria-label": title, translate: "no" },
    [0, 1, 2, 3, 4, 5].map((step) =>
      h(
        "li",
        stepAttributes(step),
        step === 0
          ? "0"
          : step === 1
            ? `<${bounds[1]}`
            : step === 5
              ? `≥${bounds[4]} %`
              : `≥${bounds[step - 1]}`,
      ),
    ),
  );
}
