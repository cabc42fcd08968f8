/**
 * The check of a path on paper, after the game: on the display and on the page where it is typed.
 */
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { button } from "../../core/controls.js";
import { isSealed } from "../../core/snapshot.js";
import { loadGameWords, loadWords, message, text } from "../../core/i18n.js";

/** Load the words of a game's paper. @param {string} game @param {...string} more */
export const loadPaperWords = (game, ...more) =>
  Promise.all([loadWords(null, "paper", "truth"), loadGameWords(game, "paper", ...more)]);

/** A link to the page where the path is typed. @param {PaperPath} paper */
const pathLink = (paper) =>
  h(
    "a#paper",
    { class: `button${paper.typed ? "" : " prime"}`, href: "/paper" },
    text(paper.typed ? "paper.look" : "paper.type"),
  );

/**
 * The buttons after a game on paper; `truth`: the result of the seals, if they were opened.
 * @param {Snapshot} snapshot @param {Child} truth
 */
export const ending = ({ paper, ...snapshot }, truth) => [
  paper && pathLink(paper),
  isSealed(snapshot) && !truth && button("reveal", text("end.proof")),
  button("replay", text("end.watch"), { class: paper && !paper.typed ? null : "prime" }),
  button("again", text("end.again")),
];

/**
 * The audit's result: all right, or the errors, page by page with the names of `pageName`, unless
 * they are shown elsewhere.
 * @param {{typed: NonNullable<PaperPath["typed"]>}} paper
 * @param {((page: number) => Child)?} pageName
 */
export function auditResult({ typed: { answers, wrong } }, pageName = null) {
  return h(
    "section#truth.truth",
    { tabindex: 0, role: "group", "aria-label": text("paper.title") },
    h(
      "p#verdict",
      { class: wrong.length ? "bad" : "fine" },
      icon(wrong.length ? "cross" : "check"),
      " ",
      wrong.length ? text("paper.wrong", { n: wrong.length }) : text("proof.right", { n: answers }),
    ),
    pageName &&
      wrong.length > 0 &&
      h(
        "ol.clues",
        wrong.map(({ page, message: words }) => h("li", pageName(page), ": ", message(words))),
      ),
    pageName && unsealed(),
  );
}

/** The limits of such an audit. */
export const unsealed = () => h("p#unsealed.muted", text("paper.unsealed"));
