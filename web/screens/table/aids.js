/** Aids to deduction on the display of a table that practises. */

/** The suggestion that was asked for, while the game stands as it did then; null without one. */
export const suggestionNow = ({ position }, { suggestion }) =>
  suggestion?.position === position ? suggestion : null;

let followed = null;

/** Fetch a game's aid once for each position, null where the table has no aids on, and draw it. `fetchAid` is called where they are on. */
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
