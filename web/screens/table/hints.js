/** Hints on the display: the odds of the hidden piece, and suggestions. */
import { button } from "../../core/controls.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";
import { isBotToMove, phaseOf } from "../../core/snapshot.js";

/**
 * Whether people may ask for a suggestion now: in a turn of theirs, not of the seat that hides.
 * @param {Snapshot} snapshot @param {string} hidden
 */
export const maySuggest = (snapshot, hidden) =>
  snapshot.settings.hints &&
  phaseOf(snapshot) === "turn" &&
  snapshot.to_move !== hidden &&
  !isBotToMove(snapshot);

/**
 * The button for a suggestion, where a large display has room beside the game; else it is among what
 * the button for more opens.
 * @param {BoardTable} table @param {string} hidden @param {unknown} shown the suggestion, if any
 */
export const suggestButton = ({ snapshot, ui, canControl, pending, aside }, hidden, shown) =>
  canControl &&
  !pending &&
  !aside &&
  !ui.info &&
  maySuggest(snapshot, hidden) &&
  h(
    "div.row.wideonly",
    button("suggest", text("suggest"), { "aria-pressed": String(Boolean(shown)) }),
  );

/**
 * The requested suggestion, while the game's position is the same; null without one.
 * @param {{position: number}} snapshot @param {{suggestion?: any}} parts
 */
export const suggestionNow = ({ position }, { suggestion }) =>
  suggestion?.position === position ? suggestion : null;

/** @type {number?} */
let followed = null;

/**
 * Fetch a game's hints once for each position and draw them; null if the table's hints are off. Calls
 * `fetchHints` if they are on.
 * @param {TableState} table @param {() => unknown} draw @param {() => Promise<any>} fetchHints
 */
export async function followHints(table, draw, fetchHints) {
  const { position, phase, settings } = table.snapshot;
  if (followed === position) return;
  followed = position;
  const isOn = settings.hints && phase === "play";
  const hints = isOn ? await fetchHints() : null;
  if (followed !== position) return;
  table.hints = hints;
  if (isOn) draw();
}
