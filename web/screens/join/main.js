/**
 * Joining: scan, tap a seat, seated; or type the address, then the letters beside it. The part
 * after # in the address is never sent; the page reads it and removes it.
 */
import { button, lightButton, onPress, toggleTheme } from "../../core/controls.js";
import { languageButtons } from "../../core/language_buttons.js";
import { Channel } from "../../core/channel.js";
import { onInput } from "../../core/fields.js";
import { icon } from "../../core/icons.js";
import { gameOf, listedSeats, loadGame } from "../../games/index.js";
import { newest } from "../../core/loading.js";
import { store, timedFetch } from "../../core/browser.js";
import { subscribePublic } from "../../core/public_stream.js";
import { byId, h, render } from "../../core/dom.js";
import {
  chooseLanguage,
  followLanguage,
  loadGameWords,
  loadWords,
  message,
  seatChip,
  text,
  useSeats,
  useWordsOf,
  isSeat,
} from "../../core/i18n.js";

const KEY_LENGTH = 43;
const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{4}$/;
const [CODE_LENGTH, PIN_LENGTH] = [4, 4];

/** @type {any} Before the first update there is none. */
const none = null;
/** @type {JoinState} */
const join = {
  snapshot: none,
  channel: null,
  code: "",
  name: "",
  isIn: false,
  isWrong: false,
  seat: null,
  isBack: false,
  pin: "",
  drawnPin: null,
  isLooking: false,
  hasLooked: false,
  notice: null,
  isSitting: false,
};
/** The module of the three words, if this table uses them instead of digits. */
/** @type {any} */
let words = null;

async function begin() {
  await loadWords(null, "join");
  const fragment = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  join.code = fragment.slice(KEY_LENGTH).toUpperCase();
  join.channel = await Channel.open({
    server_key_b64url: fragment.slice(0, KEY_LENGTH) || undefined,
    storage: "seat-key",
  });
  const hello = await greet();
  if (isSeat(hello?.role)) return location.replace("/seat");
  if (hello?.snapshot?.phase === "lobby" && CODE.test(join.code)) await ensureAdmitted();
  onPress(document.body, pressed);
  // Another code was scanned in this tab.
  addEventListener("hashchange", () => location.hash && location.reload());
  onInput(({ id, value }) => {
    if (id === "code") typed(value.trim().toUpperCase());
    if (id === "name") join.name = value;
    if (id === "words") {
      join.pin = value;
      draw();
    }
  });
  followLanguage(draw);
  subscribePublic(
    newest(
      ({ snapshot }) => Promise.all([loadGame(snapshot.game), loadGameWords(snapshot.game)]),
      ({ snapshot }) => {
        useWordsOf(snapshot.game);
        join.snapshot = snapshot;
        useSeats(snapshot.seats);
        draw();
      },
    ),
    () => {},
  );
}

/** Send hello by the table's key on this phone; forget a key that the table no longer has. */
async function greet() {
  const hello = await request("hello");
  if (hello?.code === "unopened") Object.assign(join, { channel: null, code: "" });
  join.isIn = Boolean(hello?.admitted);
  if (hello?.recovery === "words") words ??= await readyForWords();
  return hello;
}

/** The channel for the letters of the code without a key of the table; null without a network. */
async function guestChannel() {
  try {
    return Channel.forGuest((await (await timedFetch("/join.json")).json()).admission);
  } catch {
    return null;
  }
}

/** @param {string} code */
async function typed(code) {
  Object.assign(join, { code, isWrong: false, notice: null });
  if (code.length === CODE_LENGTH) await ensureAdmitted();
  draw();
}

/** @param {string} what @param {Record<string, unknown>} [args] @param {any} [channel] */
const request = (what, args = {}, channel = join.channel) => channel?.ask(what, args);

