/** The rule card of a map in words: a sentence for each of its rules. Pure. */
import { legend, wayName } from "./board.js";
import { USUAL } from "./card_defaults.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";
import { mapOf } from "../../core/reference.js";

/** @type {Record<string, string>} */
const STAYS = { "": "nobody", fugitive: "fugitive", hunter: "hunter" };

/** The sentences of a map's card. @param {ManhuntMap} map */
export function sentences(map) {
  /** @type {ManhuntRuleCard} */
  const rules = { ...USUAL, ...map.rules };
  const { hunter = {}, fugitive = {} } = rules.tickets;
  /** @param {string} end */
  const isOne = (end) => rules.ends.includes(end);
  /** @param {Record<string, number>} tickets */
  const owned = (tickets) =>
    Object.entries(tickets)
      .map(([kind, count]) => `${wayName(kind)} ${count}`)
      .join(", ");
  const asked = rules.questions.map((question) => text(`ask.${question}`)).join(" ");
  const targets = rules.targets || map.places.filter(({ target }) => target).length;
  return [
    map.ways.some(({ fugitive_only: isHidden }) => isHidden) && text("card.only"),
    text("card.moves", { n: rules.fugitive_moves }),
    text("card.pawns", { n: rules.hunter_moves }),
    text(`card.stay.${STAYS[rules.may_stay.join()] ?? "both"}`),
    text(`card.announce.${rules.announce}`),
    rules.shows.length
      ? text("card.shows", { rounds: rules.shows.join(", ") })
      : text("card.shows.never"),
    rules.double_moves && text("card.doubles", { n: rules.double_moves }),
    rules.unseen_moves && text("card.unseen", { n: rules.unseen_moves }),
    owned(hunter) && text("card.tickets", { tickets: owned(hunter) }),
    owned(fugitive) && text("card.tickets.own", { tickets: owned(fugitive) }),
    owned(hunter) && text(`card.paid.${rules.paid_to}`),
    asked ? text("card.asks", { questions: asked }) : text("card.asks.never"),
    rules.questions.includes("within") && text("card.near", { n: rules.within }),
    text(`card.arrest.${rules.arrest}`),
    text(`card.rounds.${isOne("rounds") ? "fugitive" : "hunters"}`, { n: rules.rounds }),
    isOne("hideout") && text("card.hideout"),
    isOne("targets") && text("card.targets", { n: targets }),
    rules.nights > 1 && text("card.nights", { n: rules.nights }),
  ].filter(Boolean);
}

/** The card with the kinds of ways, as part of a page. */
export const card = (map = mapOf()) =>
  map &&
  h(
    "section#card.rulecard",
    h("h2", text("card")),
    legend(map),
    h(
      "ul",
      sentences(map).map((each) => h("li", each)),
    ),
  );
