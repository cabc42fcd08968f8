/** V-Wars' full texts after a tap: events now and soon, laws, all roles. Pure except for the focus. */
import { CLOSES, handled, narrowButton } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { sideIcon } from "./board.js";
import { focusOn, h } from "../../core/dom.js";
import { seatChip, text, translated } from "../../core/i18n.js";

const SIDES = ["human", "vampire"];

/** Whether this game's texts are ours, not on real cards. @param {VWarsView} view */
const hasTexts = ({ options }) => options.content !== "box";

/** What opens the texts. @param {VWarsView} view @param {boolean} [isOpen] */
export const textsButton = (view, isOpen = false) =>
  hasTexts(view) &&
  narrowButton("texts", icon("list"), text("vwars.texts"), { "aria-expanded": String(isOpen) });

/** All texts that hold now or come soon. @param {VWarsView} view */
export function texts(view) {
  /** @type {any[]} */
  const laws = Object.values(view.regions).filter(({ law }) => law);
  return h(
    "section#texts.texts",
    { "aria-labelledby": "texts-head" },
    h(
      "div.line",
      h("h2#texts-head", { tabindex: "-1" }, text("vwars.texts")),
      narrowButton("texts", icon("cross"), text("vwars.back"), CLOSES),
    ),
    h(
      "div.columns",
      h("h3#texts-events", { tabindex: "-1" }, text("vwars.event")),
      entry(text("vwars.now"), view.event),
      entry(text("vwars.soon"), view.next_event),
      h("h3#texts-laws", { tabindex: "-1" }, text("vwars.laws")),
      laws.length === 0 && h("p.muted", text("vwars.none")),
      laws.map(({ name, law }) => entry([sideIcon(law.side), " ", translated(name)], law)),
      h("h3", text("vwars.laws.next")),
      SIDES.map((side) => entry([sideIcon(side), " ", text(`vwars.${side}`)], view.laws[side])),
      h("h3#texts-roles", { tabindex: "-1" }, text("vwars.roles")),
      Object.entries(view.players)
        .filter(([, { role }]) => role)
        .map(([seat, { role, vampire }]) =>
          h(
            "div.text",
            { "data-seat": seat },
            h("p", seatChip(seat), " ", h("b", { translate: "no" }, translated(role.name))),
            SIDES.filter((side) => role[`${side}_text`]).map((side) =>
              h(
                "p",
                { class: (side === "vampire") === vampire ? null : "muted" },
                text(`choice.as.${side}`),
                " ",
                translated(role[`${side}_text`]),
              ),
            ),
          ),
        ),
    ),
  );
}

/** A card: what it is here, name and text. @param {Child} of @param {VWarsCard | null} card */
const entry = (of, card) =>
  h(
    "div.text",
    h(
      "p",
      h("small", of),
      " ",
      card ? h("b", { translate: "no" }, translated(card.name)) : text("vwars.none"),
    ),
    card?.text && h("p", translated(card.text)),
  );

/** After the next drawing put the focus where reading begins. @param {string} where */
export function readFocus(where) {
  setTimeout(async () => {
    await handled;
    focusOn(document.getElementById(`texts-${where}`) ? `#texts-${where}` : "#texts-head");
  });
}
