/**
 * Three words that move a seat to another phone. They belong to no language: two syllables each
 * that are easy in English, Japanese and Dutch. 44 syllables make 1,882 words, so three are one of
 * 6.7 thousand million.
 */
import { button } from "../../core/controls.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";

const [CONSONANTS, VOWELS] = ["bdfklmnprst", "aeio"];
const SYLLABLES = [...CONSONANTS].flatMap((one) => [...VOWELS].map((other) => one + other));
const WORDS = 3;
/** Syllables and words that are rude in one of the three languages. */
const RUDE = ["baka", "boke", "fera", "kike", "kimo", "mara", "paki", "pedo", "rape", "sine"];

/** Every possible word: without repeated syllables, and without rude ones. */
export const LIST = SYLLABLES.flatMap((one) =>
  SYLLABLES.filter((other) => other !== one).map((other) => one + other),
).filter((word) => !RUDE.includes(word));

/** Three words, each equally likely. */
export function randomWords() {
  const words = [];
  while (words.length < WORDS) {
    const [drawn] = crypto.getRandomValues(new Uint16Array(1));
    // The largest multiple of the list's length in 16 bits: numbers above it would favour the first words.
    if (drawn < 65536 - (65536 % LIST.length)) words.push(LIST[drawn % LIST.length]);
  }
  return words.join(" ");
}

/** Whether a text has all three words, in any spelling. @param {string} typed */
export const areWords = (typed) => typed.toLowerCase().replace(/[^a-z]/g, "").length === 4 * WORDS;

/**
 * Describe the field that shows words while a finger holds, or in which a returning player types
 * them.
 * @param {{isBack: boolean, pin: string, isLooking: boolean}} parts
 */
export function wordsPart({ isBack, pin, isLooking }) {
  if (isBack)
    return h(
      "label",
      text("words.enter"),
      h("input#words", {
        value: pin,
        maxlength: 20,
        autocomplete: "off",
        autocapitalize: "none",
        spellcheck: "false",
        translate: "no",
      }),
    );
  return [
    h("p", text("words.why")),
    h(
      "p#three.three",
      { translate: "no" },
      (isLooking ? pin : pin.replace(/[a-z]/g, "·")).split(" ").map((word) => h("span", word)),
    ),
    h("button#hold.hold", { type: "button" }, text(isLooking ? "hold.stay" : "hold")),
    button("fresh", text("words.fresh")),
  ];
}
