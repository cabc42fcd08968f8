/** A hunter's turn, the same on the display and on a hunter's phone. */
import { centreMap, nextZoom, placeName, wayName } from "./board.js";
import { looks } from "./city.js";
import { sample } from "./city_drawing.js";
import { button, doubleTapGuard } from "../../core/controls.js";
import { h } from "../../core/dom.js";
import { announcedEvents } from "../../core/snapshot.js";
import { pawnChip, seatChip, text } from "../../core/i18n.js";
import { mapOf } from "../../core/reference.js";

/** @param {ManhuntAction} action */
const cellOf = (action) => action.to ?? action.cell;
/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The pawns of the seat to move. @param {ManhuntSnapshot} snapshot */
export const pawnsOf = ({ view, to_move: mover }) =>
  Object.keys(view.pawns).filter((pawn) => pawn.startsWith(mover));

/**
 * The pawn that is moved: the chosen one, else the first that may still do something.
 * @param {ManhuntSnapshot} snapshot @param {any} pawn
 */
export function chosenPawn(snapshot, pawn) {
  const own = pawnsOf(snapshot);
  if (own.includes(pawn)) return pawn;
  const able = own.find((each) => snapshot.legal.some((action) => action.pawn === each));
  return able ?? own[0] ?? null;
}

/**
 * The meaning of a press on a place: choose the pawn there, walk a way, or ask for one of several
 * kinds.
 * @param {ManhuntSnapshot} snapshot @param {string} cell @param {Record<string, any>} ui
 */
export function tapped(snapshot, cell, { pawn, isArresting }) {
  const chosen = chosenPawn(snapshot, pawn);
  const type = isArresting ? "arrest" : "walk";
  const ways = snapshot.legal.filter(
    (action) => action.type === type && action.pawn === chosen && cellOf(action) === cell,
  );
  if (ways.length === 1) return { submit: ways[0], sheet: null, isArresting: false };
  if (ways.length > 1) return { sheet: cell };
  const standing = pawnsOf(snapshot).filter((each) => snapshot.view.pawns[each] === cell);
  const next = standing[(standing.indexOf(chosen) + 1) % standing.length];
  return { pawn: next ?? chosen, sheet: null };
}

/**
 * Why a press on a place means nothing for the seat to move.
 * @param {ManhuntSnapshot} snapshot @param {string} cell @param {Record<string, any>} ui
 */
export function whyNotThere(snapshot, cell, ui) {
  const { view, legal } = snapshot;
  const chosen = chosenPawn(snapshot, ui.pawn);
  const pawn = Object.keys(view.pawns).find((each) => view.pawns[each] === cell);
  if (pawn && !ui.isArresting) return text("not_your_pawn", { pawn });
  const mayWalk = legal.some(({ type, pawn: each }) => type === "walk" && each === chosen);
  return mayWalk && !ui.isArresting ? text("no_such_step") : task(snapshot, ui);
}

/**
 * The places to which the chosen pawn may go, or where it may arrest.
 * @param {ManhuntSnapshot} snapshot @param {any} pawn @param {boolean} isArresting
 */
export const within = ({ legal }, pawn, isArresting) => [
  ...new Set(
    legal
      .filter((action) => action.type === (isArresting ? "arrest" : "walk") && action.pawn === pawn)
      .map(cellOf),
  ),
];

/** The mover's buttons. @param {ManhuntSnapshot} snapshot @param {Record<string, any>} ui */
export function offers(snapshot, ui) {
  const pawn = chosenPawn(snapshot, ui.pawn);
  const own = snapshot.legal.filter((action) => action.pawn === pawn);
  if (ui.sheet)
    return own
      .filter(({ type, to }) => type === "walk" && to === ui.sheet)
      .map(({ kind }) => button(["kind", kind], wayName(kind), { class: "prime" }));
  const asks = own.filter(({ type }) => type === "ask");
  return [
    snapshot.view.round > 0 &&
      pawnsOf(snapshot).length > 1 &&
      h(
        "div.row.pawns",
        { role: "group", "aria-label": text("pawns") },
        pawnsOf(snapshot).map((each) =>
          button(["pawn", each], pawnChip(each), { "aria-pressed": String(each === pawn) }),
        ),
      ),
    asks.map(({ question }) =>
      button(["ask", question], text(`ask.${question}`), {
        class: ui.aim === question ? "prime" : null,
      }),
    ),
    own.some(({ type }) => type === "arrest") &&
      button("arrest", text("act.arrest"), { "aria-pressed": String(Boolean(ui.isArresting)) }),
  ].filter(Boolean);
}

