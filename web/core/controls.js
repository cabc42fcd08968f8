/** Controls that the display and a human's phone share, and what presses them. */
import { icon } from "./icons.js";
import { announce, h } from "./dom.js";
import { store, readStored } from "./browser.js";
import { canStart, isBotToMove, isOff, phaseOf } from "./snapshot.js";
import { rich, message, plainText, seatName, text } from "./i18n.js";

/**
 * The attributes of what is pressed: its action, and its argument, an object as JSON.
 * @param {ActionName} action
 */
export function actionAttrs(action) {
  const [name, argument] = [action].flat(1);
  const isText = typeof argument === "string";
  return { "data-action": name, "data-arg": isText ? argument : JSON.stringify(argument) };
}

/**
 * The attribute of a control that closes a part of its page which another control has opened, and
 * does nothing else: Escape presses it too, and the focus returns to what opened that part.
 */
export const CLOSES = { "data-closes": true };

/** @param {ActionName} action @param {Child} label @param {Record<string, any>} [attrs] */
export const button = (action, label, attrs = {}) =>
  h("button", { type: "button", ...actionAttrs(action), ...attrs }, label);

/**
 * A button as wide as a sign or a number, which screen readers call by `name`.
 * @param {ActionName} action @param {Child} label @param {string} name
 * @param {Record<string, any>} [attrs]
 */
export const narrowButton = (action, label, name, attrs) =>
  button(action, label, { class: "narrow", "aria-label": name, ...attrs });

/**
 * The attributes of what must not be pressed now: `words` is the sentence that a press shows; none
 * without one.
 * @param {string | null | false | undefined} words
 */
export const whyNot = (words) => (words ? { "aria-disabled": "true", "data-why-not": words } : {});

/**
 * Why `seat` may not press on the board of a game now, in public words; null while it may. A screen
 * that only watches has no seat.
 * @param {Snapshot} snapshot @param {string | null} seat
 */
export function whyWait(snapshot, seat) {
  const { vote, board, secret, to_move: mover } = snapshot;
  if (phaseOf(snapshot) === "over") return text("game_over");
  if (!seat) return text("wait.watch");
  if (vote) return text("wait.vote");
  if (isOff(board)) return text("board.look");
  const isTheirs = secret || mover !== seat || isBotToMove(snapshot);
  return isTheirs ? text("turn.theirs", { seat: mover }) : null;
}

/** The language of this device; a press chooses the next one. */
function languageButton() {
  const code = document.documentElement.lang.toUpperCase();
  return button("language", code, { "aria-label": `${text("language")} ${code}` });
}

/** The settings of this device: its language, and the light theme for sunlit rooms. */
export const deviceButtons = () => [languageButton(), lightButton()];

/** Whether this page has the light theme, whose choice a browser without storage does not keep. */
const isLight = () => document.documentElement.classList.contains("light");

export const lightButton = () =>
  narrowButton("light", icon("sun"), text("light"), { "aria-pressed": String(isLight()) });

/** Change between the two themes, on all pages of this browser; theme.js changes this one too. */
export function toggleTheme() {
  const chosen = isLight() ? "0" : "1";
  store("light", chosen);
  dispatchEvent(new StorageEvent("storage", { key: "light", newValue: chosen }));
}

/**
 * A button that takes the last action back; `isShort`: without the word. The table refuses it
 * during another vote.
 * @param {{undo?: Undo | null, vote?: Vote | null}} snapshot @param {boolean} [isShort]
 */
export const undoButton = (snapshot, isShort = false) =>
  button("undo", [icon("undo"), isShort ? h("span.vh", text("undo")) : text("undo")], {
    class: isShort ? "narrow" : null,
    ...whyNot(whyNoUndo(snapshot)),
  });

/** @param {{undo?: Undo | null, vote?: Vote | null}} snapshot */
function whyNoUndo({ undo, vote }) {
  if (undo?.kind === "none") return text("nothing_to_undo");
  return vote && vote.what !== "undo" && text("wait.vote");
}

