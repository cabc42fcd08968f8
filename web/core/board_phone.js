/**
 * The phone of a seat without secrets: the board, the legal actions, the open vote and
 * announcements.
 */
import {
  deviceButtons,
  drawButton,
  ownCode,
  rulesLink,
  seatButtons,
  startButton,
  undoButton,
  votePanel,
} from "./controls.js";
import { finalButtons, seatPhone } from "./phone.js";
import { isOff, phaseOf } from "./snapshot.js";
import { h } from "./dom.js";
import { message, seatChip, text } from "./i18n.js";

/**
 * Open such a phone: `request` sends, `show` draws. Returns {update, pressed, linked, draw}.
 * Of the game: `display` is its table display ({tapped, ACTIONS, finale, task}); `name` is the
 * page's class; `ui` the initial choices, of which a new position restores `resetOnMove`; `body(phone,
 * isMine)` describes the game below the vote, `foot(phone, isMine)` the buttons before
 * those of all games; `waits(snapshot)` is the sentence of a seat that waits.
 * @param {SeatPage} parts
 * @param {BoardGame} game
 */
export function openBoardPhone({ seat, request, show }, game) {
  const { display } = game;
  const base = seatPhone({
    seat,
    request,
    show,
    initialState: () => ({ ui: { ...game.ui } }),
    resetOnMove: (phone) => ({ ui: { ...phone.ui, ...game.resetOnMove } }),
    isReady: game.isReady,
    ready: game.ready,
    page: (phone) => page(phone, game),
  });
  const { phone, send, draw, actions } = base;
  /** @param {Press} press */
  const intentOf = ({ action, argument, cell }) =>
    cell
      ? { focus: cell, ...display.tapped(phone.snapshot, cell, phone.ui) }
      : display.ACTIONS[action]?.(phone, argument);
  return {
    ...base,
    /** @param {Press} press */
    async pressed(press) {
      const { submit, ...choices } = intentOf(press) ?? {};
      Object.assign(phone.ui, choices);
      if (submit) await send("submit", { actions: [submit] });
      else if (!press.cell && !(press.action in display.ACTIONS)) await actions[press.action]?.();
      await draw();
    },
  };
}

/** @param {Phone} phone @param {BoardGame} boardGame */
function page(phone, { name, display, body, foot, waits }) {
  const { seat, snapshot, notice, truth } = phone;
  const now = phaseOf(snapshot);
  const isMine = now === "turn" && snapshot.to_move === seat;
  return h(
    "main",
    { class: name },
    now === "over"
      ? display.finale(snapshot)
      : h("h1#banner", { class: `stripe${isMine ? ` ${seat}` : ""}` }, seatChip(seat)),
    h(
      "p#task",
      { class: isMine ? "mine" : ["lobby", "over"].includes(now) ? null : "waits" },
      sentence(phone, now, isMine, display.task, waits),
    ),
    now === "lobby"
      ? [h("p", text("lobby.seated")), ownCode(), rulesLink(snapshot)]
      : [
          votePanel(snapshot, seat),
          isOff(snapshot.board) && h("p#look", text("board.look")),
          notice && h("p#notice.bad", { role: "alert" }, message(notice)),
          body(phone, isMine),
          now === "over" && truth?.(),
        ],
    h("div.foot.row", foot(phone, isMine), footButtons(phone, now)),
  );
}

/**
 * Return what the seat may do now, or who is to move; a lost link first.
 * @param {Phone} phone @param {string} now @param {boolean} isMine
 * @param {BoardGame["display"]["task"]} task @param {BoardGame["waits"]} waits
 */
function sentence({ snapshot, ui, isLost }, now, isMine, task, waits) {
  if (isLost) return text("link.again");
  if (isMine) return [h("b", text("turn.mine")), " · ", task(snapshot, ui)];
  return now === "lobby" || now === "over" ? "" : waits(snapshot);
}

/** @param {Phone} phone @param {string} now */
function footButtons(phone, now) {
  const { snapshot } = phone;
  return [
    now === "over" && finalButtons(phone),
    now === "lobby" && startButton(snapshot),
    now === "lobby" || now === "over" ? deviceButtons() : seatButtons(),
    now === "turn" && [undoButton(snapshot, true), drawButton(snapshot, phone.isSure)],
  ];
}