/**
 * The class of the button that ends a turn: the main one when no pawn can do anything else.
 * @param {ManhuntSnapshot} snapshot
 */
export const endClass = ({ legal }) => (legal.some(({ pawn }) => pawn) ? null : "prime");

/**
 * Whether nothing is left to do but to let the fugitive move, before the first round of a night.
 * @param {ManhuntSnapshot} snapshot
 */
export const isFugitiveNext = ({ view }) => !view.round;

/** @param {ManhuntSnapshot} snapshot */
const beginWords = ({ view }) => text(view.placed ? "task.begin" : "task.next_night");

/**
 * The possible actions of the seat to move, in one sentence.
 * @param {ManhuntSnapshot} snapshot @param {Record<string, any>} ui
 */
export function task(snapshot, ui) {
  const pawn = chosenPawn(snapshot, ui.pawn);
  if (isFugitiveNext(snapshot)) return beginWords(snapshot);
  if (ui.aim) return text("task.ask");
  if (ui.sheet) return text("task.kind");
  if (ui.isArresting) return text("task.arrest");
  /** @param {...string} types */
  const may = (...types) =>
    snapshot.legal.some(({ type, pawn: each }) => types.includes(type) && each === pawn);
  const canAsk = may("ask", "arrest");
  if (may("walk")) return text(canAsk ? "task.walk" : "task.only_walk");
  return text(canAsk ? "task.question" : "task.look");
}

/** Events that are not read: a secret turn is no night here, and what is announced on paper piece by piece is announced once more. */
const UNREAD = ["night_fell", "night_sealed", "turn_announced"];

/** The entries of the log that people read. @param {LogEntry[]} log */
export const clues = (log) =>
  announcedEvents(log).filter(({ event }) => !UNREAD.includes(event.event));

const ANSWERS = ["question_answered", "arrest_missed", "nothing_found"];

/** Whether an event answers the hunters. @param {GameEvent} event */
export const isAnswer = (event) => ANSWERS.includes(event.event);

/**
 * The last answer that stands, until the fugitive moves, as {event, message}; null without one.
 * @param {{answer?: any}} snapshot @returns {LogEntry | null}
 */
export const lastAnswer = ({ answer }) => (answer && isAnswer(answer.event) ? answer : null);

/**
 * What the answers of this night show of single places: "yes" where the fugitive has been, until
 * the night ends, "no" where it was not found, until it moves.
 * @param {ManhuntView} view @returns {Record<string, "yes" | "no">}
 */
export function placeClues({ answers, round }) {
  const ofPlaces = answers.filter(({ question }) => question !== "within");
  const hits = ofPlaces.filter(({ yes }) => yes).map((each) => [each.found ?? each.cell, "yes"]);
  const missed = ofPlaces
    .filter(
      ({ yes, question, ...asked }) => !yes && question !== "which_of" && asked.round === round,
    )
    .map(({ cell }) => [cell, "no"]);
  return Object.fromEntries([...missed, ...hits]);
}

const [isEndSlip, isAskSlip] = [doubleTapGuard(), doubleTapGuard()];
const CLEAR = { sheet: null, aim: null, isArresting: false };

/**
 * This game's presses; each returns the action to submit, or changes this screen's choices.
 * @type {LoadingActions<ManhuntTable>}
 */
export const ACTIONS = {
  pawn: (_, pawn) => ({ ...CLEAR, pawn }),
  kind({ snapshot, ui }, kind) {
    const pawn = chosenPawn(snapshot, ui.pawn);
    const intended = { type: "walk", pawn, to: ui.sheet, kind };
    return { ...CLEAR, submit: snapshot.legal.find((action) => same(action, intended)) };
  },
  // An answered question needs everybody's consent for an undo: the second press asks.
  ask({ snapshot, ui }, question) {
    const isSlip = isAskSlip();
    if (ui.aim !== question) return { ...CLEAR, aim: question };
    const pawn = chosenPawn(snapshot, ui.pawn);
    const intended = { type: "ask", pawn, question };
    return isSlip
      ? null
      : { ...CLEAR, submit: snapshot.legal.find((action) => same(action, intended)) };
  },
  arrest: ({ ui }) => ({ ...CLEAR, isArresting: !ui.isArresting }),
  look: () => (isEndSlip() ? null : { ...CLEAR, submit: { type: "look" } }),
  zoom: ({ ui }) => {
    centreMap();
    return { zoom: nextZoom(ui.zoom) };
  },
};

