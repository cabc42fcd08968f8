/** Pure functions of the public snapshot for pages. */

/**
 * "lobby", "choosing" (the vampire hides), "night" (till its last event is published), "turn" or "over".
 * @param {Snapshot} snapshot
 */
export function phaseOf(snapshot) {
  if (snapshot.phase !== "play") return snapshot.phase;
  if (snapshot.outcome) return "over";
  if (snapshot.night || snapshot.secret || snapshot.revealing)
    return isChoosing(snapshot) ? "choosing" : "night";
  return "turn";
}

/** @param {Snapshot} snapshot */
function isChoosing(snapshot) {
  return snapshot.view?.placed === false;
}

/**
 * Whether bots have all seats but one: nobody else is asked for a draw, and a press ends the game.
 * @param {Snapshot} snapshot
 */
export const isAmongBots = ({ seats }) => seats.filter(({ bot }) => !bot).length < 2;

/** @param {LogEntry} entry */
const name = (entry) => entry.event.event;

/**
 * The entries of the log that people read. The banner shows who is to move.
 * @template {LogEntry} T
 * @param {T[]} log
 */
export function announcedEvents(log) {
  return log.filter(({ message, event }) => message && event.event !== "turn_started");
}

/** The events that begin a group which one undo takes back, in every game. */
const SETS = ["pawn_set", "piece_set", "token_set"];
const ACTS = ["night_fell", ...SETS];

/**
 * The events of the log that were not undone: an undo takes back `steps` actions, for a night all
 * its events. `isAct(event)`: whether an event of the game begins an action.
 * @template {LogEntry} T
 * @param {T[]} log
 * @param {(event: GameEvent) => boolean} isAct
 * @returns {T[]}
 */
export function standing(log, isAct) {
  /** @param {LogEntry} entry */
  const begins = ({ event }) => ACTS.includes(event.event) || isAct(event);
  /** @type {any} */
  const groups = [];
  for (const entry of log) {
    if (name(entry) === "rewound")
      for (let left = Number(entry.event.steps); left > 0; left -= 1) takeBack(groups);
    else if (!groups.length || (begins(entry) && !(isSet(entry) && isSet(groups.at(-1).at(-1)))))
      groups.push([entry]);
    else groups.at(-1).push(entry);
  }
  return groups.flat();
}

/** Whether it was set by hand: pieces set together are one action. @param {LogEntry} entry */
const isSet = (entry) => SETS.includes(name(entry));

/**
 * A night that has not disclosed anything yet is no action; the undo removes the turn before it.
 * @param {LogEntry[][]} groups
 */
function takeBack(groups) {
  const last = groups.pop() ?? [];
  const isUnfinished =
    last.length > 0 &&
    name(last[0]) === "night_fell" &&
    !last.some(({ event }) => event.event === "turn_ended");
  if (isUnfinished) groups.pop();
}

/** Whether a bot is to move. @param {{seats: Seat[], to_move: string | null}} snapshot */
export const isBotToMove = ({ seats, to_move: mover }) =>
  Boolean(seats.find(({ seat }) => seat === mover)?.bot);

/**
 * The seat whose last action can be taken back without a vote, null without one.
 * @param {{undo: Undo | null | undefined}} snapshot
 */
export const freeUndo = ({ undo }) => (undo?.kind === "free" ? undo.seat : null);

/** Whether people must correct the table before play continues. @param {BoardStatus} board */
export const isOff = (board) =>
  ["ambiguous", "unexplained"].includes(board?.state) || board?.owed?.length > 0;

/** Whether the proposed game may begin, its seats taken. @param {{lobby: Lobby}} snapshot */
export const canStart = ({ lobby }) => lobby.ready && !lobby.wrong_seat;

/**
 * Whether a seat's secrets are on paper, in the game that is played or proposed.
 * @param {{view?: View | null, lobby: Lobby}} snapshot
 */
export const isOnPaper = ({ view, lobby }) => (view ?? lobby).options?.path === "paper";

/**
 * Whether there are seals to open after the game: a game without secrets has none, and one on paper
 * only those from before it.
 * @param {Snapshot} snapshot
 */
export const isSealed = (snapshot) => Boolean(snapshot.seal);

/** Whether the game is on paper, or a vote about that is open. @param {Snapshot} snapshot */
export const hasPaper = (snapshot) =>
  isOnPaper(snapshot) || snapshot.vote?.what === "switch_to_paper";

/** The side that hides, in each game. */
const VAMPIRES = ["vampire", "vampires", "vampires_side", "fugitive"];

/**
 * The hour of the sky: dusk before a game, night while a secret turn lasts and in a turn of a
 * vampire player, dawn while a night is published and after a game, "blood" (a red moon) if the
 * side that hides has won.
 * @param {Snapshot} snapshot
 */
export function hourOf(snapshot) {
  if (snapshot.phase === "lobby") return "dusk";
  if (snapshot.outcome) return hourOfEnd(snapshot.outcome);
  if (snapshot.revealing) return "dawn";
  return phaseOf(snapshot) === "turn" && snapshot.view?.turn !== "vampire" ? "day" : "night";
}

/** @param {{winner: string}} outcome */
export const hourOfEnd = ({ winner }) => (VAMPIRES.includes(winner) ? "blood" : "dawn");
