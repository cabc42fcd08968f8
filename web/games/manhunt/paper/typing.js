/** Typing a fugitive's pages: the map, and each page's title and task. */
import "../names.js";
import { drawMap, placeName } from "../board.js";
import { message, text } from "../../../core/i18n.js";
import { lookUp, mapOf } from "../../../core/reference.js";
import { USUAL } from "../card_defaults.js";

/**
 * A page's first message is its title; the others are its announcements.
 * @param {ManhuntSnapshot} snapshot @param {number} page
 */
const titleOf = ({ paper }, page) => paper.announced[page][0];

/** @param {ManhuntSnapshot} snapshot @param {number} page */
export const pageName = (snapshot, page) => message(titleOf(snapshot, page));

/** @param {ManhuntSnapshot} snapshot @param {number} page */
const isTurn = (snapshot, page) => titleOf(snapshot, page).code.startsWith("page.round");

/**
 * The announced steps of a turn; without an announcement, the most of a turn.
 * @param {ManhuntSnapshot} snapshot @param {number} page
 */
function most(snapshot, page) {
  if (!isTurn(snapshot, page)) return 1;
  const { announce, fugitive_moves: moves } = { ...USUAL, ...mapOf()?.rules };
  const [, moved] = snapshot.paper.announced[page];
  if (announce !== "kind" && announce !== "direction") return moves;
  return moved.code === "event.fugitive_stayed" ? 0 : moved.params.kinds.split(", ").length;
}

/** @type {Record<string, string>} */
const HINTS = { "page.start": "paper.begin", "page.stood": "paper.stood" };

export const typing = {
  pageName,
  most,
  ready: lookUp,
  /** The next page opens by itself once this one is full. */
  goesOn: true,
  /** @param {ManhuntSnapshot} snapshot @param {number} page */
  isFresh: (snapshot, page) => !isTurn(snapshot, page),
  /** @param {ManhuntSnapshot} snapshot @param {number} page */
  task: (snapshot, page) =>
    text(HINTS[titleOf(snapshot, page).code.replace(/\.night$/, "")] ?? "paper.steps"),
  /** @param {ManhuntSnapshot} snapshot @param {number} page */
  told: ({ paper }, page) => paper.announced[page].slice(1),
  /** @param {number} n */
  zoomWords: (n) => text("zoom", { n }),
  /**
   * @param {ManhuntSnapshot} snapshot
   * @param {{here: string | null, trail: string[], why: string | null, zoom: number}} look
   */
  draw: ({ view }, { here, trail, why, zoom }) =>
    drawMap(
      { ...view, pawns: {} },
      {
        title: text("field"),
        focus: here ?? String(mapOf()?.places[0].number),
        me: here,
        trail,
        zoom,
        label: placeName,
        pressable: why ? [] : undefined,
        whyNot: () => why,
      },
    ),
};
