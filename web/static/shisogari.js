/** The table display of Shisogari: hands as backs, pairs, what is named; at the end everything open. Pure. */
import {
  ACTIONS,
  choices,
  deedWords,
  isReady,
  moverWords,
  partnerButtons,
  players,
  ready,
  sum,
} from "./cards.js";
import { button, halted } from "./choices.js";
import { GHOST } from "./ghost.js";
import { icon } from "./icons.js";
import { SHAPES } from "./names.js";
import { scene } from "./picture.js";
import { news } from "./stage.js";
import { consent, foot, logList, panel } from "./table_play.js";
import { el } from "./tree.js";
import { truthList } from "./truth.js";
import { said, seatName, text, winnerWords } from "./words.js";

export { isReady, ready };
export const style = "cards";

const isCards = ({ view }) => view.options.hands === "cards";
const isBots = ({ seats, to_move: mover }) =>
  Boolean(seats.find(({ seat }) => seat === mover)?.bot);

/** Describe the whole screen of the table. */
export function playScreen(table) {
  const { picture, ui, can } = table;
  const isOver = scene(picture) === "over";
  const isOpen =
    can && isCards(picture) && !isOver && !ui.info && !picture.undo?.asked && !isBots(picture);
  const legal = isOpen ? picture.legal : [];
  const shown = choosing(table, legal, isOver);
  const proof = isOver && !ui.info && table.truth;
  return el(
    "main",
    {
      class: `play cardplay${shown.length ? " choosing" : ""}${ui.info ? " reading" : ""}${isOver ? " ended" : ""}`,
    },
    el(
      "div",
      { class: "land" },
      players(picture.view, isOver ? null : picture.to_move, (seat) =>
        isOpen && picture.view.step === "turn" && seat !== picture.to_move
          ? partnerButtons(legal, seat)
          : null,
      ),
    ),
    el(
      "div",
      { class: "side" },
      banner(table, isOver),
      ui.info ? [] : sum(picture.view),
      proof && truthList(proof),
      ui.info || proof || shown.length > 2 ? [] : logList(heard(picture), 6),
      el(
        "div",
        { class: "lower" },
        el("div", { class: "choices", id: "choices" }, shown),
        el("div", { class: "row bar", id: "bar" }, bar(table, isOver)),
      ),
      foot({ ...picture, log: heard(picture), seal: null }),
    ),
  );
}

const heard = (picture) =>
  news({ picture, events: picture.log }).events.filter(
    ({ said: words, event }) => words && !["turn_started", "cards_shown"].includes(event.event),
  );

function banner({ picture, notice }, isOver) {
  const words = halted(picture);
  if (words && !isOver)
    return el(
      "header",
      { id: "banner", class: "banner warn" },
      el("h1", {}, words.head),
      words.small && el("p", {}, words.small),
    );
  if (isOver)
    return el(
      "header",
      { id: "banner", class: "banner dusk" },
      el("h1", {}, winnerWords(picture.game, picture.outcome)),
      el("p", {}, text(`end.reason.${picture.outcome.reason}`)),
    );
  return el(
    "header",
    { id: "banner", class: `banner ${picture.to_move}` },
    el(
      "h1",
      {},
      icon(SHAPES[picture.to_move]),
      " ",
      el("span", { translate: "no" }, seatName(picture.to_move)),
    ),
    el("p", {}, notice ? said(notice) : moverWords(picture)),
    picture.view.deed && el("p", { class: "deed", id: "deed" }, deedWords(picture.view)),
  );
}

function choosing({ picture, ui, can, truth }, legal, isOver) {
  if (ui.info) return panel(picture, ui, null);
  if (!can) return [];
  if (picture.undo?.asked) return isCards(picture) ? consent(picture) : [];
  if (isOver)
    return [
      !isCards(picture) && !truth && button("reveal", text("end.truth")),
      el(
        "div",
        { class: "row" },
        button("replay", text("replay")),
        button("again", text("end.again"), { class: "prime" }),
      ),
    ];
  return legal.length ? choices(picture.view, legal, ui) : [];
}

function bar({ picture, ui, can }, isOver) {
  if (ui.info) return [];
  const more = button("info", icon("more"), {
    class: "narrow",
    "aria-label": text("more"),
    "aria-pressed": "false",
  });
  if (!can || isOver || !isCards(picture)) return [more];
  return [
    button("undo", [icon("undo"), text("undo")], {
      "aria-disabled": picture.undo?.kind === "none" ? "true" : null,
    }),
    more,
  ];
}

/** A round that is only shown: nothing of it is anybody's. */
export function ghostScreen({ ui }) {
  const step = Math.min(ui.step ?? 0, GHOST.length - 1);
  const isLast = step === GHOST.length - 1;
  return el(
    "main",
    { class: "play cardplay ghost" },
    el("div", { class: "land" }, players(GHOST[step], GHOST[step].mover)),
    el(
      "div",
      { class: "side" },
      el("header", { id: "banner", class: "banner dusk" }, el("h1", {}, text("ghost"))),
      el(
        "p",
        { class: "told", id: "ghost", "aria-live": "polite" },
        text(`ghost.${step}`, { one: seatName("P1"), two: seatName("P2"), three: seatName("P3") }),
      ),
      GHOST[step].counted && sum(GHOST[step]),
      el(
        "div",
        { class: "lower" },
        el("p", { class: "muted" }, text("ghost.step", { n: step + 1, of: GHOST.length })),
        el(
          "div",
          { class: "row" },
          button("seats", text("ghost.done"), { class: isLast ? "prime" : null }),
          !isLast && button("next", text("ghost.next"), { class: "prime" }),
        ),
      ),
    ),
  );
}

const here = { ...ACTIONS, next: ({ ui }) => ({ step: (ui.step ?? 0) + 1 }) };
export { here as ACTIONS };
