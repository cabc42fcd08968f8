/** The table display of Shisogari: hands as backs, pairs, what is named; at the end everything open. Pure. */
import { ACTIONS, choices, deedWords, moverWords, partnerButtons, sum } from "./cards.js";
import { finale, seance } from "./seance.js";
import { button, halted, undoButton } from "../../core/controls.js";
import { TUTORIAL } from "./tutorial.js";
import { isBotToMove, scene } from "../../core/snapshot.js";
import { news } from "../../screens/table/update_queue.js";
import {
  consent,
  foot,
  infoButton,
  logList,
  panel,
  seatHeading,
  warning,
} from "../../screens/table/play.js";
import { h } from "../../core/dom.js";
import { truthList } from "../../proof/verdict.js";
import { message, seatName, text } from "../../core/i18n.js";

const isCards = ({ view }) => view.options.hands === "cards";

/** Describe the whole screen of the table. */
export function playScreen(table) {
  const { picture, ui, can } = table;
  const isOver = scene(picture) === "over";
  const isOpen =
    can && isCards(picture) && !isOver && !ui.info && !picture.undo?.asked && !isBotToMove(picture);
  const legal = isOpen ? picture.legal : [];
  const shown = choosing(table, legal, isOver);
  const proof = isOver && !ui.info && table.truth;
  return h(
    "main",
    {
      class: `play cardplay${shown.length ? " choosing" : ""}${ui.info ? " reading" : ""}${isOver ? " ended" : ""}`,
    },
    h(
      "div",
      { class: "land" },
      seance(picture.view, isOver ? null : picture.to_move, (seat) =>
        isOpen && picture.view.step === "turn" && seat !== picture.to_move
          ? partnerButtons(legal, seat)
          : null,
      ),
    ),
    h(
      "div",
      { class: "side" },
      banner(table, isOver),
      ui.info ? [] : sum(picture.view),
      proof && truthList(proof),
      said(picture, { isOver, isInfo: ui.info, isCrowded: shown.length > 2 }),
      h(
        "div",
        { class: "lower" },
        h("div", { class: "choices", id: "choices" }, shown),
        h("div", { class: "row bar", id: "bar" }, bar(table, isOver)),
      ),
      foot({ ...picture, log: [], seal: null }),
    ),
  );
}

/** The last sentence, unless the banner shows the same event; earlier ones beside the button for more. */
function said(picture, { isOver, isInfo, isCrowded }) {
  if (isInfo) return logList(heard(picture), 6);
  return isOver || isCrowded || picture.view.deed ? [] : logList(heard(picture), 1);
}

const heard = (picture) =>
  news({ picture, events: picture.log }).events.filter(
    ({ said: words, event }) => words && !["turn_started", "cards_shown"].includes(event.event),
  );

function banner({ picture, can, notice }, isOver) {
  const words = halted(picture);
  if (words && !isOver) return warning(words);
  if (isOver) return finale(picture);
  const isPressedHere = can && isCards(picture) && !isBotToMove(picture);
  return h(
    "header",
    { id: "banner", class: `banner ${picture.to_move}` },
    h(
      "h1",
      {},
      seatHeading(picture.to_move),
      isBotToMove(picture) && h("small", { class: "bot" }, text("bot")),
    ),
    h("p", {}, notice ? message(notice) : moverWords(picture, isPressedHere)),
    picture.view.deed && h("p", { class: "deed", id: "deed" }, deedWords(picture.view)),
  );
}

function choosing({ picture, ui, can, truth }, legal, isOver) {
  if (ui.info) return panel(picture, ui, null);
  if (!can) return [];
  if (picture.undo?.asked) return isCards(picture) ? consent(picture) : [];
  if (isOver)
    return [
      !isCards(picture) && !truth && button("reveal", text("end.truth")),
      h(
        "div",
        { class: "row" },
        button("replay", text("replay"), { class: "prime" }),
        button("again", text("end.again")),
      ),
    ];
  return legal.length ? choices(picture.view, legal, ui) : [];
}

function bar({ picture, ui, can }, isOver) {
  if (ui.info) return [];
  const more = infoButton();
  if (!can || isOver || !isCards(picture)) return [more];
  return [undoButton(picture), more];
}

/** A round that is only shown: nobody can act in it. */
export function ghostScreen({ ui }) {
  const step = Math.min(ui.step ?? 0, TUTORIAL.length - 1);
  const isLast = step === TUTORIAL.length - 1;
  return h(
    "main",
    { class: "play cardplay ghost" },
    h("div", { class: "land" }, seance(TUTORIAL[step], TUTORIAL[step].mover)),
    h(
      "div",
      { class: "side" },
      h("header", { id: "banner", class: "banner dusk" }, h("h1", {}, text("ghost"))),
      h(
        "p",
        { class: "told", id: "ghost", "aria-live": "polite" },
        text(`ghost.${step}`, { one: seatName("P1"), two: seatName("P2"), three: seatName("P3") }),
      ),
      TUTORIAL[step].counted && sum(TUTORIAL[step]),
      h(
        "div",
        { class: "lower" },
        h("p", { class: "muted" }, text("ghost.step", { n: step + 1, of: TUTORIAL.length })),
        h(
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
