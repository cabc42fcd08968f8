/** Controls that the display and a human's phone share. */
import { icon } from "./icons.js";
import { h } from "./dom.js";
import { keep, readKept } from "./browser.js";
import { rich, message, seatName, text } from "./i18n.js";

/**
 * @param {string} action
 * @param {Child} label
 * @param {Record<string, any>} [attrs]
 */
export const button = (action, label, attrs = {}) =>
  h("button", { type: "button", "data-action": action, ...attrs }, label);

/** The language of this device; a press chooses the next one. */
export function languageButton() {
  const code = document.documentElement.lang.toUpperCase();
  return button("language", code, { "aria-label": `${text("language")} ${code}` });
}

/** The settings of this device: its language, and the light theme for sunlit rooms. */
export const deviceButtons = () => [languageButton(), lightButton()];

/** Whether this page has the light theme, whose choice a browser without storage does not keep. */
const isLight = () => document.documentElement.classList.contains("light");

export const lightButton = () =>
  button("light", icon("sun"), {
    class: "narrow",
    "aria-label": text("light"),
    "aria-pressed": String(isLight()),
  });

/** Change between the two themes, on all pages of this browser; theme.js changes this one too. */
export function toggleTheme() {
  const chosen = isLight() ? "0" : "1";
  keep("light", chosen);
  dispatchEvent(new StorageEvent("storage", { key: "light", newValue: chosen }));
}

/**
 * A button that takes the last action back; `isShort`: without the word. The table refuses it
 * during another vote.
 * @param {{undo?: Undo | null, vote?: Vote | null}} snapshot
 * @param {boolean} [isShort]
 */
export const undoButton = (snapshot, isShort = false) =>
  button(
    "undo",
    [icon("undo"), isShort ? h("span", { class: "vh" }, text("undo")) : text("undo")],
    { class: isShort ? "narrow" : null, "aria-disabled": isRefused(snapshot) ? "true" : null },
  );

/** @param {{undo?: Undo | null, vote?: Vote | null}} snapshot */
const isRefused = ({ undo, vote }) => undo?.kind === "none" || (vote && vote.what !== "undo");

/**
 * The buttons of a phone in a game: its rules, where the theme can be changed too, and the
 * language.
 */
export const seatButtons = () => [rulesButton(), languageButton()];

export const rulesButton = () =>
  button("rules", "?", { class: "narrow", "aria-label": text("rules") });

/**
 * A link to the rules of the table's game.
 * @param {{game: string}} snapshot
 */
export const rulesLink = ({ game }) =>
  h("a", { class: "button", href: `/help#${game}` }, text("rules"));

/** The stored code of this seat, null without one. */
export const keptCode = () => readKept("seat-pin");

/**
 * The code that moves this seat to another phone; a phone stores it only for a seat without
 * secrets.
 */
export function ownCode() {
  const code = keptCode();
  return code && h("p", { class: "muted", id: "own-code" }, text("seat.code", { code }));
}

/**
 * What the hold uncovers on a phone with a secret before the game: the code is for its player
 * alone; and a refusal of what was pressed meanwhile.
 * @param {Phone} phone
 */
export const lobbySecret = ({ refusal }) =>
  h(
    "section",
    { class: "secret" },
    h("h1", {}, text("lobby.seated")),
    refusal && h("p", { class: "bad", id: "refusal" }, message(refusal)),
    ownCode(),
  );

/** The buttons for everybody after the end: watch the game again, and play another. */
export const endButtons = () => [
  button("replay", text("replay"), { class: "prime" }),
  button("again", text("end.again")),
];

/**
 * A button that offers a draw, except during a vote or the publication of a night.
 * `isSure`: whether its first press, among bots alone, waits for a second one.
 * @param {{revealing: boolean, vote?: Vote | null}} snapshot
 * @param {boolean} isSure
 */
export const drawButton = ({ revealing, vote }, isSure) =>
  button("draw", text(isSure ? "sure" : "draw"), {
    "aria-disabled": revealing || vote ? "true" : null,
  });

/**
 * The open vote in words; null without one.
 * @param {{vote?: Vote | null}} snapshot
 */
export function voteWords({ vote }) {
  if (!vote) return null;
  const known = (vote.disclosed ?? []).flatMap((each) => [" ", message(each)]);
  const waits = unanswered(vote).map(seatName).join(", ");
  const meant = (vote.meant ?? []).flatMap((each) => [message(each), " "]);
  return {
    head: rich(`vote.${vote.what}`, { by: vote.by, seat: vote.seat ?? vote.by }),
    small: [
      meant,
      text("vote"),
      vote.what === "on_paper" && [" ", text("vote.silent")],
      known.length ? [" ", text("vote.known"), known] : [],
      " ",
      text("vote.waits", { seats: waits }),
    ],
  };
}

/** @param {Vote} vote */
const unanswered = ({ needed, agreed }) => needed.filter((seat) => !agreed.includes(seat));

/**
 * The reason for a pause, if the table stopped by itself; null without a pause.
 * @param {{paused: boolean, log: LogEntry[]}} snapshot
 */
export function paused({ paused: isPaused, log }) {
  if (!isPaused) return null;
  const why = log.findLast(({ event }) =>
    /^(history_rewound|entries_lost|entries_left_out|seat_(forfeited|handed_on)|resumed|paused)$/.test(
      event.event,
    ),
  );
  return {
    head: text("paused.now"),
    small: why && !/^(resumed|paused)$/.test(why.event.event) ? message(why.message) : null,
  };
}

/**
 * The cause of waiting, in the words of every display: a pause or a vote; null without one.
 * @param {Snapshot} snapshot
 */
export const halted = (snapshot) => paused(snapshot) ?? voteWords(snapshot);

/**
 * The vote with its two answers for one seat, on every phone at the same time; null without one.
 * @param {{vote?: any}} snapshot
 * @param {string} seat
 */
export function votePanel({ vote }, seat) {
  const words = voteWords({ vote });
  if (!words) return null;
  const isMine = unanswered(vote).includes(seat);
  return h(
    "section",
    { class: "ask", id: "vote" },
    h("p", {}, words.head),
    h("p", {}, words.small),
    (isMine || seat === vote.by) &&
      h(
        "div",
        { class: "row" },
        isMine && button("agree", text("vote.agree"), { class: "prime" }),
        button("refuse", text(isMine ? "no" : "vote.withdraw")),
      ),
  );
}
