/**
 * Nosferatu on a screen: the picture in words, the meaning of a press on a cell, and the table's
 * screen. Pure.
 */
import { button, endButtons, undoButton, whyWait } from "../../core/controls.js";
import { factList, fetchEnding, pastMoments } from "../../screens/table/ending.js";
import { manualEdit } from "../../screens/table/manual_edit.js";
import { corrections } from "../../screens/table/corrections.js";
import { drawBoard, kindOf, named } from "./board.js";
import { emblem, triumph } from "./figures.js";
import { PIECES } from "./names.js";
import { isBotToMove, isOff, phaseOf, standing, announcedEvents } from "../../core/snapshot.js";
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
import { h } from "../../core/dom.js";
import { message, seatChip, text } from "../../core/i18n.js";

/** No tokens lie on this board. */
export const edit = manualEdit();

/**
 * The piece whose ways are shown: the one that must continue, the one in a hand over the board, or
 * the pressed one.
 * @param {NosferatuSnapshot} snapshot
 * @param {string} pawn
 * @returns {any} a pawn, a kind of pieces to enter, or null
 */
export function chosen({ view, legal, board }, pawn) {
  if (view.chain) return view.chain;
  const kinds = entering(legal);
  if (kinds.length) return kinds.includes(pawn) ? pawn : kinds.length === 1 ? kinds[0] : null;
  const lifted = Object.keys(view.pawns).find((each) => board?.lifted?.includes(view.pawns[each]));
  return view.pawns[pawn] ? pawn : (lifted ?? null);
}

/** The kinds of pieces that may be entered: "n", "v" or "m". @param {NosferatuAction[]} legal */
export const entering = (legal) => [
  ...new Set(legal.filter(({ type }) => type === "enter").map(({ pawn }) => kindOf(pawn))),
];

/**
 * The actions of the chosen piece, or of the chosen kind in the hand.
 * @param {NosferatuAction[]} legal @param {string | null} pawn
 */
const waysOf = (legal, pawn) =>
  legal.filter(
    (action) => action.pawn === pawn || (action.type === "enter" && kindOf(action.pawn) === pawn),
  );

/**
 * The meaning of a press on a cell: {submit: action}, {landing: cell} where Nosferatu has a
 * choice, or {pawn, landing} now chosen.
 * @param {NosferatuSnapshot} snapshot @param {string} cell @param {{pawn: any}} ui
 */
export function tapped(snapshot, cell, { pawn }) {
  const { view, legal } = snapshot;
  const ways = waysOf(legal, chosen(snapshot, pawn)).filter(({ to }) => to === cell);
  if (ways.length === 1) return { submit: ways[0] };
  if (ways.length > 1) return { landing: cell };
  const standing = Object.keys(view.pawns).find((each) => view.pawns[each] === cell);
  const isChosen = standing && standing !== pawn && waysOf(legal, standing).length > 0;
  return { pawn: isChosen ? standing : null, landing: null };
}

/**
 * Why a press on a cell means nothing for the seat to move.
 * @param {NosferatuSnapshot} snapshot @param {string} cell @param {Record<string, any>} ui
 */
function whyNotThere(snapshot, cell, ui) {
  const { view, legal, to_move: mover } = snapshot;
  const pawn = chosen(snapshot, ui.pawn);
  const [standing] = Object.keys(view.pawns).filter((each) => view.pawns[each] === cell);
  const type = legal[0]?.type;
  if (type === "pass") return text("task.pass");
  if (view.chain) return text("must_go_on");
  if (type === "jump") return text("must_capture");
  if (type === "enter") {
    if (standing) return text("cell_taken", { cell });
    if (!pawn) return text("task.choose");
    return text(Object.keys(view.pawns).length ? "open_to_attack" : "not_the_centre_first", {
      cell,
    });
  }
  const isTheirs = standing && (kindOf(standing) === "m") !== (mover === "villagers");
  if (isTheirs) return text("not_your_piece");
  return waysOf(legal, pawn).length ? text("no_such_move", { cell }) : text("task.move");
}

