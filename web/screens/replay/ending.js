/** Show a game's end with all secrets: the last moment of its replay. */
import { unfold } from "./story.js";

/** @type {{head: string | null, moment: any}} */
let ending = { head: null, moment: null };

/** The last moment of the finished game, as `unfold` describes it; null until it is loaded. */
export const endingOf = ({ phase, head }) =>
  phase === "over" && ending.head === head ? ending.moment : null;

/**
 * Fetch the last moment of a finished game, once, then `draw`. `format` is that of the game's
 * replay.
 */
export async function fetchEnding({ phase, head }, format, draw) {
  if (phase !== "over" || ending.head === head) return;
  const mine = { head, moment: null };
  ending = mine;
  const reply = await fetch("/replay.json", { cache: "no-store" }).catch(() => null);
  const story = reply?.ok ? await reply.json() : {};
  mine.moment = unfold({ moments: [], ...story }, format).findLast(({ hands }) => hands) ?? null;
  if (mine.moment) draw();
}
