/**
 * The table display while the vampire plays on paper: its spoken answers, typed by anybody at the
 * display; after the game the check of its path. Loaded for such a game only.
 */
import { button } from "../../../core/controls.js";
import { icon } from "../../../core/icons.js";
import { phaseOf } from "../../../core/snapshot.js";
import * as display from "../table.js";
import { auditResult, ending, loadPaperWords } from "../../../screens/paper/verdict.js";
import { pageName } from "./typing.js";
import { h } from "../../../core/dom.js";
import { rich, text } from "../../../core/i18n.js";

export { edit, follow, newTurn } from "../table.js";

/** Load the words. */
export const ready = () => loadPaperWords("vampireradar", "table");

/** Describe the whole screen of the table. @param {RadarTable} table */
export const playScreen = (table) => display.playScreen({ ...table, aside: aside(table) });

/** What differs from a game with a phone; null in a human's turn. @param {RadarTable} table */
function aside({ snapshot, ui, truth }) {
  if (phaseOf(snapshot) === "over")
    return {
      over: ending(snapshot, truth),
      verdict:
        snapshot.paper?.typed && auditResult(snapshot.paper, (page) => pageName(snapshot, page)),
      trail: truth ? null : snapshot.paper?.typed?.pages.flat(),
    };
  if (snapshot.to_move !== "V") return null;
  const { asked, placed, night } = snapshot.view;
  const head = [
    icon(asked ? "vampire" : "moon"),
    " ",
    asked || !placed ? text("vampire") : text("night.name", { n: night }),
  ];
  if (asked?.event === "radar_asked")
    return {
      head,
      small: rich("paper.radar", asked),
      choices: numbers(snapshot.legal),
      cells: [],
      rings: { [asked.cell]: "chosen" },
    };
  if (asked)
    return {
      head,
      small: rich("paper.shot", asked),
      choices: shots(snapshot.legal),
      cells: [],
      shot: asked,
    };
  if (!placed)
    return {
      head,
      small: text("paper.hide"),
      choices: [button("hide", text("paper.hidden"), { class: "prime" })],
      cells: [],
    };
  return {
    head,
    small: text("paper.night"),
    choices: announcements(snapshot.legal, ui.target),
    cells: attacksOf(snapshot.legal).map(({ to }) => to),
    rings: ui.target ? { [ui.target]: "chosen" } : {},
  };
}

/** @param {RadarAction[]} legal */
const numbers = (legal) => [
  h(
    "div.numbers",
    legal.map(({ distance }) =>
      button(["radar", distance], distance, {
        "aria-label": text("paper.distance", { n: distance }),
      }),
    ),
  ),
];

/** @param {RadarAction[]} legal */
const shots = (legal) =>
  legal.map(({ hit }) => button(["shot", hit], text(hit ? "paper.groan" : "paper.silence")));

/** @param {RadarAction[]} legal */
const attacksOf = (legal) => legal.filter(({ type }) => type === "attack" || type === "heal");

/** What may happen on the pressed tile. @param {RadarAction[]} legal @param {string} cell */
const announcements = (legal, cell) =>
  attacksOf(legal)
    .filter(({ to }) => to === cell)
    .map(({ type }) =>
      button(
        type,
        [icon(type === "attack" ? "sword" : "bat"), " ", text(`paper.${type}`, { cell })],
        { class: "prime" },
      ),
    );

/**
 * The meaning of a press on a tile: at night a tile of a disclosure.
 * @param {RadarSnapshot} snapshot @param {string} cell @param {Record<string, any>} ui
 */
export function tapped(snapshot, cell, ui) {
  if (snapshot.to_move !== "V") return display.tapped(snapshot, cell, ui);
  return attacksOf(snapshot.legal).some(({ to }) => to === cell)
    ? { target: cell }
    : { target: null };
}

/** @param {string} type @returns {(table: RadarTable) => {submit: RadarAction} | null} */
const announce =
  (type) =>
  ({ snapshot, ui }) =>
    submitLegal(snapshot, (each) => each.type === type && each.to === ui.target);
/**
 * Return the submission of the first legal action that `is` accepts; null without one.
 * @param {RadarSnapshot} snapshot @param {(action: RadarAction) => boolean} is
 */
const submitLegal = ({ legal }, is) => {
  const action = legal.find(is);
  return action ? { submit: action } : null;
};

/** @type {LoadingActions<RadarTable>} */
export const ACTIONS = {
  ...display.ACTIONS,
  hide: ({ snapshot }) => submitLegal(snapshot, ({ type }) => type === "hide"),
  attack: announce("attack"),
  heal: announce("heal"),
  shot: ({ snapshot }, hit) =>
    submitLegal(snapshot, (each) => each.type === "answer_shot" && String(each.hit) === hit),
  radar: (table, distance) =>
    distance
      ? submitLegal(
          table.snapshot,
          (each) => each.type === "answer_radar" && String(each.distance) === distance,
        )
      : display.ACTIONS.radar(table, ""),
};
