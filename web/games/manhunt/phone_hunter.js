/** A hunter's phone. It shows public things only; whatever it can do, the display can do too. */
import "./names.js";
import { card } from "./card.js";
import { ACTIONS, clues, counts, task, endWords, offers, tapped, travels } from "./turn.js";
import { field, finale } from "./table.js";
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
import { isLookedUp, lookUp } from "../../core/reference.js";
import { canStart, isOff, isOnPaper, isSealed, scene } from "../../core/snapshot.js";
import { proof, askProof, seatActions, sending } from "../../core/phone.js";
import { h } from "../../core/dom.js";
import { message, seatChip, text } from "../../core/i18n.js";

const fresh = () => ({ pawn: null, sheet: null, aim: null, isArresting: false });

/** Open the page: `ask` the table, `show` descriptions. Answers {update, pressed, linked, draw}. */
export function open({ seat, ask, show }) {
  const phone = {
    seat,
    /** @type {any} */
    snapshot: null,
    ui: { ...fresh(), zoom: 1 },
    notice: null,
    isLost: false,
    truth: null,
  };
  const draw = async () => {
    if (!phone.snapshot) return;
    if (!isLookedUp(phone.snapshot)) await lookUp(phone.snapshot);
    show([page(phone, seat)]);
  };
  const send = sending(phone, ask);
  const actions = { ...seatActions(send), truth: () => askProof(phone) };
  return {
    draw,
    update(snapshot) {
      if (phone.snapshot?.position !== snapshot.position) {
        Object.assign(phone.ui, { sheet: null, aim: null, isArresting: false });
        phone.notice = null;
      }
      phone.snapshot = snapshot;
      return draw();
    },
    async pressed(action, cell) {
      const [name, ...rest] = (action ?? "").split("-");
      const argument = rest.join("-");
      const wanted = cell
        ? tapped(phone.snapshot, cell, phone.ui)
        : ACTIONS[name]?.({ snapshot: phone.snapshot, ui: phone.ui }, argument);
      if (wanted) {
        const { submit, ...chosen } = wanted;
        Object.assign(phone.ui, chosen);
        if (submit) await send("submit", { actions: [submit] });
      } else if (!cell) await actions[name]?.();
      await draw();
    },
    linked(isUp) {
      phone.isLost = !isUp;
      return draw();
    },
  };
}

function page(phone, seat) {
  const { snapshot, ui, notice } = phone;
  const now = scene(snapshot);
  const isMine = now === "turn" && snapshot.to_move === seat;
  return h(
    "main",
    { class: "manhunt-phone" },
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
          field({ snapshot, ui, can: isMine }),
          isMine && h("div", { class: "row", id: "choices" }, offers(snapshot, ui)),
          travels(snapshot.view, 5),
          counts(snapshot.view),
          h(
            "ol",
            { class: "clues", id: "log" },
            clues(snapshot.log)
              .slice(-3)
              .reverse()
              .map((entry) => h("li", {}, message(entry.message))),
          ),
          now === "over" && isSealed(snapshot) && proof(phone),
          card(),
        ],
    footButtons(phone, now, isMine),
  );
}

function footButtons({ snapshot, ui }, now, isMine) {
  const canEnd = isMine && snapshot.legal.some(({ type }) => type === "look");
  return h(
    "div",
    { class: "foot row" },
    now === "over" &&
      isOnPaper(snapshot) &&
      h("a", { class: "button", id: "paper", href: "/paper" }, text("paper.look")),
    now === "over" && endButtons(),
    isMine &&
      button("look", endWords(snapshot.view), {
        class: "prime",
        "aria-disabled": canEnd ? null : "true",
      }),
    now !== "lobby" &&
      button("zoom", `${ui.zoom}×`, {
        class: "narrow",
        "aria-label": text("zoom", { n: ui.zoom }),
      }),
    now === "lobby" || now === "over" ? deviceButtons() : seatButtons(),
    now === "lobby" &&
      button("start", text("start"), {
        class: "prime",
        "aria-disabled": canStart(snapshot) ? null : "true",
      }),
    now === "turn" && undoButton(snapshot, true),
    now === "turn" && drawButton(snapshot),
  );
}

/** What may be done now, or who is to move; a lost link before all. */
function status({ snapshot, ui, isLost }, now, isMine) {
  const words = isLost
    ? text("link.again")
    : now === "choosing"
      ? text("fugitive.hides")
      : now === "night"
        ? text("fugitive.moves")
        : now !== "turn"
          ? ""
          : isMine
            ? [h("b", {}, text("turn.mine")), " · ", task(snapshot, ui)]
            : text("turn.theirs", { seat: snapshot.to_move });
  return h("p", { id: "task", class: isMine ? "mine" : now === "turn" ? "waits" : null }, words);
}
