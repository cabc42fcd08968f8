/** Typing a vampire's pages: the field, and each page's title and task. */
import { describe, drawField } from "../drawing/board.js";
import { CELLS, tileAt } from "../drawing/field.js";
import { text } from "../../../core/i18n.js";

/** The empty field: this page has no positions of earlier nights. @param {RadarView} view */
const bare = (view) => ({
  ...view,
  pawns: {},
  tokens: { bullets: [], bats: CELLS.filter((cell) => tileAt(cell, view.tiles) === "b") },
});

/**
 * What a page of the paper is called; the first is what was before its first night.
 * @param {RadarSnapshot} snapshot @param {number} page
 */
export const pageName = ({ view: { paper_from: from = 1 } }, page) =>
  page ? text("night.name", { n: page + from - 1 }) : text("notes.start");

export const typing = {
  pageName,
  /** The most cells of a page: one at the start. @param {unknown} _ @param {number} page */
  most: (_, page) => (page ? Infinity : 1),
  /** Whether a page begins nowhere. */
  isFresh: () => false,
  /** @param {RadarSnapshot} snapshot @param {number} page */
  task: ({ view }, page) =>
    text(page ? "paper.steps" : view.paper_from ? "paper.stood" : "paper.begin"),
  /** @param {any} snapshot @param {number} page */
  told: ({ paper }, page) => paper.announced[page],
  /**
   * @param {RadarSnapshot} snapshot
   * @param {{here: string | null, trail: string[], why: string | null}} look
   */
  draw: ({ view }, { here, trail, why }) =>
    drawField(bare(view), {
      compact: true,
      title: text("field"),
      pressable: why ? [] : CELLS,
      focus: here ?? "C3",
      trail,
      rings: here ? { [here]: "me" } : {},
      label: (cell) => describe(cell, bare(view), text),
      whyNot: () => why,
    }),
};
