/** The cards of Vampire Empire as pictures. These follow a card's kind alone: a content file has names of its own. Pure. */
import { icon } from "../../core/icons.js";
import { cardOf } from "../../core/reference.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";
import { emblem } from "./figures.js";

/** @param {string} id @returns {{name: string, kind: string, text: string, borders: string[], [field: string]: any}} */
const fieldsOf = (id) => ({ borders: [], effects: [], cost_day: 0, cost_night: 0, ...cardOf(id) });

/** @param {{kind: string}} card */
const isSupport = ({ kind }) => kind === "support";

/** The colours of a card, for its attributes: of its borders, two at most. @param {string} id */
export function colours(id) {
  const card = fieldsOf(id);
  const [one, other] = isSupport(card) ? ["support"] : card.borders;
  return { "--field": `var(--${one})`, "--second": other && `var(--${other})` };
}

/**
 * The face of a card: its value, or what a support costs in the turn of a seat; its picture; its name.
 * @param {string} id @param {string} turn
 */
export function face(id, turn) {
  const card = fieldsOf(id);
  const [hour, cost] = turn === "human" ? ["sun", card.cost_day] : ["moon", card.cost_night];
  return [
    h("span.worth", isSupport(card) ? [icon(hour), cost] : card.value),
    emblem(isSupport(card) ? [card.effects[0]?.do] : card.borders),
    h("b", card.name),
    h("span.vh", " ", isSupport(card) ? "" : borderWords(card)),
  ];
}

/** A card that is looked at in full. @param {string} id */
export function description(id) {
  const card = fieldsOf(id);
  return [
    h("b", card.name),
    ": ",
    isSupport(card)
      ? [
          card.text,
          " ",
          text("vampire_empire.cost", { day: card.cost_day, night: card.cost_night }),
        ]
      : [card.value, " · ", borderWords(card)],
  ];
}

/** @param {{borders: string[]}} card */
const borderWords = ({ borders }) => borders.map((name) => text(`border.${name}`)).join(" / ");

/** A card that everybody may see. @param {string} id @param {string} turn */
export const openCard = (id, turn) =>
  h("li.playing-card", { ...colours(id), title: fieldsOf(id).name }, face(id, turn));
