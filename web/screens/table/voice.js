/**
 * The spoken sentences of the display: the words on its screen if the browser itself has a voice
 * for their language, else recorded sentences (`make speech`), because Chromium on Linux has no
 * voices.
 */
import { timedFetch } from "../../core/browser.js";
/** Sentences of every game. @type {Record<string, Recording>} */
const PLAIN = {
  "event.game_set_up": "laid",
  "event.night_fell": "night",
  "event.game_over.draw": "over.draw",
  undo_asked: "agree",
  draw_asked: "agree",
  free_asked: "agree",
  by_hand_asked: "agree",
  rewound: "undone",
  paused: "paused",
  resumed: "resumed",
  seat_claimed: ({ seat }, { call }) => [call(seat)],
  "aloud.turn": ({ seat }, { call }) => [call(seat)],
  "aloud.cell": ({ cell }, names) => names.cell(cell),
  "aloud.pawn": ({ pawn }, names) => names.pawn(pawn),
  /** @param {any} params @param {Names} names */
  "aloud.stands": ({ pawn, cell }, names) => [...names.pawn(pawn), ...names.cell(cell)],
  /** @param {any} params @param {Names} names */
  "aloud.gone": ({ pawn }, names) => [...names.pawn(pawn), "gone"],
  "aloud.nobody": "nobody",
  "aloud.no_turn": "no_turn",
  "aloud.no_answer": "no_answer",
};
/** Seconds of speech still queued beyond which new sentences replace the queue. */
const MOST_BEHIND = 5;
/** The same for a browser's own voice in waiting letters: it speaks some fifteen a second. */
const MOST_LETTERS = 15 * MOST_BEHIND;
/** Milliseconds between two looks whether something is spoken. */
const LOOK_MS = 100;

/**
 * The names of the recorded sentences for the `message` ({code, params}), by a game's recordings;
 * none without one for each of its parts: half a sentence would say something else. People with a
 * typed name are called by their number too: no recording has it, and somebody who only listens has
 * to hear whose turn it is.
 * @param {Message} message @param {GameSounds} gameSounds
 */
export function spokenOf({ code, params }, { spoken = {}, seats = {}, pieces = {} }) {
  /** @type {Names} */
  const names = {
    call: (seat) => seats[seat] ?? (/^[HP]\d$/.test(seat) ? `player.${seat.slice(1)}` : null),
    cell: (cell) => [...cell].map(spelled),
    pawn: (pawn) =>
      /^[a-z]/.test(pawn)
        ? [pieces[pawn[0]], ...[...pawn.slice(1)].map(spelled)]
        : [names.call(pawn.slice(0, 2)), ...[...pawn.slice(2)].map(spelled)],
  };
  const recording = spoken[code] ?? PLAIN[code];
  const parts = typeof recording === "function" ? recording(params, names) : [recording];
  return parts.every(Boolean) ? parts.map((each) => `spoken.${each}`) : [];
}

/** @param {string} sign */
const spelled = (sign) => (/\d/.test(sign) ? `number.${sign}` : `letter.${sign.toUpperCase()}`);

/** A voice of the browser; not one that sends the words to a server. @param {string} language */
const ownVoice = (language) =>
  globalThis.speechSynthesis
    ?.getVoices()
    .find(({ lang, localService }) => localService && lang.startsWith(language));

export class Voice {
  #speaker;
  /** @type {any} */
  #language = null;
  /** @type {any} */
  #sentences = Promise.resolve(null);
  #until = 0;
  /** The answer to a question that was spoken last: its utterance, or the time at which it ends. */
  /** @type {any} */
  #answer = null;
  /** Letters that the browser's own voice has not begun to speak. */
  #letters = 0;

  /** @param {any} speaker */
  constructor(speaker) {
    this.#speaker = speaker;
  }

