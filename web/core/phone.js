/**
 * Common parts of all seats' phones: sending, actions of every seat, looking at secrets, and
 * planning a secret turn. A secret is in the page only while its player looks, and is removed some
 * time after the last press, with the release of a hold, and on blur; the page is emptied when it
 * is hidden.
 */
import { button, CLOSES, endButtons, hideWhyNot, secondPress } from "./controls.js";
import { isAmongBots, isOnPaper, isSealed, phaseOf } from "./snapshot.js";
import { PLAN, readStored, store, TAB } from "./browser.js";
import { focusOn, h } from "./dom.js";
import { message, text } from "./i18n.js";

/** As long as two steps of a night are planned without haste; each press begins it again. */
const LOOK_MS = 20_000;

/**
 * Return `request` whose late replies have no private part: the stream has brought a newer one.
 * @param {any} phone @param {SendRequest} request @returns {SendRequest}
 */
const dropLateSecret =
  (phone, request) =>
  async (...args) => {
    const from = phone.snapshot?.position;
    const reply = await request(...args);
    return phone.snapshot?.position === from ? reply : { ...reply, private: null };
  };

/**
 * Where a refusal of what is pressed now is shown: under the hold or on the open page, as the press
 * was. One of a secret action would disclose something on the open page.
 * @param {Phone} phone
 */
const placeOfRefusal = ({ look }) => (look === null ? "notice" : "refusal");

/**
 * Return the function that sends a phone's requests; it stores a refusal where it was pressed, and
 * the seat's private part.
 * @param {Phone} phone @param {SendRequest} request
 */
const newSend =
  (phone, request) =>
  /** @param {string} what @param {Record<string, unknown>} [args] */
  async (what, args = {}) => {
    const place = placeOfRefusal(phone);
    const reply = await dropLateSecret(phone, request)(what, args);
    phone[place] = reply.ok ? null : reply.message;
    if (reply.private) phone.secret = reply.private;
  };

/**
 * Return the actions that every seat has, by the names of their buttons.
 * @param {Phone} phone
 * @param {(what: string, args?: Record<string, unknown>) => Promise<void>} send
 * @returns {Record<string, () => unknown>}
 */
const seatActions = (phone, send, isSecond = secondPress()) => ({
  undo: () => send("undo"),
  agree: () => send("vote", { agree: true }),
  refuse: () => send("vote", { agree: false }),
  start: () => send("start"),
  draw: () => {
    phone.isSure = isAmongBots(phone.snapshot) && !isSecond(phone.isSure);
    return phone.isSure ? null : send("draw");
  },
  replay: () => location.assign("/replay#seat"),
  truth: () => proveGame(phone),
});

/**
 * Return the parts of a phone with a public page: {phone, send, actions, draw, update, linked}.
 * `initialState()`: its initial values; `resetOnMove(phone)`: those that a new position sets again;
 * `page(phone)` describes the page once `isReady(snapshot)`, for which `ready(snapshot)` waits;
 * `canDraw()`: whether it is drawn at all.
 * @param {{
 *   seat: string, request: any, show: (trees: any[]) => void, initialState: () => any, resetOnMove?: (phone: any) => any,
 *   isReady?: (snapshot: any) => boolean, ready?: ((snapshot: any) => Promise<void> | null) | null, page: (phone: any) => any,
 *   canDraw?: () => boolean,
 * }} parts
 */
export function seatPhone({
  seat,
  request,
  show,
  initialState,
  resetOnMove = initialState,
  isReady = (snapshot) => snapshot !== null,
  ready = null,
  page,
  canDraw = () => true,
}) {
  const phone = {
    seat,
    snapshot: null,
    secret: null,
    look: null,
    isLost: false,
    notice: null,
    refusal: null,
    truth: null,
    isSure: false,
    ...initialState(),
  };
  const draw = newDraw({ phone, isReady, ready, page, show });
  const send = newSend(phone, request);
  return {
    phone,
    send,
    draw,
    actions: seatActions(phone, send),
    /** @param {Snapshot} snapshot @param {Secret | null} secret */
    update(snapshot, secret) {
      if (phone.snapshot?.position !== snapshot.position)
        Object.assign(phone, { notice: null, refusal: null, isSure: false }, resetOnMove(phone));
      Object.assign(phone, {
        snapshot,
        secret: secret ?? phone.secret,
        truth: phaseOf(snapshot) === "over" ? phone.truth : null,
      });
      return canDraw() ? draw() : null;
    },
    /** @param {boolean} isUp */
    linked(isUp) {
      phone.isLost = !isUp;
      if (canDraw()) draw();
    },
  };
}

