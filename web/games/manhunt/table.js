/** The table display of Manhunt: the map with pawns, what is announced, the choices of the seat to move. Pure. */
import { drawMap, legend, placeWords } from "./board.js";
import { card } from "./card.js";
import {
  ACTIONS as TURN,
  chosenPawn,
  clues,
  counts,
  task,
  endClass,
  isAnswer,
  lastAnswer,
  placeClues,
  endWords,
  hasTickets,
  isFugitiveNext,
  offers,
  tapped,
  travels,
  whyNotThere,
  within,
} from "./turn.js";
import {
  button,
  endButtons,
  undoButton,
  whyNot,
  whyWait,
  narrowButton,
} from "../../core/controls.js";
import { isLookedUp, lookUp } from "../../core/reference.js";
import { isBotToMove, isOff, isOnPaper, phaseOf } from "../../core/snapshot.js";
import {
  followHints,
  suggestionNow,
  maySuggest,
  suggestButton,
} from "../../screens/table/hints.js";
import { manualEdit } from "../../screens/table/manual_edit.js";
import { corrections } from "../../screens/table/corrections.js";
import {
  boardWarning,
  display,
  foot,
  infoButton,
  logList,
  panel,
  settingUp,
  turnBanner,
  warning,
  sharedChoices,
} from "../../screens/table/play.js";
import { lastPath, overWords } from "./last_path.js";
import { triumph } from "./triumph.js";
import { h } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { proofList } from "../../proof/verdict.js";
import { recallPath } from "../../proof/whole_path.js";
import { factList, fetchEnding } from "../../screens/table/ending.js";
import { loadGameWords, message, text } from "../../core/i18n.js";

/** No tokens lie on this board. */
export const edit = manualEdit();
export const isReady = isLookedUp;
/** Load the map, and the words of the display alone. @param {ManhuntSnapshot} snapshot */
export const ready = (snapshot) =>
  Promise.all([lookUp(snapshot), loadGameWords("manhunt", "table")]);
export const newTurn = { pawn: null, sheet: null, aim: null, isArresting: false };
export { tapped };

/** @type {LoadingActions<ManhuntTable>} */
export const ACTIONS = {
  ...TURN,
  onpaper: () => ({ request: ["switch_to_paper"], info: false }),
  async suggest(table) {
    const current = shownSuggestion(table, "turn");
    if (current && !table.ui.info) return { suggestion: null };
    const { fetchSuggestion, suggestionWords } = await import("../../screens/table/suggestion.js");
    const suggestion = await fetchSuggestion(table.snapshot);
    const words = () => suggestionWords(suggestion, inWords(suggestion.action, table.snapshot));
    return {
      suggestion: suggestion?.action ? { ...suggestion, words } : null,
      info: false,
      sheet: null,
      aim: null,
      isArresting: false,
    };
  },
};

/** The parameters of an action in words. @param {any} action @param {ManhuntSnapshot} snapshot */
const inWords = (action, { view }) => ({
  ...action,
  button: endWords(view),
  cell: action.to ?? action.cell ?? "",
  question: action.question ? text(`ask.${action.question}`) : "",
});

/** The suggestion while it is shown, or null. @param {ManhuntTable} table @param {string} now */
function shownSuggestion({ snapshot, ui, canControl, pending, aside }, now) {
  const isOpen = now === "turn" && canControl && !pending && !aside && !isOff(snapshot.board);
  const isChoosing = ui.sheet || ui.aim || ui.isArresting || ui.byHand;
  return isOpen && !isChoosing && !snapshot.vote ? suggestionNow(snapshot, ui) : null;
}

/**
 * Fetch the possible places of the fugitive, if hints are on.
 * @param {TableState} table @param {(...args: any[]) => unknown} draw
 */
export function follow(table, draw) {
  const fetchHints = async () => {
    const { fetchComputed } = await import("../../core/computed.js");
    return (await fetchComputed("/odds.json"))?.odds ?? null;
  };
  return Promise.all([
    recallPath(table.snapshot, draw),
    fetchEnding(table.snapshot, draw),
    followHints(table, draw, fetchHints),
  ]);
}

/** @type {[string, (params: any) => Child, string][]} */
const FACTS = [
  ["figure.manhunt.closest", ({ n = 0 }) => text("fact.ways", { n }), "fact.closest"],
  ["figure.manhunt.fewest", ({ n = 0 }) => text("fact.places", { n }), "fact.fewest"],
];