/**
 * The button that starts a game; `waits` says what the table waits for, where no seat is the cause.
 * @param {Snapshot} snapshot @param {string} [waits]
 * @param {{label?: string, isPrime?: boolean}} [look]
 */
export const startButton = (
  snapshot,
  waits = text("lobby.seated"),
  { label = text("start"), isPrime = true } = {},
) =>
  button("start", label, {
    class: isPrime && "prime",
    ...whyNot(!canStart(snapshot) && (plainText(snapshot.lobby.wrong_seat) || waits)),
  });

/** The buttons of a phone in a game: its rules, where the theme is changed, and the language. */
export const seatButtons = () => [rulesButton(), languageButton()];

export const rulesButton = () => narrowButton("rules", "?", text("rules"));

/** A link to the rules of the table's game. @param {{game: string}} snapshot */
export const rulesLink = ({ game }) => h("a.button", { href: `/help#${game}` }, text("rules"));

/** The stored code of this seat, null without one. */
export const keptCode = () => readStored("seat-pin");

/** The code that moves this seat to another phone; stored only for a seat without secrets. */
export function ownCode() {
  const code = keptCode();
  return code && h("p#own-code.muted", text("seat.code", { code }));
}

/**
 * What the hold uncovers on a phone with a secret before the game: the code is for its player
 * alone; and a refusal of what was pressed meanwhile.
 * @param {Phone} phone
 */
export const lobbySecret = ({ refusal }) =>
  h(
    "section.secret",
    h("h1", text("lobby.seated")),
    refusal && h("p#refusal.bad", message(refusal)),
    ownCode(),
  );

/**
 * The buttons after the end: watch the game, play another, and the proof where a display has none
 * yet.
 * @param {boolean} [canProve] @returns {Child[]}
 */
export const endButtons = (canProve = false) => [
  button("replay", text("end.watch"), { class: "prime" }),
  button("again", text("end.again")),
  canProve && button("reveal", text("end.proof")),
];

/**
 * A button that offers a draw, except during a vote or the publication of a night.
 * `isSure`: whether its first press, among bots alone, waits for a second one.
 * @param {{revealing: boolean, vote?: Vote | null}} snapshot @param {boolean} isSure
 */
export const drawButton = ({ revealing, vote }, isSure) =>
  button("draw", text(isSure ? "sure" : "draw"), {
    ...whyNot(vote ? text("wait.vote") : revealing && text("night_not_over")),
  });

