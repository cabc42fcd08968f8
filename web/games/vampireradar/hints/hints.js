/** The vampire's likely places on the display, if hints are on: calculated from public events. */
import { fetchComputed } from "../../../core/computed.js";
import { centre } from "../drawing/board.js";
import { drawOdds, percent } from "./odds.js";
import { text } from "../../../core/i18n.js";
import { loadStyles } from "../../../core/styles.js";

/** Fetch and draw the chances. Returns {look, words(cell)} for the field, null without help. */
export async function fetchHints() {
  // No help without a connection; the next update tries again.
  const hints = await fetchComputed("/odds.json");
  if (!hints) return null;
  await loadStyles("vampireradar", "odds");
  const { odds } = hints;
  return {
    look: { under: drawOdds(odds, centre), isInset: true },
    /** @param {string} cell */
    words: (cell) =>
      Object.keys(odds).length
        ? odds[cell]
          ? `${percent(odds[cell])} %`
          : text("hints.no")
        : null,
  };
}
