/**
 * The table display while the fugitive plays on paper: its announcements, typed by anybody at the
 * display; after the game the check of its path. Loaded for such a game only.
 */
import * as display from "../table.js";
import { placeName, wayName } from "../board.js";
import { pageName } from "./typing.js";
import { button, doubleTapGuard, whyNot, narrowButton } from "../../../core/controls.js";
import { phaseOf } from "../../../core/snapshot.js";
import { auditResult, ending, loadPaperWords } from "../../../screens/paper/verdict.js";
import { h } from "../../../core/dom.js";
import { rich, text } from "../../../core/i18n.js";
import { isLookedUp, lookUp } from "../../../core/reference.js";

export { edit, follow } from "../table.js";

let hasWords = false;

/** @param {ManhuntSnapshot} snapshot */
export const isReady = (snapshot) => hasWords && isLookedUp(snapshot);

/** Load the words and the map. @param {ManhuntSnapshot} snapshot */
export const ready = (snapshot) =>
  Promise.all([
    loadPaperWords("manhunt", "table").then(() => {
      hasWords = true;
    }),
    lookUp(snapshot),
  ]);

export const newTurn = { ...display.newTurn, place: null, sure: false };

/** Describe the whole screen of the table. @param {ManhuntTable} table */
export const playScreen = (table) => display.playScreen({ ...table, aside: aside(table) });

/** What differs from a game with a phone; null in a hunter's turn. @param {ManhuntTable} table */
function aside({ snapshot, ui, truth }) {
  if (phaseOf(snapshot) === "over")
    return {
      over: ending(snapshot, truth),
      trail: lastNight(snapshot.paper),
      verdict:
        snapshot.paper?.typed && auditResult(snapshot.paper, (page) => pageName(snapshot, page)),
    };
  if (snapshot.to_move !== "F") return null;
  const { question, placed } = snapshot.view;
  if (question) return asked(question, snapshot, ui);
  if (!placed)
    return {
      sentence: text("paper.hide"),
      choices: [button("written", text("paper.hidden"), { class: "prime" })],
      cells: [],
    };
  return turn(snapshot, ui);
}

/**
 * The typed path of the last night.
 * @param {{announced: Message[][], typed: {pages: string[][]} | null} | undefined} paper
 */
function lastNight(paper) {
  const start = paper?.announced.findLastIndex(([title]) => !title.code.startsWith("page.round"));
  return paper?.typed?.pages.slice(start).flat();
}

/** The places that the fugitive may announce now. @param {ManhuntAction[]} legal */
const placesOf = (legal) =>
  legal.flatMap(({ type, cell, found }) =>
    type === "announce_place" || type === "answer_arrest" ? (cell ?? []) : (found ?? []),
  );

/** The pressed place's button. @param {ManhuntSnapshot} snapshot @param {Record<string, any>} ui */
const placeButton = ({ legal }, { place }) =>
  placesOf(legal).includes(place) &&
  button("tell", text("paper.place", { place: placeName(place) }), { class: "prime" });

/**
 * @param {{event: string, cell: string, cells?: string[], pawn: string, question: string}} question
 * @param {ManhuntSnapshot} snapshot @param {Record<string, any>} ui
 */
function asked(question, snapshot, ui) {
  const { event, cell, cells = [cell], pawn } = question;
  const isArrest = event === "arrest_asked";
  const rings = Object.fromEntries(cells.map((each) => [each, "shown"]));
  if (isArrest)
    return {
      sentence: text("paper.arrest", { places: cells.map((each) => placeName(each)).join(", ") }),
      choices: [
        button("nobody", text("paper.nobody")),
        cells.map((each) => button(["caught", each], text("paper.caught", { cell: each }))),
      ],
      cells: [],
      rings,
    };
  const places = placesOf(snapshot.legal);
  return {
    sentence: rich(`paper.${question.question}`, { pawn, cell }),
    choices: [
      places.length
        ? [placeButton(snapshot, ui), button(["answer", "no"], text("paper.no"))]
        : [
            button(["answer", "yes"], text("paper.yes")),
            button(["answer", "no"], text("paper.no")),
          ],
    ],
    cells: places,
    rings: { ...rings, ...chosen(places, ui) },
  };
}