  /**
   * Load all recordings of a language before the first sentence: the requests do not depend on the
   * game.
   * @param {string} language
   */
  prepare(language) {
    if (language === this.#language || ownVoice(language)) return;
    this.#language = language;
    // A language that could not be fetched is requested again the next time.
    this.#sentences = fetched(this.#speaker, language).catch(() => {
      this.#language = null;
      return null;
    });
  }

  /** Whether something is spoken, or waits to be. */
  get isBusy() {
    const { speaking = false, pending = false } = globalThis.speechSynthesis ?? {};
    return speaking || pending || this.#until > this.#speaker.now;
  }

  /** Fulfilled when nothing is spoken, or at `end` of the page's clock. @param {number} end */
  async whenQuiet(end) {
    while (this.isBusy && performance.now() < end)
      await new Promise((done) => setTimeout(done, LOOK_MS));
  }

  /**
   * Speak these messages ({code, params}); `write` returns a message's text on the screen, `sounds`
   * are the game's recordings. Return whether something is spoken: not before the first press
   * unlocks the speaker, and not what was never recorded.
   *
   * `isAnswer`: to somebody's question. Questions must not keep people from what happens: an answer
   * is spoken only while nothing else is, and what happens ends it.
   * @param {Message[]} messages @param {(message: Message) => string} write
   * @param {GameSounds} sounds @param {string} language @param {boolean} [isAnswer]
   */
  async say(messages, write, sounds, language, isAnswer = false) {
    if (!messages.length || this.#speaker.level === 0) return false;
    const own = ownVoice(language);
    if (own) return this.#utter(own, messages.map(write).join(" "), isAnswer);
    this.prepare(language);
    const sentences = await this.#sentences;
    const codes = messages
      .map((each) => spokenOf(each, sounds))
      .filter((each) => sentences && each.every((code) => code in sentences.list))
      .flat();
    if (!codes.length || !this.#speaker.isUnlocked || (isAnswer && this.isBusy)) return false;
    const { now } = this.#speaker;
    const isAnswering = this.#answer === this.#until && this.#until > now;
    if (this.#until > now + MOST_BEHIND || isAnswering) this.silence();
    for (const code of codes) {
      const { start, seconds } = sentences.list[code];
      this.#until = this.#speaker.part(sentences.buffer, start, seconds, this.#until);
    }
    this.#answer = isAnswer ? this.#until : null;
    return true;
  }

  /** @param {SpeechSynthesisVoice} voice @param {string} words @param {boolean} isAnswer */
  #utter(voice, words, isAnswer) {
    if (isAnswer && this.isBusy) return false;
    if ((this.#answer && !isAnswer) || this.#letters > MOST_LETTERS) {
      speechSynthesis.cancel();
      this.#letters = 0;
    }
    const utterance = new SpeechSynthesisUtterance(words);
    const onstart = () => {
      this.#letters = Math.max(0, this.#letters - words.length);
    };
    Object.assign(utterance, { voice, volume: this.#speaker.level, onstart });
    this.#letters += words.length;
    this.#answer = isAnswer ? utterance : null;
    speechSynthesis.speak(utterance);
    return true;
  }

  /** Stop, and drop the sentences that wait. */
  silence() {
    globalThis.speechSynthesis?.cancel();
    this.#speaker.silence();
    this.#until = 0;
    this.#letters = 0;
    this.#answer = null;
  }
}

/** @param {any} speaker @param {string} language */
async function fetched(speaker, language) {
  /** @param {string} suffix */
  const file = (suffix) => timedFetch(`/static/screens/table/speech/${language}.${suffix}`);
  /** @param {string} suffix */
  const decoded = async (suffix) => speaker.decode(await (await file(suffix)).arrayBuffer());
  const [list, buffer] = await Promise.all([
    file("json").then((reply) => reply.json()),
    // Safari before 18.4 plays no Ogg.
    decoded("opus").catch(() => decoded("mp3")),
  ]);
  return { list, buffer };
}
