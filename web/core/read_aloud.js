/** Questions of a phone whose answers the displays read aloud. */
import { pawnName } from "./i18n.js";
import { wordsOf } from "./commands/matching.js";

/**
 * Milliseconds in which a display that can read confirms it; its recordings may have to be fetched
 * first.
 */
const READING_MS = 4000;
const LOOK_MS = 100;

/**
 * The question that these typed words ask, without spaces, case, accents and marks: a pawn ("1a",
 * "Ana a", or its letter alone for the seat's own), else a cell; without words who is to move.
 * @param {string[]} words
 * @param {{view: any}} snapshot
 * @param {string | null} seat
 * @returns {{what: Question["what"], name?: string}}
 */
export function questionOf(words, { view }, seat) {
  const typed = words.flatMap(wordsOf).join("");
  if (!typed) return { what: "turn" };
  const names = Object.keys(view?.pawns ?? {});
  const meant = [typed, `h${typed}`, `${seat}${typed}`.toLowerCase()];
  /** @param {string} name */
  const spelled = (name) => wordsOf(pawnName(name)).join("");
  // A person may be called like another one's number.
  const pawn =
    names.find((name) => meant.includes(name.toLowerCase())) ??
    names.find((name) => spelled(name) === typed);
  if (pawn) return { what: "pawn", name: pawn };
  const isSmall = names.some((name) => /^[a-z]/.test(view.pawns[name]));
  return { what: "cell", name: isSmall ? typed : typed.toUpperCase() };
}

/**
 * Ask the displays to read the answer to a public question aloud; return null once one reads, else
 * the message that says why none does. The question alone is sent, and nobody sees who asked.
 * @param {SendRequest} request
 * @param {() => Snapshot | null} snapshot returns the last one of this page
 * @param {{what: Question["what"], name?: string}} question
 * @returns {Promise<Message | null>}
 */
export async function askAloud(request, snapshot, { what, name = "" }) {
  const reply = await request("ask_aloud", { what, name });
  if (!reply.ok) return reply.message;
  const end = performance.now() + READING_MS;
  while (performance.now() < end) {
    const question = snapshot()?.question;
    if (question && question.number >= reply.number && question.is_read) return null;
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  return { code: "ask_no_voice" };
}
