/**
 * Facts of a finished game: the figures that the table computes for its replay, and what this
 * page's proof says.
 */
import { fetchComputed } from "../../core/computed.js";
import { h } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { text } from "../../core/i18n.js";
import { isOnPaper } from "../../core/snapshot.js";
import { known } from "../../proof/whole_path.js";

/**
 * The figures of the finished game, and the position at its end.
 * @type {{at: number | null, figures: Message[]}}
 */
let counted = { at: null, figures: [] };

/**
 * Fetch the figures of a finished game, once, then `draw`.
 * @param {{phase: string, position: number}} snapshot
 * @param {() => unknown} draw
 */
export async function fetchFigures({ phase, position }, draw) {
  if (phase !== "over") counted = { at: null, figures: [] };
  if (phase !== "over" || counted.at === position) return;
  const mine = { at: position, figures: [] };
  counted = mine;
  const replay = await fetchComputed("/replay.json");
  if (!replay?.figures) return;
  mine.figures = replay.figures;
  draw();
}

/**
 * The parameters of the figure whose code begins so; undefined without one.
 * @param {string} code
 */
export const figureParams = (code) =>
  counted.figures.find((each) => each.code.startsWith(code))?.params;

/**
 * The game's own facts, each a number and its words, and how many answers were proved; false
 * without any.
 * @param {Snapshot} snapshot
 * @param {[Child, Child][]} own
 */
export function factList(snapshot, own) {
  const { answers = 0, wrong = null } = known.proof ?? {};
  /** @type {[Child, Child][]} */
  const all = [...own];
  if (wrong) all.push([icon("cross"), text("proof.wrong")]);
  else if (answers > 0 && !isOnPaper(snapshot))
    all.push([`${answers} / ${answers}`, text("fact.answers")]);
  return (
    all.length > 0 &&
    h(
      "ul#facts.facts",
      all.map(([number, words]) => h("li", h("b", number), h("p", words))),
    )
  );
}
