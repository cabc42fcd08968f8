/** What a page wants to know of the public picture, as pure functions of it. */
import { seatOf } from "./names.js";

export const isHuman = (seat) => /^H\d$/.test(seat ?? "");

/** "lobby", "choosing" (the vampire hides), "night" (till its last event is told), "turn" or "over". */
export function scene(picture) {
  if (picture.phase !== "play") return picture.phase;
  if (picture.outcome) return "over";
  if (picture.night || picture.secret || picture.telling)
    return isChoosing(picture) ? "choosing" : "night";
  return "turn";
}

function isChoosing(picture) {
  return picture.view?.placed === false;
}

const name = (entry) => entry.event.event;

/** The entries of the log that people read. Who is to move stands in the banner. */
export function tellable(log) {
  return log.filter(({ said, event }) => said && event.event !== "turn_started");
}

const ACTS = [
  "pawn_walked",
  "bullet_taken",
  "radar_called",
  "shot_fired",
  "turn_ended",
  "night_fell",
  "pawn_set",
  "token_set",
  "paper_taken_up",
];

/** The events of the log that still stand: each undo takes back one action, with a night all that it told. */
export function standing(log) {
  const groups = [];
  for (const entry of log) {
    if (name(entry) === "rewound") takeBack(groups);
    else if (!groups.length || (isAct(entry) && !(isSet(entry) && isSet(groups.at(-1).at(-1)))))
      groups.push([entry]);
    else groups.at(-1).push(entry);
  }
  return groups.flat();
}

/** Whether it was set by hand: what was set at once is one act. */
const isSet = (entry) => name(entry) === "pawn_set" || name(entry) === "token_set";

function isAct({ event }) {
  return ACTS.includes(event.event) && !(event.event === "turn_ended" && event.seat === "V");
}

/** A night that has fallen and told nothing yet is no action; what goes is the turn that ended before it. */
function takeBack(groups) {
  const last = groups.pop() ?? [];
  const isUntold =
    last.length > 0 &&
    name(last[0]) === "night_fell" &&
    !last.some(({ event }) => event.event === "turn_ended");
  if (isUntold) groups.pop();
}

const TOLD = ["radar_called", "shot_fired", "pawns_killed", "bat_eaten"];

/** The last thing that the table told of the vampire and that stands, as {event, said}; null before the first one. */
export const lastAnswer = ({ answer }) => (TOLD.includes(answer?.event.event) ? answer : null);

export const walks = (legal, pawn) =>
  legal.filter((action) => action.type === "walk" && (!pawn || action.pawn === pawn));

export const shots = (legal, pawn) =>
  legal.filter((action) => action.type === "shoot" && action.pawn === pawn);

/**
 * What a press on a tile means to the seat to move: {walk} to be sent, or {pawn} now chosen (null for none).
 * Without a chosen pawn a free tile means the walk of the only pawn that can go there; on a shared tile
 * pressing again goes through the own pawns.
 */
export function tapped({ view, legal, to_move: seat }, cell, chosen) {
  const own = ownPawns(view, cell, seat);
  const found = walks(legal, chosen).filter(({ to }) => to === cell);
  if (found.length === 1 && (chosen || !own.length)) return { walk: found[0] };
  const next = own.indexOf(chosen) + 1;
  return { pawn: own[next] ?? null };
}

export function ownPawns(view, cell, seat) {
  return Object.keys(view.pawns)
    .sort()
    .filter((pawn) => seatOf(pawn) === seat && view.pawns[pawn] === cell);
}

/** The pencil mark that follows the present one when a tile is pressed. */
export function nextMark({ marks }, cell) {
  return { "": "?", "?": "x", x: "" }[marks[cell] ?? ""];
}

/** The free follow-up that a landing offers now, as its action; null without one. */
export function offer(legal) {
  return legal.find(({ type }) => type === "call_radar" || type === "take_bullet") ?? null;
}

/** The seat whose last action can be taken back without a question, null if there is none; a bot would do it again. */
export const freeUndo = ({ undo, seats }) =>
  undo?.kind === "free" && !seats.some(({ seat, bot }) => seat === undo.seat && bot)
    ? undo.seat
    : null;

/** Whether the table must be put right by hands before anybody plays on. */
export const isOff = (board) =>
  ["ambiguous", "unexplained"].includes(board?.state) || board?.owed?.length > 0;

/** Whether the vampire plays on paper, in the game that is played or proposed. */
export const isOnPaper = ({ view, lobby }) => (view ?? lobby).options?.path === "paper";

/** Whether there is something sealed to open after the game: on paper only what was sealed before it. */
export const isSealed = (picture) => !isOnPaper(picture) || Boolean(picture.seal);

/** Whether all are asked to go on on paper, or do: what is said then is loaded. */
export const hasPaper = (picture) => isOnPaper(picture) || picture.undo?.asked?.what === "on_paper";

/** Whether a game may begin: the table is ready, and the `needed` seats are taken. */
export const canStart = ({ lobby, seats }, needed) =>
  lobby.ready && seats.every(({ seat, taken }) => taken || !needed.includes(seat));
