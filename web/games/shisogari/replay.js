/** A game of hidden hands in the replay: every hand open, as nobody saw it, or as the table saw it. Pure. */
import { card, colourOf, deedWords } from "./cards.js";
import { roundTable } from "./round_table.js";
import { h } from "../../core/dom.js";
import { seatChip, text } from "../../core/i18n.js";
import { cardMark, drop, triangle } from "../../screens/replay/marks.js";
import { game } from "./index.js";

/**
 * The players of a moment; with `isTrue` their roles, hands and laid pairs, and the card that was just picked.
 * @param {ShisogariMoment} moment @param {boolean} isTrue
 */
function openHands({ view, hands, seat }, isTrue) {
  const mover = view.outcome ? null : seat;
  if (!hands || !isTrue) return roundTable({ ...view, shown: null }, mover);
  const seats = Object.keys(hands);
  /** @param {(hand: ShisogariHand, seat: string) => any} value */
  const each = (value) => Object.fromEntries(seats.map((one) => [one, value(hands[one], one)]));
  const shown = {
    roles: each(({ role }) => role),
    hands: each(({ cards }) => cards),
    pairs: each(({ laid }) => laid),
  };
  const pairs = each(({ laid }, one) =>
    laid.map(([first], index) => view.pairs[one][index] ?? { colour: colourOf(first), item: null }),
  );
  return roundTable(
    { ...view, pairs, shown },
    mover,
    (one) => hands[one].picked && lifted(hands[one].picked),
  );
}

/** @param {string} picked */
const lifted = (picked) =>
  h("span.lifted", card(colourOf(picked), picked), " ", text(`item.${picked}`));

/**
 * The present transfer, the named player, and the distance to the Hunters' goal.
 * @param {ShisogariMoment} moment @param {boolean} isTrue
 */
function stood({ view, sum }, isTrue) {
  const isKnown = sum !== null && isTrue;
  return [
    h(
      "p.count",
      h("b#enough", isKnown ? sum : "–"),
      " ",
      text("replay.needed", { of: view.needed }),
    ),
    h(
      "p#transfer.share",
      view.accused
        ? [seatChip(view.accused.seat), " → ", seatChip(view.accused.suspect)]
        : deedWords(view),
    ),
  ];
}

const BITES = ["secret.bitten", "secret.turned"];

/** The moments to stop at. @type {Record<string, Mark>} */
const MARKS = {
  pair_laid: (x, { message: { code } }) => cardMark(x, code === "event.pair_up" ? "hit" : "radar"),
  card_placed: (x, { message: { code } }) => (BITES.includes(code) ? drop(x, "kill") : null),
  accused: (x) => triangle(x, "kill"),
};

/** @type {ReplayFormat} */
export const replay = {
  marks: MARKS,
  className: "shisogari-replay",
  curve: "replay.sums",
  winners: game.winners,
  /** @param {ReplayState} replayState @param {ShisogariMoment} now */
  land: ({ isTrue }, now) => openHands(now, isTrue),
  /** @param {ReplayState} replayState @param {ShisogariMoment} now */
  state: ({ isTrue }, now) => stood(now, isTrue),
};
