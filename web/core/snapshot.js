/** Pure functions of the public snapshot for pages. */

/** "lobby", "choosing" (the vampire hides), "night" (till its last event is published), "turn" or "over". */
export function scene(snapshot) {
  if (snapshot.phase !== "play") return snapshot.phase;
  if (snapshot.outcome) return "over";
  if (snapshot.night || snapshot.secret || snapshot.telling)
    return isChoosing(snapshot) ? "choosing" : "night";
  return "turn";
}

function isChoosing(snapshot) {
  return snapshot.view?.placed === false;
}

const name = (entry) => entry.event.event;

/** The entries of the log that people read. The banner shows who is to move. */
export function announcedEvents(log) {
  return log.filter(({ message, event }) => message && event.event !== "turn_started");
}

/** What begins a group of events that one undo takes back, in every game. */
const ACTS = ["night_fell", "pawn_set", "token_set"];

/**
 * The events of the log that still stand: each undo takes back one action, with a night all its events.
 * `isAct(event)`: whether an event of the game begins an action.
 */
export function standing(log, isAct) {
  const begins = ({ event }) => ACTS.includes(event.event) || isAct(event);
  const groups = [];
  for (const entry of log) {
    if (name(entry) === "rewound") takeBack(groups);
    else if (!groups.length || (begins(entry) && !(isSet(entry) && isSet(groups.at(-1).at(-1)))))
      groups.push([entry]);
    else groups.at(-1).push(entry);
  }
  return groups.flat();
}

/** Whether it was set by hand: what was set at once is one act. */
const isSet = (entry) => name(entry) === "pawn_set" || name(entry) === "token_set";

/** A night that has fallen and disclosed nothing yet is no action; what goes is the turn that ended before it. */
function takeBack(groups) {
  const last = groups.pop() ?? [];
  const isUnfinished =
    last.length > 0 &&
    name(last[0]) === "night_fell" &&
    !last.some(({ event }) => event.event === "turn_ended");
  if (isUnfinished) groups.pop();
}

/** Whether a bot is to move. */
export const isBotToMove = ({ seats, to_move: mover }) =>
  Boolean(seats.find(({ seat }) => seat === mover)?.bot);

/** The seat whose last action can be taken back without a question, null if there is none; a bot would do it again. */
export const freeUndo = ({ undo, seats }) =>
  undo?.kind === "free" && !seats.some(({ seat, bot }) => seat === undo.seat && bot)
    ? undo.seat
    : null;

/** Whether the table must be put right by hands before anybody plays on. */
export const isOff = (board) =>
  ["ambiguous", "unexplained"].includes(board?.state) || board?.owed?.length > 0;

/** Whether the game that is proposed may begin: the table is ready, and the right seats are taken. */
export const canStart = ({ lobby }) => lobby.ready && !lobby.wrong_seat;

/** Whether a seat's secrets are on paper, in the game that is played or proposed. */
export const isOnPaper = ({ view, lobby }) => (view ?? lobby).options?.path === "paper";

/** Whether there is something sealed to open after the game: on paper only what was sealed before it. */
export const isSealed = (snapshot) => !isOnPaper(snapshot) || Boolean(snapshot.seal);

/** Whether the game is on paper, or all are asked about that: its words are needed. */
export const hasPaper = (snapshot) =>
  isOnPaper(snapshot) || snapshot.undo?.asked?.what === "on_paper";