/**
 * The field during an edit by hand, or as a vote proposes it; each change is an arrow.
 * @param {NosferatuSnapshot} snapshot @param {Draft} draft @param {Record<string, any>} ui
 * @param {boolean} isAsked
 */
function fieldByHand({ view }, { pawns }, ui, isAsked) {
  const drawn = isAsked ? view : edit.drafted(view, { pawns, tokens: {} });
  return drawBoard(drawn, {
    title: text("field"),
    focus: ui.focus,
    label: (cell) => named(drawn, cell),
    pressable: isAsked ? [] : ui.pawn ? undefined : Object.values(drawn.pawns),
    whyNot: () => text(isAsked ? "wait.vote" : "byhand.tap"),
    rings: drawn.pawns[ui.pawn] && !isAsked ? { [drawn.pawns[ui.pawn]]: "chosen" } : {},
    arrows: Object.entries(pawns).map(([pawn, to]) => ({ from: view.pawns[pawn], to })),
  });
}

const MOVES = ["piece_entered", "piece_moved", "piece_jumped"];

/**
 * The last move if it was not undone: the cells of its way, of a chain of jumps all of them, and
 * those on which it took or turned a piece.
 * @param {NosferatuSnapshot} snapshot
 */
export function lastMove({ view, log }) {
  /** @type {any[]} */
  const entries = standing(log, ({ event }) => event === "passed" || MOVES.includes(event))
    .map(({ event }) => event)
    .filter(({ event }) => MOVES.includes(event));
  const last = entries.at(-1);
  if (!last || view.pawns[last.pawn] !== last.cell) return { way: [], taken: [] };
  const chain = [last];
  for (const each of entries.slice(0, -1).reverse()) {
    const [{ event, pawn, from }] = chain;
    const isBefore = each.event === "piece_jumped" && each.pawn === pawn && each.cell === from;
    if (event !== "piece_jumped" || !isBefore) break;
    chain.unshift(each);
  }
  return {
    way: [chain[0].from, ...chain.map(({ cell }) => cell)].filter(Boolean),
    taken: chain.map(({ taken_cell: cell }) => cell).filter(Boolean),
  };
}

/** The jumps of the finished game; none before they are loaded. @returns {any[]} */
const pastJumps = () =>
  pastMoments()
    .filter(({ event }) => event === "piece_jumped")
    .map(({ message: { params } }) => params);

/** Describe the field with the possible actions. @param {NosferatuTable} table */
export function field({ snapshot, ui, canControl, seat = canControl ? snapshot.to_move : null }) {
  const { view, board } = snapshot;
  const proposed = snapshot.vote?.arrangement;
  if (ui.byHand || proposed) return fieldByHand(snapshot, ui.byHand ?? proposed, ui, !ui.byHand);
  const legal =
    canControl &&
    !isBotToMove(snapshot) &&
    phaseOf(snapshot) === "turn" &&
    !snapshot.vote &&
    !isOff(board)
      ? snapshot.legal
      : [];
  const pawn = chosen({ ...snapshot, legal }, ui.pawn);
  const ways = waysOf(legal, pawn);
  const able = [...new Set(legal.map((action) => view.pawns[action.pawn]).filter(Boolean))];
  const planned = snapshot.aim?.to && !legal.length ? instructed(snapshot) : [];
  const wrong = isOff(board) ? corrections(board) : { moves: [], set: [], off: [], empty: [] };
  const jumps = (ways.length ? ways : legal).filter(({ type }) => type === "jump");
  return drawBoard(view, {
    title: text("field"),
    focus: ui.focus,
    last: lastMove(snapshot),
    jumps: phaseOf(snapshot) === "over" ? pastJumps() : [],
    label: (cell) => named(view, cell),
    pressable: [...able, ...ways.map(({ to }) => to)],
    whyNot: (cell) => (legal.length ? whyNotThere(snapshot, cell, ui) : whyWait(snapshot, seat)),
    safe: ways[0]?.type === "enter" ? ways.map(({ to }) => to) : null,
    rings: {
      ...(snapshot.aim?.to && !legal.length ? { [snapshot.aim.to]: "chosen" } : {}),
      ...Object.fromEntries(
        (legal.some(({ type }) => type === "jump") ? able : []).map((cell) => [cell, "can"]),
      ),
      ...Object.fromEntries(
        ways
          .filter(({ type }) => type !== "enter")
          .map(({ to }) => [to, to === ui.landing ? "chosen" : "can"]),
      ),
      ...(view.pawns[pawn] && legal.length ? { [view.pawns[pawn]]: "chosen" } : {}),
      ...Object.fromEntries(
        [...wrong.set, ...wrong.off]
          .map(({ cell }) => [cell, "wrong"])
          .concat(wrong.empty.map((cell) => [cell, "wrong"])),
      ),
    },
    arrows: wrong.moves.length
      ? wrong.moves
      : planned.length
        ? planned
        : jumps
            .filter(({ convert, to }) => !convert && (!ui.landing || to === ui.landing))
            .map(({ pawn: piece, to }) => ({ from: view.pawns[piece], to })),
  });
}