/** The open vote in words; null without one. @param {{vote?: Vote | null}} snapshot */
export function voteWords({ vote }) {
  if (!vote) return null;
  const known = (vote.disclosed ?? []).flatMap((each) => [" ", message(each)]);
  const waits = unanswered(vote).map(seatName).join(", ");
  const changes = (vote.meant ?? []).flatMap((each) => [message(each), " "]);
  return {
    head: rich(`vote.${vote.what}`, { by: vote.by, seat: vote.seat ?? vote.by }),
    small: [
      changes,
      text("vote"),
      vote.what === "switch_to_paper" && [" ", text("vote.silent")],
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
    /^(history_rewound|entries_lost|entries_left_out|seat_handed_on|bot_evicted|resumed|paused)$/.test(
      event.event,
    ),
  );
  return {
    head: text("paused.now"),
    small: why && !/^(resumed|paused)$/.test(why.event.event) ? message(why.message) : null,
  };
}

/** Why everybody waits: a pause or a vote; null without one. @param {Snapshot} snapshot */
export const halted = (snapshot) => paused(snapshot) ?? voteWords(snapshot);

/**
 * The vote with its two answers for one seat, on every phone at the same time; null without one.
 * @param {{vote?: any}} snapshot @param {string} seat
 */
export function votePanel({ vote }, seat) {
  const words = voteWords({ vote });
  if (!words) return null;
  const isMine = unanswered(vote).includes(seat);
  return h(
    "section#vote.ask",
    h("p", words.head),
    h("p", words.small),
    (isMine || seat === vote.by) &&
      h(
        "div.row",
        isMine && button("agree", text("vote.agree"), { class: "prime" }),
        button("refuse", text(isMine ? "no" : "vote.withdraw")),
      ),
  );
}

/* ---- presses ---- */

/**
 * Presses by finger, mouse, pen, keyboard or screen reader, all acted on at release.
 *
 * A second finger's tap makes no `click` while the first finger rests on the glass, and on the
 * vampire's phone one hand holds while the other taps: so this module tracks pointers itself, and
 * uses `click` only without a pointer.
 */
const PRESSABLE = "[data-action], [data-cell], [data-why-not]";

/** Fulfilled when the last press has been handled. @type {Promise<unknown>} */
export let handled = Promise.resolve();

/**
 * Call `handler` for each press on a pressable element inside `root`. What must not be pressed
 * shows its `data-why-not` instead.
 * @param {HTMLElement} root @param {(press: Press) => unknown} handler
 */
export function onPress(root, handler) {
  const down = new Map();
  let released = 0;
  /** @type {string?} */
  let acted = null;
  /** @param {any} element */
  const pressed = (element) => {
    const { action = "", arg: argument = "", cell = null, whyNot: words } = element.dataset;
    hideWhyNot();
    if (words) showWhyNot(element, words);
    else if (element.getAttribute("aria-disabled") !== "true" && !element.disabled)
      handled = followed(element, () => handler({ action, argument, cell }));
  };
  root.addEventListener("pointerdown", (event) => {
    acted = null;
    if (event.button === 0) down.set(event.pointerId, nameAt(event.target));
  });
  root.addEventListener("pointerup", (event) => {
    const name = down.get(event.pointerId);
    down.delete(event.pointerId);
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(PRESSABLE);
    if (name && under && nameAt(under) === name) {
      released = event.timeStamp;
      acted = name;
      pressed(under);
    }
  });
  root.addEventListener("pointercancel", (event) => down.delete(event.pointerId));
  // An element that a press has put under the finger, such as a link, gets neither the same touch
  // nor the focus.
  /** @param {any} event */
  const isOther = (event) => acted !== null && nameAt(event.target) !== acted;
  root.addEventListener("mousedown", (event) => isOther(event) && event.preventDefault());
  root.addEventListener("click", (event) => {
    const element = event.target instanceof Element && event.target.closest(PRESSABLE);
    const wasPointer = event.detail > 0 && event.timeStamp - released < 700;
    if (element && !wasPointer) pressed(element);
    if (wasPointer && isOther(event)) event.preventDefault();
  });
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") byEscape(event, pressed);
    else byKey(event, pressed);
  });
}

/* ---- what a press opens, and Escape closes ---- */

/** The names of the controls that opened what is open, by the name of what closes it. */
const openers = new Map();

/** The controls of the page that close something; on a page with a secret the last one covers that. */
const closers = () => [...document.querySelectorAll("[data-closes]")];

/**
 * Handle a press by `handle`, and remember what has opened a part of the page; where the press has
 * closed one, return the focus to what opened it.
 * @param {any} element @param {() => unknown} handle
 */
async function followed(element, handle) {
  const [name, before] = [nameAt(element), closers()];
  await handle();
  const after = closers();
  for (const each of after) if (!before.includes(each)) openers.set(nameAt(each), name);
  if (!before.includes(element) || after.includes(element)) return;
  /** @type {NodeListOf<HTMLElement>} */
  const controls = document.querySelectorAll("[data-action]");
  [...controls]
    .find((each) => nameAt(each) === openers.get(name) && !after.includes(each))
    ?.focus();
}

/**
 * Close what was opened last. The field of commands closes itself.
 * @param {KeyboardEvent} event @param {(element: any) => void} pressed
 */
function byEscape(event, pressed) {
  if (event.target instanceof Element && event.target.closest("#commands")) return;
  const isBubble = document.getElementById("why-not") !== null;
  const open = closers().at(-1);
  hideWhyNot();
  if (!isBubble && open) pressed(open);
  if (isBubble || open) event.preventDefault();
}

