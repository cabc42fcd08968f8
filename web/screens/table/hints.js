/** Hints on the display: the odds of the hidden piece, and suggestions. */

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
