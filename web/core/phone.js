/**
 * What all phones of seats have in common: sending, the actions of everybody, and looking at what only one may see. That
 * exists in the page only while it is looked at, and leaves with every loss of attention: some time after the last press,
 * with the release of a hold, on blur, and the page is emptied when it is put away.
 */
import { button, deviceButtons, seatButtons, undoButton } from "./controls.js";
import { canStart, scene } from "./snapshot.js";
import { watchHands } from "./press.js";
import { h } from "./dom.js";
import { text } from "./i18n.js";

const LOOK_MS = 8000;

/** Return what asks the table for a phone: it keeps the refusal in `phone[place]`, and what is this seat's alone. */
export const sending =
  (phone, ask) =>
  async (what, args = {}, place = "notice") => {
    const reply = await ask(what, args);
    phone[place] = reply.ok ? null : reply.message;
    if (reply.private) phone.secret = reply.private;
  };

/** Return the actions that every seat has, by the names of their buttons. */
export const seatActions = (send) => ({
  undo: () => send("undo"),
  agree: () => send("consent", { agree: true }),
  refuse: () => send("consent", { agree: false }),
  start: () => send("start"),
  again: () => send("again"),
  draw: () => send("draw"),
  replay: () => location.assign("/replay#seat"),
});

/**
 * Return the parts of a phone that looks: {phone, send, actions, reveal, hide, toggle, draw, update, linked}.
 * `fresh()`: what a covered phone and a new position begin with; `renewed(phone)`: the same for a new position where it differs;
 * `page(phone)` describes the page once `isReady(snapshot)`, for which `ready(snapshot)` waits.
 * @param {{
 *   seat: string, ask: any, show: (trees: any[]) => void, fresh: () => any, renewed?: (phone: any) => any,
 *   isReady?: (snapshot: any) => boolean, ready?: ((snapshot: any) => Promise<void> | null) | null, page: (phone: any) => any,
 * }} parts
 */
export function secretPhone({
  seat,
  ask,
  show,
  fresh,
  renewed = fresh,
  isReady = (snapshot) => snapshot !== null,
  ready = null,
  page,
}) {
  const phone = {
    seat,
    snapshot: null,
    secret: null,
    look: null,
    isLost: false,
    notice: null,
    truth: null,
    ...fresh(),
  };
  const draw = drawing({ phone, isReady, ready, page, show });
  const looks = looking({ phone, ms: LOOK_MS, forgotten: fresh, draw, show });
  const send = sending(phone, ask);
  return {
    phone,
    send,
    ...looks,
    draw,
    actions: { ...seatActions(send), truth: () => askProof(phone) },
    update(snapshot, secret) {
      if (phone.snapshot?.position !== snapshot.position)
        Object.assign(phone, { notice: null }, renewed(phone));
      Object.assign(phone, {
        snapshot,
        secret: secret ?? phone.secret,
        truth: scene(snapshot) === "over" ? phone.truth : null,
      });
      return document.hidden ? null : draw();
    },
    linked(isUp) {
      phone.isLost = !isUp;
      if (!document.hidden) draw();
    },
  };
}

/**
 * What draws `page(phone)` once all its words are there, and answers when it has. A phone that is covered before shows
 * nothing during that: what was looked at leaves at once, however long words take.
 */
function drawing({ phone, isReady, ready, page, show }) {
  let isBare = false;
  return async function draw() {
    if (!phone.snapshot) return;
    if (isReady(phone.snapshot)) {
      isBare = phone.look !== null;
      show([page(phone)]);
      return;
    }
    if (isBare && phone.look === null) {
      isBare = false;
      show([]);
    }
    await ready(phone.snapshot);
    await draw();
  };
}

/**
 * Keep `phone.look`: null, "tap" (for `ms` after the last press) or "hold". `forgotten()` is what a phone that is covered
 * knows no more of what was chosen on it. Answers {reveal(how), hide, toggle}.
 */
function looking({ phone, ms, forgotten, draw, show }) {
  let timer = 0;
  const cover = () => {
    clearTimeout(timer);
    Object.assign(phone, { look: null }, forgotten());
  };
  const hide = () => {
    cover();
    draw();
  };
  const empty = () => {
    cover();
    show([]);
  };
  const reveal = (how) => {
    clearTimeout(timer);
    if (how === "tap") timer = setTimeout(hide, ms);
    phone.look = how;
    draw();
  };
  watchHands({ phone, reveal, hide });
  document.addEventListener("visibilitychange", () => (document.hidden ? empty() : hide()));
  addEventListener("pagehide", empty);
  addEventListener("pageshow", hide);
  addEventListener("blur", hide);
  return { reveal, hide, toggle: () => (phone.look === null ? reveal("tap") : hide()) };
}

/** What proves the game that is over, described once it was asked for. `phone.truth` is null until then, and after it. */
export async function askProof(phone) {
  const { fetchProof, proofList } = await import("../proof/verdict.js");
  const told = await fetchProof();
  phone.truth = told && (() => proofList(told));
}

/** The proof of a game that is over, or the button that asks for it. */
export const proof = ({ truth }) => truth?.() ?? button("truth", text("end.truth"));

/** What stays in place under both pages: a hand holds here while the other one taps above. `name` is the toggle's action. */
export function stack({ look }, more, name = "reveal") {
  return h(
    "div",
    { class: "stack" },
    h(
      "button",
      { id: "hold", type: "button", class: "hold" },
      text(look === "hold" ? "hold.stay" : "hold"),
    ),
    h(
      "div",
      { class: "row" },
      button(name, text(look === null ? "hold.tap" : "hold.hide"), { id: name }),
      more,
    ),
  );
}

/** What a phone with a hand may always press: to start, to take back, to play again after `atEnd`; its language, and in a game the rules. */
export function footButtons({ snapshot }, ...atEnd) {
  const now = scene(snapshot);
  return [
    now === "lobby"
      ? button("start", text("start"), {
          class: "prime",
          "aria-disabled": canStart(snapshot) ? null : "true",
        })
      : now === "over"
        ? [atEnd, button("again", text("end.again"))]
        : undoButton(snapshot, true),
    h("div", { class: "row" }, now === "lobby" || now === "over" ? deviceButtons() : seatButtons()),
  ];
}

/** The same where nothing is hidden. */
export const openStack = (phone, ...atEnd) =>
  h("div", { class: "stack" }, h("div", { class: "row" }, footButtons(phone, ...atEnd)));
