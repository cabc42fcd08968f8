/** Show a game's end with all secrets: the last moment of its replay. */
import { timedFetch } from "../../core/browser.js";
import { unfold } from "./moments.js";

/** @type {{head: string | null, moment: any}} */
let ending = { head: null, moment: null };

/**
 * The last moment of the finished game, as `unfold` describes it; null until it is loaded.
 * @param {{phase: string, head: string}} snapshot
 */
export const endingOf = ({ phase, head }) =>
  phase === "over" && ending.head === head ? ending.moment : null;

/**
 * Fetch the last moment of a finished game, once, then `draw`. `format` is that of the game's
 * replay.
 * @param {{phase: string, head: string}} snapshot
 * @param {Pick<ReplayFormat, "sum" | "nested">} format @param {() => unknown} draw
 */
export async function fetchEnding({ phase, head }, format, draw) {
  if (phase !== "over" || ending.head === head) return;
  /** @type {typeof ending} */
  const mine = { head, moment: null };
  ending = mine;
  const reply = await timedFetch("/replay.json").catch(() => null);
  const replay = reply?.ok ? await reply.json() : {};
  const moments = unfold({ moments: [], ...replay }, format);
  mine.moment = moments.findLast(({ hands }) => hands) ?? null;
  if (mine.moment) draw();
}