/** What ends a hunter's turn, or lets the fugitive begin. @param {ManhuntView} view */
export const endWords = ({ round }) => text(round ? "turn.end" : "act.begin");

/**
 * The state of play: the rounds, the fugitive's moves, and the tickets of each pawn and of the
 * fugitive.
 * @param {ManhuntView} view @param {string | null} [mover]
 */
export function counts(view, mover = null) {
  const left = [
    view.doubles ? text("left.doubles", { n: view.doubles }) : null,
    view.unseen ? text("left.unseen", { n: view.unseen }) : null,
  ].filter(Boolean);
  const next = view.shows.find((round) => round > view.round);
  return h(
    "section#counts.counts",
    { "aria-label": text("state") },
    h(
      "p#round",
      [
        view.round > 0 && text("round", { n: view.round, of: view.rounds }),
        next && text("round.shows", { n: next }),
        view.nights > 1 && text("night.name", { n: view.night }),
      ]
        .filter(Boolean)
        .join("\u00a0· "),
    ),
    rounds(view),
    left.length > 0 && h("p.left", seatChip("F"), " ", left.join("\u00a0· ")),
    tickets(view, mover),
  );
}

/** The rounds in rows of up to this length. */
const ACROSS = 15;

/**
 * A strip of the rounds: those that are over, the present one, and those in which the fugitive shows
 * itself.
 * @param {ManhuntView} view
 */
function rounds({ round, rounds: count, shows }) {
  const rows = Math.ceil(count / ACROSS);
  return h(
    "div.rounds",
    { "aria-hidden": "true", "--across": Math.ceil(count / rows) },
    Array.from({ length: count }, (_, index) => index + 1).map((each) =>
      h("i", {
        class: [
          each < round && "past",
          each === round && "present",
          shows.includes(each) && "shows",
        ],
      }),
    ),
  );
}

/** Whether a map's ways cost tickets, which then have a table. @param {ManhuntView} view */
export const hasTickets = ({ tickets: byPawn, fugitive_tickets: own }) =>
  [...Object.values(byPawn), own].some((counted) => Object.keys(counted).length > 0);

/**
 * The tickets of each pawn, those of the seat to move first, and the fugitive's.
 * @param {ManhuntView} view @param {string | null} mover
 */
function tickets({ tickets: byPawn, fugitive_tickets: own }, mover) {
  const rows = [
    ...Object.entries(byPawn).map(([pawn, counted]) => ({
      name: pawnChip(pawn),
      counted,
      isMover: pawn.slice(0, 2) === mover,
    })),
    { name: seatChip("F"), counted: own, isMover: mover === "F" },
  ].filter(({ counted }) => Object.keys(counted).length);
  const kinds = [...new Set(rows.flatMap(({ counted }) => Object.keys(counted)))];
  if (!rows.length) return [];
  const look = looks(mapOf()?.ways ?? []);
  return h(
    "table.tickets",
    { "aria-label": text("tickets") },
    h(
      "thead",
      h(
        "tr",
        h("th", { scope: "col" }, text("tickets")),
        kinds.map((kind) =>
          h("th", { scope: "col" }, look[kind] && sample(look[kind]), wayName(kind)),
        ),
      ),
    ),
    h(
      "tbody",
      rows.map(({ name, counted, isMover }) =>
        h(
          "tr",
          { class: isMover && "mine" },
          h("th", { scope: "row" }, name),
          // A kind without tickets costs nothing.
          kinds.map((kind) =>
            h("td", kind in counted ? h("b", { class: look[kind] }, counted[kind]) : "–"),
          ),
        ),
      ),
    ),
  );
}

/** The last turns' announcements, newest first. @param {ManhuntView} view @param {number} most */
export function travels(view, most) {
  const turns = view.announced.filter(({ night }) => night === view.night).slice(-most);
  return (
    turns.length > 0 &&
    h(
      "section#travels.travels",
      h("h2", text("travels")),
      h(
        "ol",
        turns.reverse().map((turn) => h("li", h("small", `${turn.round}: `), announcement(turn))),
      ),
    )
  );
}

/** @param {Partial<ManhuntTurn>} turn */
function announcement({ ways, distance, cell }) {
  const parts = [
    ways && (ways.length ? ways.map(wayName).join(", ") : text("way.stayed")),
    distance !== undefined && text("way.distance", { n: distance }),
    cell && text("way.shown", { place: placeName(cell) }),
  ].filter(Boolean);
  return parts.length ? parts.join(" · ") : "?";
}
