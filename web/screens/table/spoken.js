/** What a display reads aloud of public updates, by how much it reads. Pure functions. */
import { button } from "../../core/controls.js";
import { text } from "../../core/i18n.js";

/** How much is read: each level has what the one before it has. */
export const LEVELS = ["off", "answers", "turns", "all"];

/** Messages of every game by their codes, or by what stands before a dot in them. */
const ANSWERS = [
  "event.game_over",
  "undo_asked",
  "draw_asked",
  "free_asked",
  "by_hand_asked",
  "switch_to_paper_asked",
  "rewound",
  "paused",
  "resumed",
];
const TURNS = ["event.turn_started", "event.night_fell", "event.game_set_up", "seat_claimed"];

/** A stored level; turns and answers without one. @param {string | null} stored */
export const levelOf = (stored) => (stored && LEVELS.includes(stored) ? stored : "turns");

/** @param {string} level */
export const nextLevel = (level) => LEVELS[(LEVELS.indexOf(level) + 1) % LEVELS.length];

/** How much is read aloud; a press chooses the next level. @param {{voice: string}} ui */
export const voiceButton = ({ voice }) => button("voice", text(`voice.${voice}`));

/**
 * The messages that a display reads at this level.
 * @param {Message[]} messages @param {string} level @param {GameSounds} sounds
 */
export function readMessages(messages, level, { answers = [], turns = [] }) {
  /** @param {string} code @param {string[]} codes */
  const isOf = (code, codes) => codes.some((each) => code === each || code.startsWith(`${each}.`));
  /** @param {Message} message */
  const first = ({ code }) =>
    isOf(code, [...ANSWERS, ...answers])
      ? "answers"
      : isOf(code, [...TURNS, ...turns])
        ? "turns"
        : "all";
  return messages.filter((each) => LEVELS.indexOf(first(each)) <= LEVELS.indexOf(level));
}

/**
 * The questions that have come since the one numbered `last`, without those that a display has read;
 * none for a display that has only begun to follow the table, for which `last` is null.
 * @param {Question[]} questions @param {number | null} last
 */
export const newQuestions = (questions, last) =>
  last === null ? [] : questions.filter(({ number, state }) => number > last && state !== "read");

/**
 * The answer to a question that somebody asked aloud, from what every screen shows.
 * @param {Question} question @param {Snapshot} snapshot @param {GameSounds} sounds
 * @returns {Message[]}
 */
export function answerTo({ what, name }, { view, to_move: seat, answer }, { onCell }) {
  const pawns = view?.pawns ?? {};
  switch (what) {
    case "cell": {
      const standing = Object.keys(pawns).filter((pawn) => pawns[pawn] === name);
      return [
        { code: "aloud.cell", params: { cell: name } },
        ...(onCell?.(view, name) ?? []),
        ...standing.map((pawn) => ({ code: "aloud.pawn", params: { pawn } })),
        ...(standing.length ? [] : [{ code: "aloud.nobody" }]),
      ];
    }
    case "pawn":
      return [
        name in pawns
          ? { code: "aloud.stands", params: { pawn: name, cell: pawns[name] } }
          : { code: "aloud.gone", params: { pawn: name } },
      ];
    case "turn":
      return [seat ? { code: "aloud.turn", params: { seat } } : { code: "aloud.no_turn" }];
    default:
      return [answer?.message ?? { code: "aloud.no_answer" }];
  }
}