/**
 * Return the parts of a phone with secrets: those of `seatPhone` and {reveal, hide, cover, toggle}.
 * Covering it sets `parts.initialState()` again.
 * @param {Parameters<typeof seatPhone>[0]} parts
 */
export function secretPhone(parts) {
  const base = seatPhone({ ...parts, canDraw: () => !document.hidden });
  const { phone, draw } = base;
  const { initialState, show } = parts;
  const looking = watchLook({ phone, ms: LOOK_MS, resetOnCover: initialState, draw, show });
  return {
    ...base,
    ...looking,
    /** @param {Snapshot} snapshot @param {Secret | null} secret */
    update(snapshot, secret) {
      // After the end nothing is covered, and no hold is left to release.
      if (phaseOf(snapshot) === "over" && phone.look !== null) looking.cover();
      return base.update(snapshot, secret);
    },
  };
}

/**
 * Return the function that draws `page(phone)` once all its words are loaded. A phone that is
 * covered before that shows nothing: the secret is removed at once, independent of the loading
 * time.
 * @param {PhoneParts} phoneParts
 */
function newDraw({ phone, isReady, ready, page, show }) {
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
 * Keep `phone.look`: null, "tap" (for `ms` after the last press) or "hold". `resetOnCover()` returns
 * the choices that covering resets. Returns {reveal(how), hide, toggle}, and
 * `cover`, which hides without drawing.
 * @param {LookParts} parts
 */
function watchLook({ phone, ms, resetOnCover, draw, show }) {
  let timer = 0;
  const cover = () => {
    clearTimeout(timer);
    hideWhyNot();
    Object.assign(phone, { look: null, refusal: null }, resetOnCover());
  };
  const hide = () => {
    cover();
    draw();
  };
  const empty = () => {
    cover();
    show([]);
  };
  /** @param {string} how */
  const reveal = (how) => {
    clearTimeout(timer);
    if (how === "tap") timer = setTimeout(hide, ms);
    phone.look = how;
    draw();
    // The ring shows the time since this press.
    /** @type {any[]} */
    const running = document.getAnimations?.() ?? [];
    for (const each of running) if (each.animationName === "time-left") each.currentTime = 0;
  };
  watchHands({ phone, reveal, hide });
  document.addEventListener("visibilitychange", () => (document.hidden ? empty() : hide()));
  addEventListener("pagehide", empty);
  addEventListener("pageshow", hide);
  addEventListener("blur", hide);
  return { reveal, hide, cover, toggle: () => (phone.look === null ? reveal("tap") : hide()) };
}

/**
 * Look while a finger or a key rests on #hold. The button is the same node in both pages, so it
 * gets the release.
 * @param {{phone: {look: string | null}, reveal: (how: string) => void, hide: () => void}} parts
 */
export function watchHands({ phone, reveal, hide }) {
  /** @type {number?} */
  let finger = null;
  /** @type {string?} */
  let key = null;
  /** @param {any} event */
  const isHold = (event) => event.target.closest?.("#hold");
  document.addEventListener("pointerdown", (event) => {
    if (!isHold(event)) return;
    finger = event.pointerId;
    reveal("hold");
  });
  for (const end of ["pointerup", "pointercancel"]) {
    /** @param {any} event */
    const lift = (event) => {
      if (event.pointerId !== finger || finger === null) return;
      finger = null;
      hide();
    };
    document.addEventListener(end, lift);
  }
  document.addEventListener("contextmenu", (event) => event.preventDefault());
  // Each press restarts the time, whatever it means: the ring shows from afar only that it was made.
  for (const press of ["pointerdown", "keydown", "click"])
    document.addEventListener(press, () => phone.look === "tap" && reveal("tap"));
  // After looking by key move the focus to the secret: the next Tab would leave the page, and cover
  // it.
  document.addEventListener("click", ({ detail, target }) => {
    const isToggle = target instanceof Element && ["reveal", "look"].includes(target.id);
    if (detail === 0 && isToggle && phone.look === "tap")
      focusOn(".secret [tabindex='0'], .secret button");
  });
  document.addEventListener("keydown", (event) => {
    if (!isHold(event) || ![" ", "Enter"].includes(event.key) || phone.look !== null) return;
    key = event.key;
    reveal("hold");
  });
  const release = () => {
    key = null;
    hide();
  };
  // The focus may have left the button before the key is released.
  document.addEventListener("keyup", (event) => {
    if (event.key === key || (isHold(event) && [" ", "Enter"].includes(event.key))) release();
  });
  document.addEventListener("focusout", (event) => key !== null && isHold(event) && release());
}

/**
 * Prove the finished game and store the function that describes the result in `phone.truth`, which
 * is null before.
 * @param {Phone} phone
 */
async function proveGame(phone) {
  const { fetchProof, proofList } = await import("../proof/verdict.js");
  const result = await fetchProof();
  phone.truth = result && (() => proofList(result));
}

/**
 * The buttons after the end of a game without hands: the replay, another game, the proof, and the
 * path on paper.
 * @param {{snapshot: Snapshot, truth: unknown}} phone
 */
export const finalButtons = ({ snapshot, truth }) => [
  ...endButtons(),
  isSealed(snapshot) && !truth && button("truth", text("end.proof")),
  isOnPaper(snapshot) && h("a#paper.button", { href: "/paper" }, text("paper.look")),
];

/**
 * The controls that stay in place under both pages: one hand holds here while the other one taps
 * above. After the end nothing is to hold. `name` is the toggle's action.
 * @param {{look: string | null, snapshot: Snapshot}} phone @param {Child} more
 * @param {string} [name]
 */
export function stack({ look, snapshot }, more, name = "reveal") {
  if (phaseOf(snapshot) === "over") return h("div.stack", h("div.row", more));
  return h(
    "div.stack",
    h(
      "button#hold.hold",
      { type: "button" },
      text(look === "hold" ? "hold.stay" : "hold"),
      look === null && h("small", text("hold.only")),
    ),
    h(
      "div.row",
      button(name, [look === "tap" && LEFT, text(look === null ? "hold.tap" : "hold.hide")], {
        id: name,
        ...(look === "tap" && CLOSES),
      }),
      more,
    ),
  );
}

/** A half of the ring of the time that is left: it turns out of its frame. */
const half = h("svg", { x: 0, y: -12, width: 12, height: 24, viewBox: "0 -12 12 24" }, [
  h("path", { d: "M0-9A9 9 0 0 1 0 9" }),
]);

/** The time that is left of a look, as a ring that runs down: the right half first, then the left. */
const LEFT = h(
  "svg.time-left",
  { viewBox: "-12 -12 24 24", "aria-hidden": "true" },
  half,
  h("g", { transform: "rotate(180)" }, half),
);

/** The last of these entries of the log, the newest first. @param {LogEntry[]} entries */
export const lastEntries = (entries, most = 3) =>
  h(
    "ol#log.clues",
    entries
      .slice(-most)
      .reverse()
      .map((entry) => h("li", message(entry.message))),
  );

/* ---- a secret turn, planned step by step and submitted whole ---- */

/** The actions of a covered phone. */
const COVERED = ["reveal", "agree", "refuse", "truth", "replay", "again", "start"];
const UNPLANNED = { draft: [], seen: null, sheet: null, sure: null, refusal: null, note: null };

/** The turn of a plan; the last seal tells two games' nights apart. @param {Snapshot} snapshot */
const turnOf = ({ game, night, seal }) => [game, night?.number, seal?.seal].join();

/** Whether a draft is of the present turn. @param {Snapshot | null} before @param {Snapshot} now */
const isSameTurn = (before, now) =>
  before?.secret === now.secret &&
  before?.view?.round === now.view?.round &&
  before?.view?.placed === now.view?.placed;

/**
 * Whether the phone's seat plans its secret turn now.
 * @param {{seat: string, snapshot: Snapshot, secret: Secret | null, isSent: boolean}} phone
 */
export const isPlanning = ({ seat, snapshot, secret, isSent }) =>
  Boolean(
    snapshot.secret &&
    snapshot.to_move === seat &&
    !secret?.submitted &&
    !isSent &&
    !snapshot.outcome,
  );

/**
 * Whether the seat chooses its start: such an action replaces the planned one.
 * @param {{secret: Secret, start: string}} phone
 */
export const isPlacing = ({ secret, start }) => secret.legal.some(({ type }) => type === start);

/**
 * The actions that may follow the planned ones.
 * @param {{secret: Secret, seen: any}} phone @returns {any[]}
 */
export const legalOf = ({ secret, seen }) => seen?.legal ?? secret.legal;

/** @param {{to?: any, cell?: any}} action */
export const cellOf = (action) => action.to ?? action.cell;

/**
 * Return the parts of a phone that plans a secret turn: those of `secretPhone`, with {add, commit, place, back, pressed}.
 * `start`: the type of the action that chooses the start; `possible(phone)`: the actions that a
 * press may mean; `draftDefaults`: values that the game resets with a draft. `phone.draft` is the plan,
 * `phone.seen` the table's answer to it, `phone.sheet` the actions between which a press left a
 * choice, `phone.sure` the type of what the next press submits.
 * @param {Parameters<typeof seatPhone>[0] & {start: string, possible: (phone: any) => any[], draftDefaults?: any}} parts
 */
export function planningPhone(parts) {
  const { start, possible, draftDefaults = {} } = parts;
  const base = secretPhone(parts);
  const { phone, draw } = base;
  const forget = (changes = {}) => Object.assign(phone, UNPLANNED, draftDefaults, changes);
  forget({ start, isBusy: false, isSent: false });
  /** @param {Action[]} draft */
  const keep = (draft) => {
    const plan = draft.length ? JSON.stringify([turnOf(phone.snapshot), draft]) : null;
    store(PLAN, plan, TAB);
  };
  /** @param {string} what @param {Action[]} actions */
  const sendActions = async (what, actions) => {
    phone.isBusy = true;
    // It is sent at the next tick; until then the pressed control is marked.
    draw();
    const reply = await dropLateSecret(phone, parts.request)(what, { actions });
    phone.isBusy = false;
    if (!reply.ok)
      Object.assign(phone, { sheet: null, sure: null, ...draftDefaults, refusal: reply.message });
    return reply;
  };
  /** @param {Action[]} draft */
  const preview = async (draft) => {
    if (phone.isBusy) return null;
    const reply = await sendActions("preview", draft);
    if (!reply.ok) return reply;
    forget({ draft, seen: reply });
    keep(draft);
    return reply;
  };
  /**
   * Show the plan from before a reload again; the table answers it as if it were pressed. Without
   * an answer it stays for the next reload.
   */
  const restore = async () => {
    const [turn, draft] = JSON.parse(readStored(PLAN, TAB) ?? "[]");
    if (turn !== turnOf(phone.snapshot) || !isPlanning(phone)) return keep([]);
    const reply = await preview(draft);
    if (reply?.ok === false && !reply.isLost) {
      keep([]);
      forget({ note: { code: "plan_gone" } });
    }
    return draw();
  };
  /** @param {Action} action */
  const add = (action) => preview(action.type === start ? [action] : [...phone.draft, action]);
  return {
    ...base,
    add,
    /** @param {Action[]} actions */
    async commit(actions) {
      const reply = await sendActions("submit", actions);
      if (!reply.ok) return;
      forget({ isSent: true, secret: reply.private ?? phone.secret });
      keep([]);
    },
    /** @param {string} cell */
    async place(cell) {
      if (!isPlanning(phone)) return;
      const ways = possible(phone).filter((action) => cellOf(action) === cell);
      Object.assign(phone, { sure: null, sheet: ways.length > 1 ? ways : null });
      if (ways.length === 1) await add(ways[0]);
    },
    /** The table previews no empty list: without steps the plan is the state before the first. */
    back: () => {
      if (phone.draft.length > 1) return preview(phone.draft.slice(0, -1));
      if (phone.isBusy) return;
      forget();
      keep([]);
    },
    /** @param {Snapshot} snapshot @param {Secret | null} secret */
    update(snapshot, secret) {
      const isFirst = phone.snapshot === null;
      const isOther = !isSameTurn(phone.snapshot, snapshot);
      if (isOther) forget({ isSent: false });
      document.body.classList.toggle("cover", phaseOf(snapshot) !== "over");
      const drawn = base.update(snapshot, secret);
      if (isFirst) restore();
      else if (isOther) keep([]);
      return drawn;
    },
    /**
     * Return the handler of presses; a covered phone accepts only a few. `handle` executes one.
     * @param {OnPress} handle @returns {(press: Press) => Promise<void>}
     */
    pressed: (handle) => async (press) => {
      if (phone.look === null && !COVERED.includes(press.action)) return;
      await handle(press);
      draw();
    },
  };
}