/** Words are visible while a finger rests on the glass, and are removed with the page. */
async function readyForWords() {
  /** @param {boolean} isLooking */
  const look = (isLooking) => {
    if (!join.seat) return;
    Object.assign(join, { isLooking, hasLooked: join.hasLooked || isLooking });
    draw();
  };
  const phone = {
    get look() {
      return join.isLooking ? "hold" : null;
    },
  };
  const { watchHands } = await import("../../core/phone.js");
  watchHands({ phone, reveal: () => look(true), hide: () => look(false) });
  for (const event of ["blur", "pagehide"]) addEventListener(event, () => look(false));
  return import("./recovery.js");
}

const isWhole = () =>
  !words ? join.pin.length === PIN_LENGTH : join.isBack ? words.areWords(join.pin) : join.hasLooked;

function randomCode() {
  return words ? words.randomWords() : randomPin();
}

/** @param {string} name */
const isTaken = (name) => join.snapshot.seats.some(({ seat, taken }) => taken && seat === name);

function randomPin() {
  const digits = crypto.getRandomValues(new Uint16Array(PIN_LENGTH));
  return [...digits].map((digit) => digit % 10).join("");
}

/** @type {ActionTable} */
const ACTIONS = {
  async seat(seat) {
    const taken = isTaken(seat);
    if ((!taken || !join.channel) && !(await ensureAdmitted())) return;
    // The page of the seat would not find the key, and the seat would be taken.
    if (!join.channel?.isKept) return Object.assign(join, { notice: { code: "join.unkept" } });
    join.isBack = taken;
    if (hasSecret(seat) || taken)
      Object.assign(join, {
        seat,
        pin: taken ? "" : randomCode(),
        hasLooked: false,
        notice: null,
      });
    else {
      // A second request has the same code.
      const pin = (join.drawnPin ??= randomCode());
      return sit(seat, pin);
    }
  },
  digit: (digit) => {
    join.pin = (join.pin.length < PIN_LENGTH ? join.pin : "") + digit;
  },
  erase: () => {
    join.pin = join.pin.slice(0, -1);
  },
  fresh: () => Object.assign(join, { pin: randomCode(), hasLooked: false }),
  sit: () => join.seat && isWhole() && sit(join.seat, join.pin),
  back: () => {
    join.seat = null;
  },
  language: chooseLanguage,
  light: toggleTheme,
};

/** @type {any} */
let entering = null;

/** Request admission by the code, unless this phone is admitted; repeated calls share one request. */
function ensureAdmitted() {
  entering ??= enter().finally(() => {
    entering = null;
  });
  return entering;
}

/** @returns {Promise<boolean>} */
async function enter() {
  if (join.isIn) return true;
  if (!CODE.test(join.code)) {
    Object.assign(join, {
      isWrong: true,
      notice: { code: join.code.length === CODE_LENGTH ? "wrong_code" : "code_needed" },
    });
    return false;
  }
  const channel = join.channel ?? (await guestChannel());
  const { code } = join;
  const reply = (await request("admit", { code }, channel)) ?? {
    ok: false,
    code: "not_sent",
    message: { code: "not_sent" },
  };
  // Somebody typed other letters before the answer came: it is not for them.
  if (!reply.ok && code !== join.code) return CODE.test(join.code) ? enter() : false;
  Object.assign(join, {
    isIn: reply.ok,
    isWrong: ["wrong_code", "code_used"].includes(reply.code),
    notice: reply.message ?? null,
  });
  if (channel && reply.key) {
    join.channel = channel.withTableKey(reply.key);
    await greet();
  }
  return join.isIn;
}

/** @param {string} seat @param {string} pin */
async function sit(seat, pin) {
  if (join.isSitting) return;
  join.isSitting = true;
  const reply = await (join.isBack
    ? request("recover", { seat, pin })
    : request("claim", { seat, name: join.name.trim(), pin }));
  if (!reply.ok)
    return Object.assign(join, {
      isSitting: false,
      notice: reply.message,
      isIn: join.isIn && reply.code !== "code_needed",
      seat: join.isBack ? join.seat : null,
    });
  // A seat without a secret did not choose its code: this phone may show it. Only the players know
  // the others.
  store("seat-pin", hasSecret(seat) ? null : pin);
  location.replace("/seat");
}

/** @param {Press} press */
async function pressed({ action, argument }) {
  await ACTIONS[action]?.(argument);
  draw();
}

