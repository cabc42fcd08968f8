/** Questions that every game answers, from what is public; a game adds its own. */
import { announcedEvents, phaseOf } from "../snapshot.js";
import { letterOf, plainName, plainText, seatName, seatOf, text, typedName } from "../i18n.js";
import { namesOf, wordsOf } from "./matching.js";

/** Messages that `log` reads where no number is asked for. */
const MESSAGES = 5;

/**
 * The core's questions: each gets what the page knows and the words after the question, and returns
 * sentences.
 * @type {Record<string, (known: Known, words: string[]) => string[]>}
 */
export const QUESTIONS = {
  now: ({ task, offers }) => [
    ...task,
    offers.length ? text("commands.now", { list: offers.join(", ") }) : text("commands.nothing"),
  ],
  who: ({ snapshot, seat }) => (snapshot ? who(snapshot, seat) : []),
  where: () => [text("commands.where")],
  log: ({ snapshot }, [count]) => (snapshot ? log(snapshot, Number(count) || MESSAGES) : []),
  mine: ({ secretWords }) => (secretWords.length ? secretWords : [text("commands.covered")]),
  help: ({ questions, verbs }) => [
    text("commands.help", { questions: questions.join(", "), verbs: verbs.join(", ") }),
  ],
};

/** @param {Snapshot} snapshot @param {string | null} seat */
function who(snapshot, seat) {
  const { seats, to_move: mover } = snapshot;
  const lines = seats.map((each) => {
    const name = typedName(each.seat, seats);
    return [
      plainName(each.seat),
      name,
      each.bot ? text("bot.plays", { level: each.bot }) : !each.taken && !name && text("seat.free"),
      each.seat === seat && text("commands.you"),
    ]
      .filter(Boolean)
      .join(", ");
  });
  const isOn = mover && !["lobby", "over"].includes(phaseOf(snapshot));
  return [
    isOn ? `${text("turn.theirs", { seat: mover })}.` : "",
    ...lines.map((line) => `${line}.`),
  ].filter(Boolean);
}

/** The last messages, the newest first. @param {Snapshot} snapshot @param {number} count */
function log({ log: entries }, count) {
  const sentences = announcedEvents(entries)
    .map(({ message }) => plainText(message))
    .filter(Boolean);
  return sentences.length ? sentences.slice(-count).reverse() : [text("commands.no_log")];
}

/**
 * A question or a verb by its key, with the words that mean it in the page's language: the first of
 * them is shown.
 * @param {string} kind "question" or "verb"
 * @param {string} key
 */
export function entry(kind, key) {
  const list = text(`commands.${kind}.${key}`);
  return { key, word: list.split(/[,、]/)[0].trim(), names: namesOf(list) };
}

/** The names that mean a seat; two may share one. @param {string} seat @param {Seat[]} seats */
const namesOfSeat = (seat, seats) =>
  [seatName(seat), typedName(seat, seats), plainName(seat)].flatMap((name) => name ?? []);

/** The names that mean a pawn, each as its words. @param {string} pawn @param {Seat[]} seats */
export const namesOfPawn = (pawn, seats) =>
  namesOfSeat(seatOf(pawn), seats).map((name) => wordsOf(`${name} ${letterOf(pawn)}`));

/** Seats as what a bare name asks about. @param {Snapshot} snapshot @returns {CommandSubject[]} */
export const seatSubjects = (snapshot) =>
  snapshot.seats.map(({ seat }) => ({
    names: namesOfSeat(seat, snapshot.seats).map(wordsOf),
    isPerson: true,
    words: () =>
      who({ ...snapshot, seats: snapshot.seats.filter((each) => each.seat === seat) }, null),
  }));
