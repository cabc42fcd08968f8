/**
 * The end of a game on the display. What the table computes for the replay gives all moments with
 * their secrets, and facts; this page's proof gives one more.
 */
import { fetchComputed } from "../../core/computed.js";
import { h } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { loadGameWords, rich, text } from "../../core/i18n.js";
import { isOnPaper } from "../../core/snapshot.js";
import { known } from "../../proof/whole_path.js";
import { unfold } from "../replay/moments.js";

const MOST = 3;
/** @type {{at: number | null, game: string, replay: any, moments: Moment[] | null}} */
const NONE = { at: null, game: "", replay: null, moments: null };
/** The replay of the finished game, and the position at its end. */
let ended = NONE;

/**
 * Fetch the replay of a finished game and the words of its end, once, then `draw`; again after a
 * change, such as of a name, and until then what was there stays.
 * @param {{game: string, phase: string, position: number}} snapshot @param {() => unknown} draw
 */
export async function fetchEnding({ game, phase, position }, draw) {
  if (phase !== "over") ended = NONE;
  if (phase !== "over" || ended.at === position) return;
  const mine = { ...(ended.game === game ? ended : NONE), at: position, game };
  ended = mine;
  const [replay] = await Promise.all([fetchComputed("/replay.json"), loadGameWords(game, "end")]);
  Object.assign(mine, { replay, moments: null });
  draw();
}

/**
 * Every moment of the finished game in full, as `unfold` describes them; none before they are
 * loaded.
 * @param {Pick<ReplayFormat, "sum" | "nested">} [format] that of the game's replay
 * @returns {Moment[]}
 */
export function pastMoments(format = {}) {
  if (!ended.replay?.moments) return [];
  ended.moments ??= unfold(ended.replay, format);
  return ended.moments;
}

/**
 * All hands at the end; null until they are loaded.
 * @param {Pick<ReplayFormat, "sum" | "nested">} [format]
 */
export const lastHands = (format) =>
  pastMoments(format).findLast(({ hands }) => hands)?.hands ?? null;

/** The parameters of each figure with this code. @param {string} code @returns {any[]} */
export function figures(code) {
  /** @type {Message[]} */
  const all = ended.replay?.figures ?? [];
  return all.filter((each) => each.code === code).map(({ params }) => params);
}

/**
 * At most three facts, each a number and its words, and the last one how many answers were proved;
 * false without any. A fact of `kinds` stands only where the game has its figure: the figure's
 * code, what is large, and the code of the words.
 * @param {Snapshot} snapshot @param {[string, (params: any) => Child, string][]} kinds
 */
export function factList(snapshot, kinds) {
  const own = kinds.flatMap(([code, number, words]) =>
    figures(code)
      .slice(0, 1)
      .map((params) => [number(params), rich(words, params)]),
  );
  const proved = provedFact(snapshot);
  const facts = [...own.slice(0, proved ? MOST - 1 : MOST), ...(proved ? [proved] : [])];
  return (
    facts.length > 0 &&
    h(
      "ul#facts.facts",
      facts.map(([number, words]) => h("li", h("b", number), h("p", words))),
    )
  );
}

/** What this page's proof says; null before it is known. @param {Snapshot} snapshot */
function provedFact(snapshot) {
  const { answers = 0, wrong = null } = known.proof ?? {};
  if (wrong) return [icon("cross"), text("proof.wrong")];
  return answers > 0 && !isOnPaper(snapshot)
    ? [`${answers} / ${answers}`, text("fact.answers")]
    : null;
}
