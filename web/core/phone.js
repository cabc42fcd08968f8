/** What all phones of seats have in common: sending, the actions of everybody, and looking at what only one may see. */
import { askProof, drawing, looking } from "./reveal.js";
import { scene } from "./snapshot.js";

const LOOK_MS = 8000;

/** Return what asks the table for a phone: it keeps the refusal in `phone[place]`, and what is this seat's alone. */
export const sending =
  (phone, ask) =>
  async (what, args = {}, place = "notice") => {
    const reply = await ask(what, args);
    phone[place] = reply.ok ? null : reply.said;
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
 * `page(phone)` describes the page once `isReady(picture)`, for which `ready(picture)` waits.
 */
export function secretPhone({
  seat,
  ask,
  show,
  fresh,
  renewed = fresh,
  isReady = () => true,
  ready = null,
  page,
}) {
  const phone = {
    seat,
    picture: null,
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
    update(picture, secret) {
      if (phone.picture?.position !== picture.position)
        Object.assign(phone, { notice: null }, renewed(phone));
      Object.assign(phone, {
        picture,
        secret: secret ?? phone.secret,
        truth: scene(picture) === "over" ? phone.truth : null,
      });
      return document.hidden ? null : draw();
    },
    linked(isUp) {
      phone.isLost = !isUp;
      if (!document.hidden) draw();
    },
  };
}
