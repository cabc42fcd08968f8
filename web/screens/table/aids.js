/** Aids to deduction on the display of a table that practises. */

/**
 * The requested suggestion, while the game's position is the same; null without one.
 * @param {{position: number}} snapshot
 * @param {{suggestion?: any}} parts
 */
export const suggestionNow = ({ position }, { suggestion }) =>
  suggestion?.position === position ? suggestion : null;

/** @type {number?} */
let followed = null;

/**
 * Fetch a game's aid once for each position and draw it; null if the table's aids are off. Calls
 * `fetchAid` if they are on.
 * @param {TableState} table
 * @param {() => unknown} draw
 * @param {() => Promise<any>} fetchAid
 */
export async function followAid(table, draw, fetchAid) {
  const { position, phase, settings } = table.snapshot;
  if (followed === position) return;
  followed = position;
  const isOn = settings.aids && phase === "play";
  const aid = isOn ? await fetchAid() : null;
  if (followed !== position) return;
  table.aid = aid;
  if (isOn) draw();
}
