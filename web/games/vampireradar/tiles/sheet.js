/** The sheet of the printed tiles to lay, on the host's page. */
import { COLUMNS } from "../drawing/field.js";
import { done, stepText, steps } from "./steps.js";
import { icon } from "../../../core/icons.js";
import { h } from "../../../core/dom.js";
import { text } from "../../../core/i18n.js";

/** @type {Record<number, string>} */
const NOTCH = { 0: "N", 90: "E", 180: "S", 270: "W" };

/**
 * The printed tiles to lay, row by row: number, the side that the notch looks to, a tick for what lies right; null without any.
 * @param {RadarSheet} sheet
 */
export function sheetTable(sheet) {
  const all = steps(sheet);
  if (!all.length) return null;
  return [
    h("p.muted", text("sheet.progress", { n: done(sheet) })),
    h(
      "table#sheet",
      { translate: "no" },
      h(
        "thead",
        h(
          "tr",
          h("td"),
          [...COLUMNS].map((column) => h("th", { scope: "col" }, column)),
        ),
      ),
      h(
        "tbody",
        [1, 2, 3, 4, 5, 6].map((row) =>
          h(
            "tr",
            h("th", { scope: "row" }, row),
            all
              .filter(({ cell }) => cell[1] === String(row))
              .map((step) =>
                h(
                  "td",
                  { class: step.state, "data-step": step.cell },
                  h(
                    "span.vh",
                    text(stepText(step).code, stepText(step).params),
                    " ",
                    text(step.turn ? "sheet.turned" : "sheet.upright", step),
                  ),
                  h("span", { "aria-hidden": "true" }, step.number, icon(NOTCH[step.turn])),
                ),
              ),
          ),
        ),
      ),
    ),
  ];
}
