/** V-Wars' texts in full, for whoever taps: events now and soon, laws, everybody's role. Pure but for the focus. */
import { button } from "./choices.js";
import { icon } from "./icons.js";
import { sideIcon } from "./wars.js";
import { el } from "./tree.js";
import { seatChip, text, translated } from "./words.js";

const SIDES = ["human", "vampire"];

/** Whether this game's texts are the companion's: beside the box they lie on the table. */
export const hasTexts = ({ options }) => options.content !== "box";

/** What opens the texts. */
export const textsButton = (view, isOpen = false) =>
  hasTexts(view) &&
  button("texts", icon("list"), {
    class: "narrow",
    "aria-label": text("vw.texts"),
    "aria-expanded": String(isOpen),
  });

/** All texts that hold now or come soon. */
export function texts(view) {
  const laws = Object.values(view.regions).filter(({ law }) => law);
  return el(
    "section",
    { id: "texts", class: "texts", "aria-labelledby": "texts-head" },
    el(
      "div",
      { class: "line" },
      el("h2", { id: "texts-head", tabindex: "-1" }, text("vw.texts")),
      button("texts", icon("cross"), { class: "narrow", "aria-label": text("vw.back") }),
    ),
    el("h3", { id: "texts-events", tabindex: "-1" }, text("vw.event")),
    entry(text("vw.now"), view.event),
    entry(text("vw.soon"), view.next_event),
    el("h3", { id: "texts-laws", tabindex: "-1" }, text("vw.laws")),
    laws.length === 0 && el("p", { class: "muted" }, text("vw.none")),
    laws.map(({ name, law }) => entry([sideIcon(law.side), " ", translated(name)], law)),
    el("h3", {}, text("vw.laws.next")),
    SIDES.map((side) => entry([sideIcon(side), " ", text(`vw.${side}`)], view.laws[side])),
    el("h3", { id: "texts-roles", tabindex: "-1" }, text("vw.roles")),
    Object.entries(view.players)
      .filter(([, { role }]) => role)
      .map(([seat, { role, vampire }]) =>
        el(
          "div",
          { class: "text", "data-seat": seat },
          el("p", {}, seatChip(seat), " ", el("b", { translate: "no" }, translated(role.name))),
          SIDES.map((side) =>
            el(
              "p",
              { class: (side === "vampire") === vampire ? null : "muted" },
              text(`choice.as.${side}`),
              " ",
              translated(role[`${side}_text`]),
            ),
          ),
        ),
      ),
  );
}

/** One card: what it is here, its name and its text. */
const entry = (of, card) =>
  el(
    "div",
    { class: "text" },
    el(
      "p",
      {},
      el("small", {}, of),
      " ",
      card ? el("b", { translate: "no" }, translated(card.name)) : text("vw.none"),
    ),
    card?.text && el("p", {}, translated(card.text)),
  );

/** After the next drawing put the focus where reading begins, or back on what opened the texts. */
export function readFocus(isOpen, where) {
  setTimeout(() => {
    const begin =
      document.getElementById(`texts-${where}`) ?? document.getElementById("texts-head");
    (isOpen ? begin : document.querySelector('[data-action="texts"]'))?.focus();
  });
}

/** Escape closes the texts. */
export function closeByKey() {
  globalThis.document?.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") document.querySelector('#texts [data-action="texts"]')?.click();
  });
}
