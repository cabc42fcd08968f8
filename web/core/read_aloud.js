/** Questions of a phone whose answers the displays read aloud. */
import { pawnName } from "./i18n.js";
import { wordsOf } from "./commands/matching.js";

/** Milliseconds in which a display that reads confirms it; it may have to fetch recordings. */
const READING_MS = 4000;
/** Milliseconds in which a display that still speaks begins to read; no display waits longer. */
const WAITING_MS = 20_000;
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
 * `onWait` is called once a display says that it reads later.
 * @param {SendRequest} request
 * @param {() => Snapshot | null} snapshot returns the last one of this page
 * @param {{what: Question["what"], name?: string}} question
 * @param {() => void} [onWait]
 * @returns {Promise<Message | null>}
 */
export async function askAloud(request, snapshot, { what, name = "" }, onWait = () => {}) {
  const reply = await request("ask_aloud", { what, name });
  if (!reply.ok) return reply.message;
  const begin = performance.now();
  let isWaiting = false;
  while (performance.now() < begin + (isWaiting ? WAITING_MS : READING_MS)) {
    const state = snapshot()?.questions?.find(({ number }) => number === reply.number)?.state;
    if (state === "read") return null;
    if (state === "waits" && !isWaiting) {
      isWaiting = true;
      onWait();
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  return { code: isWaiting ? "ask_busy" : "ask_no_voice" };
}
