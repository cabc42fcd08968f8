/** The proof of a finished game and the hidden player's whole path, which a page fetches once. */

/** The `proof` of the record and the `cells` of the path; null before they are known. */
export const known = {
  /** @type {string[] | null} */
  cells: null,
  /** @type {ProofResult | null} */
  proof: null,
};
/** The game whose path was requested; null before the end. @type {number | null} */
let endedAt = null;

/** After this number of positions in play a page loads what proves the game. */
const READY_AFTER = 30;
/** The first position in play that this page received. @type {number | null} */
let openedAt = null;
/** @type {Promise<unknown> | null} */
let ready = null;

/**
 * Fetch the path where a picture's game is over, and `draw` then; forget it where none is.
 * What proves a game is loaded before its end, whose first moments it would hold up.
 * @param {{phase: string, position: number}} snapshot @param {() => unknown} draw
 */
export async function recallPath({ phase, position }, draw) {
  if (phase !== "over") known.cells = known.proof = endedAt = null;
  // The end loads it again if this fails.
  if (phase === "play" && position > (openedAt ??= position) + READY_AFTER)
    ready ??= import("./proof.js").catch(() => null);
  if (phase !== "over" || endedAt !== null) return;
  endedAt = position;
  const { fetchProof, wholePath } = await import("./verdict.js");
  const truth = await fetchProof().catch(() => null);
  if (endedAt !== position || !truth) return;
  known.proof = truth;
  known.cells = wholePath(truth);
  draw();
}
