/**
 * What a typed line means, by pure functions. A line is compared by words, without case, accents
 * and the width of letters.
 */

/** A hyphen at a word's beginning before a digit: a number's minus. */
const MINUS = /(^|\s)-(?=\p{N})/gu;
/** A run of Latin letters and digits, with a number's minus, or of letters of other scripts. */
const WORD = /−?[\p{Script=Latin}\p{N}]+|(?:(?![\p{Script=Latin}\p{N}])[\p{L}\p{M}])+/gu;
/** What Japanese has between a name and a verb, as in "C4へ歩く". */
const PARTICLES = /^[をへにのはでが]+/;
/** Letters that a part of a name must have: fewer are in too many names. */
const LEAST_PART = 2;

/** A letter that is a word. */
const IDEOGRAPH = /\p{Script=Han}/u;

/**
 * The words of a line, as they are compared; a hyphen that only a line's end shows is no letter.
 * @param {string} line
 * @returns {string[]}
 */
export const wordsOf = (line) =>
  (
    line
      .normalize("NFKD")
      .replace(/[\u0300-\u036f\u00ad]/g, "")
      .normalize("NFC")
      .replace(/[\u2212\u2010]/g, "-")
      .replace(MINUS, "$1−")
      .toLowerCase()
      .match(WORD) ?? []
  )
    .map((word, at) => (at ? word.replace(PARTICLES, "") : word))
    .filter(Boolean);

/** The names in a list with commas, each as its words. @param {string} list */
export const namesOf = (list) => list.split(/[,、]/).map(wordsOf);

/**
 * How well words mean a name: 0 they are all of it, 1 some whole words, 2 beginnings from its first
 * word on, 3 beginnings inside of it; null if they do not.
 * @param {string[]} words
 * @param {string[]} name
 */
export function rank(words, name) {
  const [whole, begun] = [same, starts].map((compare) => runs(words, name, compare));
  if (whole.includes(0) && words.length === name.length) return 0;
  if (words.join("").length < LEAST_PART && !IDEOGRAPH.test(words[0] ?? "")) return null;
  if (whole.length) return 1;
  if (begun.includes(0)) return 2;
  return begun.length ? 3 : null;
}

/** @param {string} word @param {string} part */
const same = (word, part) => part === word;
/** @param {string} word @param {string} part */
const starts = (word, part) =>
  /\p{Script=Latin}|\p{N}/u.test(word) ? part.startsWith(word) : part.includes(word);

/**
 * The places in a name from which on all words compare.
 * @param {string[]} words
 * @param {string[]} name
 * @param {(word: string, part: string) => boolean} compare
 */
const runs = (words, name, compare) =>
  name
    .map((_, at) => at)
    .filter((at) => words.every((word, index) => compare(word, name[at + index] ?? "")));

/**
 * Those that words mean best, by their `names`.
 * @template {{names: string[][]}} T
 * @param {string[]} words
 * @param {T[]} things
 * @returns {{rank: number, things: T[]}} no things, and a rank of Infinity, where none is meant
 */
export function meant(words, things) {
  const ranks = things.map(({ names }) =>
    Math.min(...names.map((name) => rank(words, name) ?? Infinity)),
  );
  const least = Math.min(...ranks);
  const best = things.filter((_, at) => ranks[at] === least);
  return least === Infinity ? { rank: least, things: [] } : { rank: least, things: best };
}

/**
 * Those of the first list that has what words mean best.
 * @template {{names: string[][]}} T
 * @param {string[]} words
 * @param {T[][]} lists
 * @returns {{rank: number, things: T[]}}
 */
export function meantIn(words, lists) {
  const all = lists.map((list) => meant(words, list));
  const least = Math.min(...all.map(({ rank: each }) => each));
  return { rank: least, things: all.find(({ rank: each }) => each === least)?.things ?? [] };
}

/**
 * What the first of these words press, the longest name first: the controls they mean, and the
 * words after them. No controls where the first word means none.
 * @template {{names: string[][], isOff: boolean}} T
 * @param {string[]} words
 * @param {T[]} controls
 * @returns {{controls: T[], left: string[]}}
 */
export function nextPress(words, controls) {
  for (let count = words.length; count; count -= 1) {
    const { things } = meant(words.slice(0, count), controls);
    const open = things.filter(({ isOff }) => !isOff);
    if (things.length)
      return { controls: open.length ? open : things.slice(0, 1), left: words.slice(count) };
  }
  return { controls: [], left: words };
}

/**
 * What a line is: a question with the words after it, a bare name that asks about all that have it,
 * or the words of an act. A question's whole name comes first, then a bare name, then a control; a
 * part of a question's name is one only where no control is meant. People choose their names: none
 * of them takes away a line that begins with a verb.
 * @template {{names: string[][]}} Question
 * @template {{names: string[][], isPerson?: boolean}} Subject
 * @param {string[]} words
 * @param {{questions: Question[], subjects: Subject[][], controls: any[], verbs: {names: string[][]}[]}} known
 * @returns {{question?: Question, subjects?: Subject[], words: string[]}}
 */
export function understood(words, { questions, subjects, controls, verbs }) {
  for (let count = words.length; count; count -= 1) {
    const { rank: best, things } = meant(words.slice(0, count), questions);
    if (best === 0) return { question: things[0], words: words.slice(count) };
  }
  const isVerb = meant(words.slice(0, 1), verbs).rank === 0;
  const mayBe = isVerb ? subjects.map((list) => list.filter((each) => !each.isPerson)) : subjects;
  const { rank: named, things: asked } = meantIn(words, mayBe);
  if (named === 0) return { subjects: asked, words };
  if (isVerb || nextPress(words, controls).controls.length) return { words };
  const part = meant(words, questions);
  return part.things.length === 1 ? { question: part.things[0], words: [] } : { words };
}
