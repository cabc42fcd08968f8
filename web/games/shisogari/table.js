/** The table display of Shisogari: hands as backs, pairs, what is named; at the end everything open. Pure. */
import { ACTIONS, choices, deedWords, moverWords, partnerButtons, sum } from "./cards.js";
import { finale, roundTable } from "./round_table.js";
import { endButtons, halted, undoButton } from "../../core/controls.js";
import { isBotToMove, phaseOf } from "../../core/snapshot.js";
import { factList, fetchEnding, figures } from "../../screens/table/ending.js";
import { news } from "../../screens/table/news.js";
import {
  display,
  foot,
  infoButton,
  logList,
  panel,
  turnBanner,
  voteButtons,
  warning,
} from "../../screens/table/play.js";
import { h } from "../../core/dom.js";
import { proofList } from "../../proof/verdict.js";
import { message, seatName, text } from "../../core/i18n.js";

/** @param {ShisogariSnapshot} snapshot */
const isCards = ({ view }) => view.options.hands === "cards";

/** @type {[string, (params: any) => Child, string][]} */
const FACTS = [
  ["figure.vampire", ({ seat }) => seatName(seat), "fact.vampire"],
  ["figure.bitten", ({ seat }) => seatName(seat), "fact.bitten"],
  ["figure.enough", (params) => text("fact.turn", params), "fact.enough"],
  ["figure.never_enough", ({ n, of }) => `${n} / ${of}`, "fact.never"],
  ["figure.pairs", ({ n, real }) => `${real} / ${n}`, "fact.pairs"],
  ["figure.pairs_up", ({ n, up }) => `${up} / ${n}`, "fact.open"],
];

/** Describe the whole screen of the table. @param {ShisogariTable} table */
export function playScreen(table) {
  const { snapshot, ui, canControl } = table;
  const isOver = phaseOf(snapshot) === "over";
  const isOpen =
    canControl &&
    isCards(snapshot) &&
    !isOver &&
    !ui.info &&
    !snapshot.vote &&
    !isBotToMove(snapshot);
  const legal = isOpen ? snapshot.legal : [];
  const buttons = choosing(table, legal, isOver);
  const proof = isOver && !ui.info && table.truth;
  return display(table, {
    looks: ["shisogari-table", "is-square", isOver && "ended"],
    land: roundTable(
      snapshot.view,
      isOver ? null : snapshot.to_move,
      (seat) =>
        isOpen && snapshot.view.step === "turn" && seat !== snapshot.to_move
          ? partnerButtons(legal, seat)
          : null,
      isOver ? figures("figure.bitten") : [],
    ),
    banner: banner(table, isOver),
    body: [
      ui.info ? [] : sum(snapshot.view),
      isOver && !ui.info && (proof ? proofList(proof) : factList(snapshot, FACTS)),
      lastMessages(snapshot, { isOver, isInfo: ui.info, isCrowded: buttons.length > 2 }),
    ],
    choices: buttons,
    isRow: false,
    bar: bar(table, isOver),
    foot: foot({ ...snapshot, log: [], seal: null }),
  });
}

/**
 * The last sentence, unless the banner shows the same event; earlier ones beside the button for more.
 * @param {ShisogariSnapshot} snapshot
 * @param {{isOver: boolean, isInfo: boolean, isCrowded: boolean}} parts
 */
function lastMessages(snapshot, { isOver, isInfo, isCrowded }) {
  if (isInfo) return logList(publicMessages(snapshot), 6);
  return isOver || isCrowded || snapshot.view.transfer ? [] : logList(publicMessages(snapshot), 1);
}

/** @param {ShisogariSnapshot} snapshot */
const publicMessages = (snapshot) =>
  news({ snapshot, events: snapshot.log }).events.filter(
    ({ message: words, event }) => words && !["turn_started", "cards_shown"].includes(event.event),
  );

/** @param {ShisogariTable} table @param {boolean} isOver */
function banner({ snapshot, canControl, notice }, isOver) {
  const words = halted(snapshot);
  if (words && !isOver) return warning(words);
  if (isOver) return finale(snapshot);
  const isPressedHere = canControl && isCards(snapshot) && !isBotToMove(snapshot);
  return turnBanner(
    snapshot,
    notice ? message(notice) : moverWords(snapshot, isPressedHere),
    snapshot.view.transfer && h("p#transfer.transfer", deedWords(snapshot.view)),
  );
}

/** @param {ShisogariTable} table @param {ShisogariAction[]} legal @param {boolean} isOver */
function choosing({ snapshot, ui, canControl, truth }, legal, isOver) {
  if (ui.info) return panel(snapshot, ui, null);
  if (!canControl) return [];
  if (snapshot.vote) return isCards(snapshot) ? voteButtons(snapshot) : [];
  if (isOver) return [h("div.row", endButtons(!isCards(snapshot) && !truth))];
  return legal.length ? choices(snapshot.view, legal, ui) : [];
}

/** @param {ShisogariTable} table @param {boolean} isOver */
function bar({ snapshot, ui, canControl }, isOver) {
  if (ui.info) return [];
  const more = infoButton();
  if (!canControl || isOver || !isCards(snapshot)) return [more];
  return [undoButton(snapshot), more];
}

/** After the end the bites are drawn. @param {ShisogariTable} table @param {() => unknown} draw */
export const follow = ({ snapshot }, draw) => fetchEnding(snapshot, draw);

export { ACTIONS };
