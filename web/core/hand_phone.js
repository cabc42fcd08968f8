/** The phone of a player with a hand, beside `secretPhone`. */
import {
  button,
  deviceButtons,
  drawButton,
  endButtons,
  keptCode,
  seatButtons,
  startButton,
  undoButton,
} from "./controls.js";
import { secretPhone, stack } from "./phone.js";
import { phaseOf } from "./snapshot.js";
import { h } from "./dom.js";
import { seatChip, text } from "./i18n.js";

/**
 * Open such a phone: `request` sends, `show` draws. Returns {update, pressed, linked, draw, hide}.
 * Of the game: `choices` are the initial ones of this page, of which `keep(choices)` stay after a
 * move; `intentOf(phone, press)` is what a press in a game means, null for a press of
 * `actions(phone, send)` or of every seat; an intent with `isLast` covers the page once it is done.
 * `toggle`: the action that shows and covers the secret.
 * @param {SeatPage} parts
 * @param {HandGame} game
 */
export function handPhone({ seat, request, show }, game) {
  const { choices, keep = () => ({}), intentOf, page, isReady, ready } = game;
  const base = secretPhone({
    seat,
    request,
    show,
    initialState: () => ({ ui: { ...choices } }),
    resetOnMove: ({ ui }) => ({ ui: { ...choices, ...keep(ui) } }),
    isReady,
    ready,
    page,
  });
  const { phone, send, hide, draw } = base;
  /** @type {ActionTable} */
  const actions = {
    ...base.actions,
    ...game.actions?.(phone, send),
    [game.toggle ?? "reveal"]: base.toggle,
  };
  return {
    ...base,
    /** @param {Press} press */
    async pressed(press) {
      const intent = phone.snapshot.phase === "play" ? intentOf(phone, press) : null;
      if (intent) {
        const { submit, isLast, ...others } = intent;
        Object.assign(phone.ui, others);
        if (submit) await send("submit", { actions: [submit].flat() });
        if (submit && isLast && !phone.refusal) hide();
      } else await actions[press.action]?.(press.argument);
      draw();
    },
  };
}

/**
 * Whether a phone has something to cover: in the lobby a code that the table drew, in a game what
 * `isSecret`.
 * @param {Snapshot} snapshot @param {boolean} isSecret
 */
export const hasCover = ({ phase }, isSecret) =>
  phase === "lobby" ? keptCode() !== null : isSecret;

/**
 * The buttons below the page, with the one to hold if there is something to cover.
 * @param {Phone} phone @param {boolean} isCoverable @param {string} [toggle]
 */
export function handStack(phone, isCoverable, toggle) {
  const buttons = footButtons(phone);
  return isCoverable ? stack(phone, buttons, toggle) : h("div.stack", h("div.row", buttons));
}

/**
 * The heading of a seat's page, in the seat's colour while it is to move: its name, a lost link or
 * `aside`, and `words` about what it is to do.
 * @param {{seat: string, isLost: boolean, snapshot: Snapshot}} phone @param {Child} words
 * @param {Child} [aside]
 */
export function seatBanner({ seat, isLost, snapshot }, words, aside = "") {
  const isMine = snapshot.phase === "play" && snapshot.to_move === seat;
  return h(
    "header#banner.stripe.turn",
    { class: isMine ? `mine ${seat}` : null },
    h("h1", seatChip(seat)),
    h("span.small", isLost ? text("link.again") : aside),
    words && h("p#task", { class: isMine ? "mine" : null }, words),
  );
}

/**
 * The heading of a seat's open page: its name over a stripe, and a lost link.
 * @param {{seat: string, isLost: boolean}} phone
 */
export const seatStripe = ({ seat, isLost }) =>
  h(
    "h1#banner.stripe",
    { class: `under-${seat}` },
    seatChip(seat),
    h("span.small", isLost && text("link.again")),
  );

/**
 * The proof of a game that is over, or the button that asks for it.
 * @param {{truth: (() => Child) | null}} phone
 */
export const proof = ({ truth }) => truth?.() ?? button("truth", text("end.proof"));

/**
 * The buttons that a phone with a hand always has: start, undo and a draw, those after the end; its
 * language, and in a game the rules.
 * @param {{snapshot: Snapshot, isSure?: boolean}} phone
 */
function footButtons({ snapshot, isSure = false }) {
  const now = phaseOf(snapshot);
  return [
    now === "lobby"
      ? startButton(snapshot)
      : now === "over"
        ? endButtons()
        : [undoButton(snapshot, true), drawButton(snapshot, isSure)],
    h("div.row", now === "lobby" || now === "over" ? deviceButtons() : seatButtons()),
  ];
}
