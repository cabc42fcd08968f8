/** The vampire's likely places on the display, if hints are on: calculated from public events. */
import { centre } from "../drawing/board.js";
import { drawOdds, percent } from "./odds.js";
import { text } from "../../../core/i18n.js";
import { loadStyles } from "../../../core/styles.js";

/** Fetch and draw the chances. Returns {look, words(cell)} for the field, null without help. */
export async function fetchHints() {
  // No help without a connection; the next update tries again.
  const reply = await fetch("/odds.json", { cache: "no-store" }).catch(() => null);
  if (!reply?.ok) return null;
  const [{ odds }] = await Promise.all([reply.json(), loadStyles("vampireradar", "odds")]);
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
