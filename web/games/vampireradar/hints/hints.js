/** What the display shows of the vampire's likely places where the table has aids on: calculated from public events. */
import { centre } from "../drawing/board.js";
import { drawOdds, percent } from "./odds.js";
import { text } from "../../../core/i18n.js";
import { loadStyles } from "../../../core/styles.js";

/** Fetch and draw the chances. Answers {look, words(cell)} for the field, null where there is no help. */
export async function fetchHints() {
  // Out of reach is no help; the next update asks again.
  const reply = await fetch("/likely.json", { cache: "no-store" }).catch(() => null);
  if (!reply?.ok) return null;
  const [{ odds }] = await Promise.all([reply.json(), loadStyles("vampireradar", "odds")]);
  return {
    look: { under: drawOdds(odds, centre), isInset: true },
    words: (cell) =>
      Object.keys(odds).length ? (odds[cell] ? `${percent(odds[cell])} %` : text("aids.no")) : null,
  };
}