/** @param {string[]} places @param {Record<string, any>} ui */
const chosen = (places, { place }) => (places.includes(place) ? { [place]: "chosen" } : {});

/**
 * The announcements of a turn, one after the other; a button ends it.
 * @param {ManhuntSnapshot} snapshot @param {Record<string, any>} ui
 */
function turn(snapshot, ui) {
  const { legal, view } = snapshot;
  const { ways, distance, cell } = { ways: [], ...view.turn_announced };
  /** @param {string} type */
  const of = (type) => legal.filter((action) => action.type === type);
  const places = placesOf(legal);
  const isShown = view.shows.includes(view.round);
  const announced = [
    ways.map(wayName).join(", "),
    distance !== undefined && text("way.distance", { n: distance }),
    cell && text("way.shown", { place: placeName(cell) }),
  ].filter(Boolean);
  const isAnnouncing = of("announce_way").length > 0 || of("announce_distance").length > 0;
  const task = isAnnouncing
    ? of("announce_way").length
      ? "paper.ways"
      : "paper.far"
    : isShown && !cell
      ? "paper.show"
      : places.length
        ? "paper.end_or_place"
        : "paper.end";
  return {
    sentence: [h("b#told", announced.join(" · ")), announced.length > 0 && " · ", text(task)],
    choices: [
      of("announce_way").map(({ way }) => button(["way", way], wayName(way))),
      of("announce_distance").map(({ distance: n }) =>
        narrowButton(["far", n], n, text("way.distance", { n })),
      ),
      placeButton(snapshot, ui),
      of("surrender").length > 0 && button("surrender", text(ui.sure ? "sure" : "act.surrender")),
    ],
    cells: places,
    rings: chosen(places, ui),
    ends: [
      of("again").length > 0 && button("twice", text("act.again")),
      button("close", text("act.end"), {
        class: of("end").length && !isAnnouncing ? "prime" : null,
        ...whyNot(!of("end").length && text(task)),
      }),
    ],
  };
}

/**
 * The meaning of a press on a place: in the fugitive's turn a place that may be announced.
 * @param {ManhuntSnapshot} snapshot @param {string} cell @param {Record<string, any>} ui
 */
export function tapped(snapshot, cell, ui) {
  if (snapshot.to_move !== "F") return display.tapped(snapshot, cell, ui);
  return { place: placesOf(snapshot.legal).includes(cell) ? cell : null, sure: false };
}

const CLEAR = { place: null, sure: false };
/**
 * Return the submission of the first legal action that `is` accepts; null without one.
 * @param {ManhuntTable} table @param {(action: ManhuntAction) => boolean} is
 */
const submitLegal = ({ snapshot: { legal } }, is) => {
  const action = legal.find(is);
  return action ? { ...CLEAR, submit: action } : null;
};
const [isEndSlip, isSureSlip] = [doubleTapGuard(), doubleTapGuard()];

/** @type {LoadingActions<ManhuntTable>} */
export const ACTIONS = {
  ...display.ACTIONS,
  written: (table) => submitLegal(table, ({ type }) => type === "write_start"),
  way: (table, way) =>
    submitLegal(table, (each) => each.type === "announce_way" && each.way === way),
  far: (table, n) =>
    submitLegal(table, (each) => each.type === "announce_distance" && String(each.distance) === n),
  tell: (table) =>
    submitLegal(table, ({ cell, found }) => cell === table.ui.place || found === table.ui.place),
  answer: (table, yes) =>
    submitLegal(table, (each) => each.type === "answer_question" && each.yes === (yes === "yes")),
  nobody: (table) => submitLegal(table, (each) => each.type === "answer_arrest" && !each.cell),
  caught: (table, cell) =>
    submitLegal(table, (each) => each.type === "answer_arrest" && each.cell === cell),
  close: (table) => (isEndSlip() ? null : submitLegal(table, ({ type }) => type === "end")),
  twice: (table) => (isEndSlip() ? null : submitLegal(table, ({ type }) => type === "again")),
  surrender: (table) => {
    const isSlip = isSureSlip();
    if (!table.ui.sure) return { sure: true };
    return isSlip ? null : submitLegal(table, ({ type }) => type === "surrender");
  },
  // During a question to the fugitive, by the seat that acted last.
  undo: ({ snapshot: { undo } }) => ({ request: ["undo", { seat: undo.seat }] }),
};