/** A bot's next action as an arrow. @param {NosferatuSnapshot & {aim: any}} snapshot */
function instructed({ aim, view }) {
  return view.pawns[aim.pawn] ? [{ from: view.pawns[aim.pawn], to: aim.to }] : [];
}

/**
 * The choices of the seat to move, as buttons: which piece to enter, whether to turn a villager, to pass.
 * @param {NosferatuTable} table
 */
export function offers({ snapshot, ui }) {
  const { legal } = snapshot;
  if (legal.some(({ type }) => type === "pass"))
    return [button("pass", text("act.pass"), { class: "prime" })];
  const atLanding = waysOf(legal, chosen(snapshot, ui.pawn)).filter(({ to }) => to === ui.landing);
  if (atLanding.length > 1)
    return [
      button("remove", [emblem("villagers"), text("act.remove")]),
      button("convert", [emblem("vampires"), text("act.convert")], { class: "prime" }),
    ];
  const kinds = entering(legal);
  return kinds.length < 2
    ? []
    : kinds.map((kind) =>
        button(
          ["kind", kind],
          [emblem(kind === "n" ? "nosferatu" : "vampires"), text(`piece.${PIECES[kind]}`)],
          { "aria-pressed": String(ui.pawn === kind) },
        ),
      );
}

/**
 * This game's presses: each returns the action to submit, or changes this screen's choices.
 * @type {GameActions<NosferatuTable>}
 */
export const ACTIONS = {
  pass: () => ({ submit: { type: "pass" } }),
  kind: (_, kind) => ({ pawn: kind, landing: null }),
  remove: (table) => landed(table, false),
  convert: (table) => landed(table, true),
};

/** @param {NosferatuTable} table @param {boolean} isConverting */
function landed({ snapshot, ui }, isConverting) {
  const ways = waysOf(snapshot.legal, chosen(snapshot, ui.pawn)).filter(
    ({ to }) => to === ui.landing,
  );
  return { submit: ways.find(({ convert = false }) => convert === isConverting) };
}

/**
 * The possible actions of the seat to move, in one sentence, after the choices of `ui`.
 * @param {NosferatuSnapshot} snapshot @param {Record<string, any>} [ui]
 */
export function task(snapshot, ui = {}) {
  const { view, legal } = snapshot;
  const kind = legal[0]?.type;
  if (ui.landing) return text("task.landing");
  if (view.chain) return text("task.go_on");
  const pawn = chosen(snapshot, ui.pawn);
  if (kind === "enter" && !pawn) return text("task.choose");
  if (kind === "move" && waysOf(legal, pawn).length) return text("task.step");
  return kind ? text(`task.${kind}`) : "";
}

/** @type {[string, (params: any) => Child, string][]} */
const FACTS = [
  ["figure.turns", (params) => text("fact.turns", params), "fact.length"],
  ["figure.taken", (params) => text("fact.pieces", params), "fact.taken"],
  ["figure.turned", (params) => text("fact.villagers", params), "fact.turned"],
];

