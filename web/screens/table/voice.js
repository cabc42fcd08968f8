/**
 * The spoken sentences of the display: the words on its screen if the browser itself has a voice
 * for their language, else recorded sentences (`make speech`), because Chromium on Linux has no
 * voices.
 */
import { timedFetch } from "../../core/browser.js";
/** Sentences that do not depend on seat, place or game. */
/** @type {Record<string, Recording>} */
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
  /** @param {any} place @param {(seat: string) => string | null} call */
  seat_claimed: ({ seat }, call) => [call(seat)],
};
/** Seconds of speech still queued beyond which new sentences replace the queue. */
const MOST_BEHIND = 5;

/**
 * The codes of the recorded sentences for the `message` ({code, params}), by a game's recordings
 * ({spoken, seats}); none without one. A person with a typed name (`isNamed(seat)`) is not called
 * by the seat.
 * @param {Message} message @param {GameSounds} gameSounds
 * @param {(seat: string) => boolean} [isNamed]
 */
export function spokenOf(
  { code, params },
  { spoken = {}, seats = {} },
  isNamed = (_seat) => false,
) {
  /** @param {string} seat */
  const call = (seat) => (isNamed(seat) ? null : (seats[seat] ?? numbered(seat)));
  const recording = spoken[code] ?? PLAIN[code];
  const codes = typeof recording === "function" ? recording(params, call) : [recording];
  return codes.filter(Boolean).map((each) => `spoken.${each}`);
}

/** @param {string} seat */
const numbered = (seat) => (/^[HP]\d$/.test(seat) ? `player.${seat.slice(1)}` : null);

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

  /**
   * Speak each of `told` ({code, params}); `write` returns its text on the screen, `sounds` are
   * the game's recordings, `isNamed` whether a seat has a typed name, which recordings cannot have.
   * @param {Message[]} messages @param {(message: Message) => string} write
   * @param {GameSounds} sounds @param {(seat: string) => boolean} isNamed @param {string} language
   */
  async say(messages, write, sounds, isNamed, language) {
    const own = ownVoice(language);
    if (own) {
      const utterance = new SpeechSynthesisUtterance(messages.map(write).join(" "));
      Object.assign(utterance, { voice: own, volume: this.#speaker.level });
      speechSynthesis.speak(utterance);
      return;
    }
    this.prepare(language);
    const sentences = await this.#sentences;
    if (!sentences) return;
    if (this.#until > this.#speaker.now + MOST_BEHIND) this.silence();
    for (const code of messages
      .flatMap((each) => spokenOf(each, sounds, isNamed))
      .filter((each) => each in sentences.list)) {
      const { start, seconds } = sentences.list[code];
      this.#until = this.#speaker.part(sentences.buffer, start, seconds, this.#until);
    }
  }

  /** Stop, and drop the sentences that wait. */
  silence() {
    globalThis.speechSynthesis?.cancel();
    this.#speaker.silence();
    this.#until = 0;
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