/** A guard against double taps: a call returns whether the one before is under 600 ms ago. */
export function doubleTapGuard() {
  let last = -SLIP;
  return () => {
    const before = last;
    last = performance.now();
    return last - before < SLIP;
  };
}
const SLIP = 600;

/**
 * A guard of what asks "Sure?": each call, with whether the question is open, returns whether this
 * press answers it and is not the second half of a double tap.
 */
export function secondPress() {
  const isSlip = doubleTapGuard();
  /** @param {boolean} isAsked */
  return (isAsked) => !isSlip() && isAsked;
}

/** @param {any} target */
function nameAt(target) {
  const { action, arg, cell, whyNot: words } = target.closest(PRESSABLE)?.dataset ?? {};
  return action ? [action, arg].join(" ") : (cell ?? words);
}

/* ---- what a press is refused for ---- */

/** As long as a short sentence takes to read, and no longer: it covers a part of the page. */
const WHY_NOT_MS = 2000;
/** Pixels between the sentence and what was pressed, and the edge of the page. */
const GAP = 8;
let hiding = 0;

/** Remove the sentence of a refused press. */
export function hideWhyNot() {
  clearTimeout(hiding);
  document.getElementById("why-not")?.remove();
}

/**
 * Show `words` above a refused element, below it where there is no room, and shake it. The page is
 * not drawn for it, so nothing else moves. It is read aloud, and a browser's translator gets it,
 * only where no secret is in the page.
 * @param {any} element @param {string} words
 */
function showWhyNot(element, words) {
  const isSecret = document.querySelector(".secret") !== null;
  const bubble = Object.assign(document.createElement("p"), {
    id: "why-not",
    textContent: words,
    translate: !isSecret,
  });
  document.body.append(bubble);
  const { left, width, top, bottom } = element.getBoundingClientRect();
  const most = innerWidth - bubble.offsetWidth - GAP;
  const above = top - bubble.offsetHeight - GAP;
  bubble.style.left = `${Math.max(GAP, Math.min(most, left + (width - bubble.offsetWidth) / 2))}px`;
  bubble.style.top = `${above < GAP ? Math.min(bottom, innerHeight / 2) + GAP : above}px`;
  hiding = setTimeout(hideWhyNot, WHY_NOT_MS);
  if (!isSecret) announce([words]);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
    element.animate(
      { translate: ["0", "-4px", "4px", "-2px", "0"] },
      { duration: 240, easing: "ease-out" },
    );
}

/**
 * Places of a board are drawn, not buttons: Enter and Space press them, an arrow key goes to the
 * nearest one where it points. Tab goes to those that can be pressed, which a switch needs.
 * @param {any} event @param {(element: any) => void} pressed
 */
function byKey(event, pressed) {
  const place = event.target.closest?.("g[data-cell]");
  if (!place) return;
  const { key } = event;
  const isPress = key === "Enter" || key === " ";
  if (isPress || ARROWS[key]) event.preventDefault();
  if (isPress) pressed(place);
  if (!ARROWS[key]) return;
  const places = [...place.ownerSVGElement.querySelectorAll("g[data-cell]")];
  nearest(place, places, ARROWS[key]).focus();
}

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest place on the screen within 45 degrees of a direction, `place` itself without one. By
 * the sum of the distances along both axes every place is reached from every other one: no step
 * leads away from a place in that quarter.
 * @param {any} place @param {any[]} places @param {number[]} direction
 */
function nearest(place, places, [across, down]) {
  const [left, top] = middle(place);
  let [next, least] = [place, Infinity];
  for (const each of places) {
    const [x, y] = middle(each);
    const along = (x - left) * across + (y - top) * down;
    const aside = Math.abs((x - left) * down + (y - top) * across);
    if (along > 0 && along >= aside && along + aside < least) [next, least] = [each, along + aside];
  }
  return next;
}

/** The middle of a place: that of its first shape, others stand beside it. @param {any} place */
function middle(place) {
  const { x, y, width, height } = place.firstElementChild.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}
