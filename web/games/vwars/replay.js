/** V-Wars in the replay: the board with every pile open, factions and hands, as nobody saw them, or as the table did. Pure. */
import { box, circle, drop, triangle } from "../../screens/replay/marks.js";
import { h } from "../../core/dom.js";
import { cityOf, coming, map, people, riot, sideIcon, sideOf, tracks, valueOf } from "./board.js";
import { seatChip, text } from "../../core/i18n.js";
import { nameThings } from "../../core/reference.js";

/** A card in one line: its number in its side's colour, and its city. @param {string} name */
const chip = (name) =>
  h(
    "span",
    { class: `chip ${sideOf(name)}`, translate: "no" },
    h("span.vh", text(`sides.${sideOf(name)}`), " "),
    sideIcon(sideOf(name)),
    h("b", valueOf(name)),
    h("span.of", " ", text(`city.${cityOf(name)}`)),
  );

/**
 * The board; with `isTrue` what lies face down in each region's deck and in the riot pool, and the
 * players' cards.
 * @param {VWarsMoment} moment @param {boolean} isTrue
 */
function openBoard({ view, piles, hands, seat }, isTrue) {
  /** @type {any} */
  const open = isTrue ? piles : null;
  /** @param {string} name */
  const pile = (name) => open?.[name]?.length > 0 && h("p.open", open[name].map(chip));
  return h(
    "div.board",
    map(view, undefined, null, pile),
    open &&
      h(
        "p.pool",
        h("b", text("replay.pool")),
        " ",
        open.pool.length ? open.pool.map(chip) : text("vwars.none"),
      ),
    isTrue && openHands({ view, hands, seat }),
  );
}

/** What each player has been and held. @param {Pick<VWarsMoment, "view" | "hands" | "seat">} moment */
function openHands({ view, hands, seat }) {
  const seats = Object.entries(hands ?? {});
  return (
    seats.length > 0 &&
    h(
      "ul#hands.hands",
      seats.map(([each, { faction, cards }]) =>
        h(
          "li",
          { "data-seat": each, class: each === seat && !view.outcome ? "now" : null },
          h("p", seatChip(each), " ", h("b", { class: faction }, text(`faction.${faction}`))),
          cards.length > 0 && h("p.open", cards.map(chip)),
        ),
      ),
    )
  );
}

/**
 * The tracks, the present and coming events and the riot; the players where no cards are known.
 * @param {VWarsMoment} moment @param {boolean} isTrue
 */
function stoodIn({ view, hands, seat, piles }, isTrue) {
  const content = { ...view, options: { content: Object.keys(piles ?? {}).length ? "" : "box" } };
  const isOpen = isTrue && Object.keys(hands ?? {}).length > 0;
  return h(
    "section.stood",
    { tabindex: 0, "aria-label": text("state") },
    tracks(view),
    coming(content),
    riot(view),
    !isOpen && people({ ...view, factions: {} }, view.outcome ? null : seat),
  );
}

/** The moments to stop at. @type {Record<string, Mark>} */
const MARKS = {
  turned_public: (x) => drop(x, "kill"),
  investigated: (x) => circle(x, "radar"),
  awakened: (x) => circle(x, "radar", 3),
  election_held: (x) => box(x, "radar", [6, 10, 10]),
  riot_ended: (x, { view: { riot } }) =>
    triangle(x, riot.winner === "human" ? "human" : riot.winner ? "kill" : "miss"),
  /** @param {number} x */
  martial_law: (x) => box(x, "hit", [4, 8, 14], { rx: 2 }),
};

/** @type {ReplayFormat} */
export const replay = {
  marks: MARKS,
  /** The length of the victory track. */
  needed: 16,
  className: "vwars-replay",
  curve: "replay.track",
  /** The victory track is open to all. */
  isSumPublic: true,
  /** @param {VWarsView} view */
  sum: ({ controlled, sympathy }) => controlled + sympathy,
  nested: ["cities", "players"],
  /** @param {VWarsMoment} moment */
  prepare: ({ view }) => nameThings(view),
  /** @param {ReplayState} replayState @param {VWarsMoment} now */
  land: ({ isTrue }, now) => openBoard(now, isTrue),
  /** @param {ReplayState} replayState @param {VWarsMoment} now */
  more: ({ isTrue }, now) => stoodIn(now, isTrue),
};