/** Describe the table's whole screen; `aside` is for paper. @param {ManhuntTable} table */
export function playScreen(table) {
  const { snapshot, ui, truth } = table;
  const now = phaseOf(snapshot);
  const choices = choosing(table, now);
  const proof =
    now === "over" &&
    (truth ? proofList(truth) : (table.aside?.verdict ?? factList(snapshot, FACTS)));
  return display(table, {
    looks: ["manhunt-table", now === "over" && "ended"],
    land: ui.info ? card() : field(table),
    banner: banner(table, now),
    body: [
      ui.info
        ? [h("h2.entries", text("log")), logList(clues(snapshot.log), 3)]
        : proof || [
            answer(snapshot),
            travels(snapshot.view, choices.length ? 2 : 4),
            now !== "over" && counts(snapshot.view, snapshot.to_move),
            now !== "over" && !hasTickets(snapshot.view) && h("div.counts", legend()),
          ],
      snapshot.settings.hints && !ui.info && now !== "over" && h("p#hints.hints", text("hints.on")),
    ],
    lead: suggesting(table),
    choices,
    bar: bar(table, now),
    foot: foot({ ...snapshot, log: clues(snapshot.log) }, isAnswer),
  });
}

/** The last answer to the hunters, until the fugitive moves. @param {ManhuntSnapshot} snapshot */
function answer(snapshot) {
  const last = lastAnswer(snapshot);
  return last
    ? h(
        "p#answer",
        { class: `answer ${last.event.yes ? "yes" : "no"}` },
        icon(last.event.yes ? "check" : "cross"),
        h("span", message(last.message)),
      )
    : [];
}

/** Describe the map with the possible actions. @param {any} table */
export function field({
  snapshot,
  ui,
  canControl,
  seat = canControl ? snapshot.to_move : null,
  aside = null,
  hints = null,
  pending = null,
}) {
  const { view, board } = snapshot;
  const clueByPlace = placeClues(view);
  const draft = ui.byHand ?? snapshot.vote?.arrangement;
  const isActing =
    canControl &&
    !draft &&
    phaseOf(snapshot) === "turn" &&
    !isBotToMove(snapshot) &&
    !snapshot.vote &&
    !isOff(board);
  const waits = whyWait(snapshot, seat) ?? task(snapshot, ui);
  const isMoving = isActing && !isFugitiveNext(snapshot);
  const pawn = isActing ? chosenPawn(snapshot, ui.pawn) : ui.pawn;
  const path = phaseOf(snapshot) === "over" ? lastPath() : [];
  /** @type {string[]} */
  const near = isMoving ? (aside?.cells ?? within(snapshot, pawn, ui.isArresting)) : [];
  const own = isMoving
    ? Object.entries(view.pawns)
        .filter(([each]) => each.startsWith(snapshot.to_move))
        .map(([, cell]) => cell)
    : [];
  const drawn = draft ? edit.drafted(view, { pawns: draft.pawns, tokens: {} }) : view;
  const suggested = shownSuggestion(
    { snapshot, ui, canControl, pending, aside },
    phaseOf(snapshot),
  )?.action;
  const wrong = isOff(board) ? corrections(board) : { moves: [], set: [], off: [], empty: [] };
  return drawMap(
    { ...drawn, to_move: isFugitiveNext(snapshot) ? null : snapshot.to_move },
    {
      title: text("field"),
      zoom: ui.zoom,
      focus: ui.focus ?? drawn.pawns[pawn],
      label: (cell) =>
        [
          placeWords(drawn, cell),
          clueByPlace[cell] && text(`clue.${clueByPlace[cell]}`),
          hints && text(hints[cell] ? "hints.possible" : "hints.no"),
        ]
          .filter(Boolean)
          .join(", "),
      odds: hints ?? {},
      clues: clueByPlace,
      pressable: !ui.byHand ? [...near, ...own] : ui.pawn ? undefined : Object.values(drawn.pawns),
      whyNot: (cell) =>
        ui.byHand ? text("byhand.tap") : isActing ? whyNotThere(snapshot, cell, ui) : waits,
      rings: {
        ...Object.fromEntries(shownPlaces(view).map((cell) => [cell, "shown"])),
        ...Object.fromEntries(near.map((cell) => [cell, "can"])),
        ...aside?.rings,
        ...(suggested?.type === "arrest" && { [suggested.cell]: "can" }),
        ...(drawn.pawns[pawn] && (isMoving || ui.byHand) ? { [drawn.pawns[pawn]]: "chosen" } : {}),
        ...Object.fromEntries([...wrong.set, ...wrong.off].map(({ cell }) => [cell, "wrong"])),
        ...Object.fromEntries(wrong.empty.map((cell) => [cell, "wrong"])),
      },
      trail: aside?.trail,
      way: aside ? [] : path,
      me: (aside?.trail ?? path).at(-1),
      arrows: draft
        ? Object.entries(draft.pawns).map(([each, to]) => ({ from: view.pawns[each], to }))
        : [
            ...wrong.moves,
            ...(suggested?.type === "walk"
              ? [{ from: view.pawns[suggested.pawn], to: suggested.to }]
              : []),
          ],
    },
  );
}

