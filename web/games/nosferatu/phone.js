/** The phone of a side that hides nothing: the field, what it may do, and what everybody is asked. */
import {
  button,
  consentPanel,
  deviceButtons,
  drawButton,
  endButtons,
  ownCode,
  rulesLink,
  seatButtons,
  undoButton,
} from "../../core/controls.js";
import { seatActions, sending } from "../../core/phone.js";
import { ACTIONS, counts, task, field, finale, offers, tapped } from "./table.js";
import { canStart, isOff, scene, announcedEvents } from "../../core/snapshot.js";
import { h } from "../../core/dom.js";
import { message, seatChip, text } from "../../core/i18n.js";

/** Open the page: `ask` the table, `show` descriptions. Answers {update, pressed, linked, draw}. */
export function openPhone({ seat, ask, show }) {
  const phone = {
    /** @type {any} */
    snapshot: null,
    ui: { pawn: null, landing: null, focus: null },
    notice: null,
    isLost: false,
  };
  const draw = () => phone.snapshot && show([page(phone, seat)]);
  const send = sending(phone, ask);
  const submit = (action) => {
    Object.assign(phone.ui, { pawn: null, landing: null });
    return send("submit", { actions: [action] });
  };
  const actions = seatActions(send);
  return {
    draw,
    update(snapshot) {
      if (phone.snapshot?.position !== snapshot.position)
        Object.assign(phone.ui, { pawn: null, landing: null });
      phone.snapshot = snapshot;
      draw();
    },
    async pressed(action, cell) {
      const [name, argument] = (action ?? "").split("-");
      const wanted = cell
        ? tapped(phone.snapshot, cell, phone.ui)
        : ACTIONS[name]?.({ snapshot: phone.snapshot, ui: phone.ui }, argument);
      if (wanted?.submit) await submit(wanted.submit);
      else if (wanted) Object.assign(phone.ui, { focus: cell, landing: null }, wanted);
      else await actions[name]?.();
      draw();
    },
    linked(isUp) {
      phone.isLost = !isUp;
      draw();
    },
  };
}

function page(phone, seat) {
  const { snapshot, ui, notice } = phone;
  const now = scene(snapshot);
  const isMine = now === "turn" && snapshot.to_move === seat;
  const table = { snapshot, ui, can: isMine };
  return h(
    "main",
    { class: "nosferatu-phone" },
    now === "over"
      ? finale(snapshot)
      : h("h1", { id: "banner", class: `stripe${isMine ? ` ${seat}` : ""}` }, seatChip(seat)),
    status(phone, now, isMine),
    now === "lobby"
      ? [h("p", {}, text("lobby.seated")), ownCode(), rulesLink(snapshot)]
      : [
          consentPanel(snapshot, seat),
          isOff(snapshot.board) && h("p", { id: "look" }, text("board.look")),
          notice && h("p", { class: "bad", id: "notice" }, message(notice)),
          field(table),
          counts(snapshot.view),
          isMine && h("div", { class: "row", id: "choices" }, offers(table)),
          h(
            "ol",
            { class: "clues", id: "log" },
            announcedEvents(snapshot.log)
              .slice(-3)
              .reverse()
              .map((entry) => h("li", {}, message(entry.message))),
          ),
        ],
    h(
      "div",
      { class: "foot row" },
      now === "over" && endButtons(),
      now === "turn" ? seatButtons() : deviceButtons(),
      now === "lobby" &&
        button("start", text("start"), {
          class: "prime",
          "aria-disabled": canStart(snapshot) ? null : "true",
        }),
      now === "turn" && undoButton(snapshot),
      now === "turn" && drawButton(snapshot),
    ),
  );
}

/** What may be done now, or who is to move; a lost link before all. */
function status({ snapshot, ui, isLost }, now, isMine) {
  const words = isLost
    ? text("link.again")
    : now !== "turn"
      ? ""
      : isMine
        ? [h("b", {}, text("turn.mine")), " · ", task(snapshot, ui)]
        : text("turn.wait", { seat: snapshot.to_move });
  return h("p", { id: "task", class: isMine ? "mine" : now === "turn" ? "waits" : null }, words);
}