function draw() {
  render(byId("screen"), [
    h("main", join.seat ? (words?.wordsPage(join, pinTitle()) ?? pinPage()) : seatsPage()),
  ]);
}

function seatsPage() {
  const { snapshot, channel, notice, isIn } = join;
  const isOpen = snapshot.phase === "lobby";
  const isFull =
    isIn &&
    snapshot.seats.every(
      /** @param {Seat} place */
      ({ taken, bot }) => taken && !bot,
    );
  const languages = h("div.tools", languageButtons(), lightButton());
  if (!channel && !isOpen)
    return [
      h("h1", text("title")),
      h("p#closed", text("join.closed")),
      h("p", text("join.unknown")),
      guest(),
      languages,
    ];
  return [
    h("h1", text("join")),
    isOpen ? null : h("p#closed", text("join.return")),
    isOpen && codeField(),
    isFull && h("p#full", text("join.full")),
    // Before the seats: a press on one sits down at once.
    isOpen &&
      h(
        "label",
        text("join.name"),
        h("input#name", {
          value: join.name,
          maxlength: 24,
          autocomplete: "nickname",
          translate: "no",
        }),
      ),
    h(
      "ul.seats",
      listedSeats(snapshot).map((seat) => h("li", seatButton(seat, isOpen))),
    ),
    notice && (isIn || !isOpen) && h("p#notice.bad", { role: "alert" }, message(notice)),
    h("p.muted", text("join.stay")),
    guest(),
    languages,
  ];
}

/** @param {Seat} place @param {boolean} isOpen */
function seatButton({ seat, taken }, isOpen) {
  return button(["seat", seat], [seatChip(seat), taken && h("span.muted", text("seat.taken"))], {
    "data-seat": seat,
    class: taken ? "taken" : null,
    "aria-disabled": isOpen || taken ? null : "true",
  });
}

/** The field for the letters of the code, with the error below it. */
function codeField() {
  const { isIn, isWrong, code, notice } = join;
  return isIn
    ? null
    : [
        h(
          "label",
          text("join.letters"),
          h("input#code", {
            class: `code${isWrong ? " wrong" : ""}`,
            value: code,
            maxlength: CODE_LENGTH,
            autocomplete: "off",
            autocapitalize: "characters",
            translate: "no",
            "aria-invalid": String(isWrong),
          }),
        ),
        notice && h("p#notice.bad", { role: "alert" }, message(notice)),
      ];
}

const guest = () => h("a.button.wide", { href: "/table" }, text("join.guest"));

/**
 * Whether a seat has a secret.
 * @param {string} seat
 */
const hasSecret = (seat) => gameOf(join.snapshot.game).hasSecret?.(seat) ?? true;

/** The text above the digits or words of a seat. */
function pinTitle() {
  const { isBack, seat, snapshot } = join;
  const isSecret = seat === gameOf(snapshot.game).secretSeat;
  return text(isBack ? "pin.back" : isSecret ? "pin.vampire" : "pin.choose", { seat });
}

function pinPage() {
  return [
    h("h1", pinTitle()),
    h("p", text(join.isBack ? "pin.enter" : "pin.why")),
    // No live region: a screen reader would say the whole code at the table.
    h("p#pin.digits", { translate: "no" }, join.pin.padEnd(PIN_LENGTH, "·")),
    join.notice && h("p#notice.bad", { role: "alert" }, message(join.notice)),
    h(
      "div.pin",
      { role: "group", "aria-label": text("pin.pad") },
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => button(["digit", digit], digit)),
      button("erase", icon("W"), { "aria-label": text("pin.erase") }),
      button(["digit", "0"], 0),
      join.isBack ? null : button("fresh", icon("undo"), { "aria-label": text("pin.fresh") }),
    ),
    h(
      "div.row",
      button("back", text("back")),
      button("sit", text(join.isBack ? "pin.return" : "pin.sit"), {
        class: "prime",
        "aria-disabled": join.pin.length === PIN_LENGTH ? null : "true",
      }),
    ),
  ];
}

await begin();