/** Describe the whole screen of the table. @param {NosferatuTable} table */
export function playScreen(table) {
  const { snapshot, ui } = table;
  const now = phaseOf(snapshot);
  return display(table, {
    looks: ["nosferatu-table", "is-square"],
    land: field(table),
    banner: banner(table, now),
    body: [
      ui.info ? [] : counts(snapshot.view),
      now === "over" && !ui.info
        ? factList(snapshot, FACTS)
        : logList(announcedEvents(snapshot.log), ui.info ? 6 : 2),
    ],
    choices: choosing(table, now),
    bar: bar(table, now),
    foot: foot({ ...snapshot, log: [] }),
  });
}

/** @param {NosferatuTable} table @param {string} now */
function banner(table, now) {
  const { snapshot, ui, canControl, notice } = table;
  if (now === "over") return finale(snapshot);
  const words = boardWarning(table, edit);
  if (words) return warning(words);
  return turnBanner(
    snapshot,
    notice ? message(notice) : (settingUp(snapshot.board) ?? sentence(snapshot, ui, canControl)),
  );
}

/**
 * The next instruction on a display: the possible actions, or who acts.
 * @param {NosferatuSnapshot} snapshot @param {Record<string, any>} ui @param {boolean} canControl
 */
function sentence(snapshot, ui, canControl) {
  if (isBotToMove(snapshot)) return planned(snapshot);
  return canControl ? task(snapshot, ui) : text("turn.wait", { seat: snapshot.to_move });
}

/** The end: who has won under a night or a dawn, and why. @param {{outcome: any}} snapshot */
export const finale = ({ outcome: { winner, reason } }) =>
  h(
    "header#banner",
    { class: `banner finale won-${winner}` },
    triumph(winner),
    h("h1", text(`end.winner.${winner}`)),
    h("p", text(`end.reason.${reason}`)),
  );

/** Whether people move a bot's piece, not a virtual board. @param {BoardStatus} board */
const isMovedByHand = (board) =>
  board?.link === "up" && !["none", "ignored", "sim"].includes(board.source);

/** The next action of the bot to move, in words. @param {NosferatuSnapshot} snapshot */
function planned({ aim, board }) {
  if (!aim?.to) return text("bot.thinks");
  const words = text(`bot.${aim.type}`, { pawn: aim.pawn, cell: aim.to });
  return isMovedByHand(board) ? `${words} ${text("bot.by_hand")}` : words;
}

/** The number of each side's pieces on the board, waiting and taken. @param {NosferatuView} view */
export function counts(view) {
  /** @param {string[]} pawns @param {string} kinds */
  const of = (pawns, kinds) => pawns.filter((pawn) => kinds.includes(kindOf(pawn))).length;
  const { taken = [], turned = [] } = view;
  return h(
    "table#counts.counts.pieces",
    { "aria-label": text("state") },
    h(
      "tr",
      h("td"),
      ["there", "waiting", "taken"].map((each) => h("th", { scope: "col" }, text(`count.${each}`))),
    ),
    Object.entries({ vampires: "nv", villagers: "m" }).map(([seat, kinds]) =>
      h(
        "tr",
        { "data-seat": seat },
        h("th", { scope: "row" }, seatChip(seat)),
        h("td", emblem(seat), " ", of(Object.keys(view.pawns), kinds)),
        h("td", view.hands[seat].length),
        h("td", of([...taken, ...turned], kinds)),
      ),
    ),
  );
}

/** @param {NosferatuTable} table @param {string} now */
function choosing(table, now) {
  const { snapshot, ui } = table;
  if (ui.info) return panel(snapshot, ui, snapshot.view.chain ? null : now);
  const shared = sharedChoices(table, now, endButtons());
  return shared ?? (isBotToMove(snapshot) ? [] : offers(table));
}

/** @param {NosferatuTable} table @param {string} now */
function bar({ snapshot, ui, canControl }, now) {
  if (ui.info) return [];
  const more = infoButton();
  if (ui.byHand) return [];
  if (!canControl || now !== "turn") return [more];
  return [undoButton(snapshot), more];
}

/** After the end all jumps are drawn. @param {NosferatuTable} table @param {() => unknown} draw */
export const follow = ({ snapshot }, draw) => fetchEnding(snapshot, draw);