/** Where the fugitive showed itself last. @param {ManhuntView} view */
const shownPlaces = ({ announced, night }) =>
  announced
    .filter((turn) => turn.cell && turn.night === night)
    .slice(-1)
    .map(({ cell }) => cell);

/** @param {ManhuntTable} table @param {string} now */
function banner(table, now) {
  const { snapshot, ui, canControl, notice, aside } = table;
  if (now === "over") return finale(snapshot, aside?.trail);
  const words = boardWarning(table, edit);
  if (words) return warning(words);
  // Whoever presses the button, what begins is the fugitive's turn.
  const mover = now === "turn" && isFugitiveNext(snapshot) ? "F" : snapshot.to_move;
  return turnBanner(
    { ...snapshot, to_move: mover },
    notice
      ? message(notice)
      : (shownSuggestion(table, now)?.words() ??
          settingUp(snapshot.board) ??
          aside?.sentence ??
          sentence(snapshot, ui, canControl, now)),
  );
}

/**
 * @param {ManhuntSnapshot} snapshot @param {Record<string, any>} ui @param {boolean} canControl
 * @param {string} now
 */
function sentence(snapshot, ui, canControl, now) {
  if (now === "choosing") return text("fugitive.hides");
  if (now === "night") return text("fugitive.moves");
  if (isBotToMove(snapshot)) return text("bot.thinks");
  return canControl ? task(snapshot, ui) : text("turn.theirs", { seat: snapshot.to_move });
}

/**
 * The end: who has won, why, and where the fugitive was, if its path is known.
 * @param {{outcome: any}} snapshot @param {string[]} [path]
 */
export const finale = ({ outcome }, path = lastPath()) =>
  h(
    "header#banner",
    { class: `banner finale won-${outcome.winner}` },
    triumph(outcome.winner),
    h("h1", text(`end.winner.${outcome.winner}`)),
    h("p", overWords({ outcome }, path)),
  );

/** @param {ManhuntTable} table @param {string} now */
function choosing(table, now) {
  const { snapshot, ui, truth, aside } = table;
  if (ui.info) return panel(snapshot, ui, now, more(snapshot));
  const shared = sharedChoices(table, now, (aside?.over ?? endButtons(!truth)).filter(Boolean));
  if (shared || isBotToMove(snapshot)) return shared ?? [];
  return aside ? aside.choices.flat().filter(Boolean) : offers(snapshot, ui);
}

/** This game's additions to the panel of the button for more. @param {ManhuntSnapshot} snapshot */
const more = (snapshot) => ({
  acts: [!isOnPaper(snapshot) && button("onpaper", text("switch_to_paper"))],
  facts: [maySuggest(snapshot, "F") && button("suggest", text("suggest"))],
});

/** The button for a suggestion, where nothing else comes first. @param {ManhuntTable} table */
const suggesting = (table) =>
  !table.ui.byHand &&
  !table.snapshot.vote &&
  !isOff(table.snapshot.board) &&
  suggestButton(table, "F", shownSuggestion(table, "turn"));

/** @param {ManhuntTable} table @param {string} now */
function bar({ snapshot, ui, canControl, pending, aside }, now) {
  if (ui.info) return [];
  const info = infoButton();
  if (ui.byHand) return [];
  const zoom = narrowButton("zoom", `${ui.zoom ?? 1}×`, text("zoom", { n: ui.zoom ?? 1 }));
  if (!canControl || now !== "turn") return [zoom, info];
  if (aside) return [undoButton(snapshot), aside.ends, zoom, info];
  const canEnd =
    !pending && !isBotToMove(snapshot) && snapshot.legal.some(({ type }) => type === "look");
  return [
    undoButton(snapshot),
    button("look", endWords(snapshot.view), {
      class: endClass(snapshot),
      ...whyNot(!canEnd && (whyWait(snapshot, snapshot.to_move) ?? text("must_move"))),
    }),
    zoom,
    info,
  ];
}
