/**
 * Joining: scan, type a name, choose a seat, sit down; or type the address, then the letters beside
 * it. The part after # in the address is never sent; the page reads it and removes it.
 */
import { button, lightButton, onPress, toggleTheme, whyNot } from "../../core/controls.js";
import { languageButtons } from "../../core/language_buttons.js";
import { Channel } from "../../core/channel.js";
import { onInput } from "../../core/fields.js";
import { icon } from "../../core/icons.js";
import { doesWords, isNeeded } from "../table/seating.js";
import { gameOf, listedSeats, loadGame } from "../../games/index.js";
import { addCommands, newest } from "../../core/loading.js";
import { PLAN, store, TAB, timedFetch } from "../../core/browser.js";
import { subscribePublic } from "../../core/public_stream.js";
import { byId, h, render } from "../../core/dom.js";
import {
  chooseLanguage,
  followLanguage,
  loadGameWords,
  loadWords,
  message,
  seatName,
  shapeOf,
  text,
  useSeats,
  useWordsOf,
  isSeat,
} from "../../core/i18n.js";

const KEY_LENGTH = 43;
const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{4}$/;
const [CODE_LENGTH, PIN_LENGTH] = [4, 4];
const PIN = /^\d{4}$/;

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
  // A seat that went to another phone leaves nothing here for who takes this one.
  if (hello?.code !== "not_sent") store(PLAN, null, TAB);
  if (hello?.snapshot?.phase === "lobby" && CODE.test(join.code)) await ensureAdmitted();
  onPress(document.body, pressed);
  addCommands({ snapshot: () => join.snapshot });
  // Another code was scanned in this tab.
  addEventListener("hashchange", () => location.hash && location.reload());
  onInput(({ id, value }) => {
    if (id === "code") typed(value.trim().toUpperCase());
    if (id === "name") join.name = value;
    if (["words", "pin"].includes(id)) {
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
        followSeat();
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
  if (hello?.recovery === "words" && !words) {
    words = await readyForWords();
    join.drawnPin = null;
    if (join.seat) choose(join.seat);
  }
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

/** What is wrong with the digits or words of the chosen seat, null if nothing is. */
function codeFault() {
  if (!words) return PIN.test(join.pin) ? null : "bad_pin";
  if (join.isBack) return words.areWords(join.pin) ? null : "bad_words";
  return join.hasLooked || !hasSecret(join.seat ?? "") ? null : "words.look";
}

function randomCode() {
  return words ? words.randomWords() : randomPin();
}

/** Whether a person has a seat; before a game bots leave theirs. @param {string} name */
const isTaken = (name) => {
  const { seats, phase } = join.snapshot;
  return seats.some(
    ({ seat, taken, bot }) => seat === name && taken && !(bot && phase === "lobby"),
  );
};

/** Whether a seat can be chosen: during a game only to come back to it. @param {Seat} place */
const mayChoose = ({ seat, bot }) => join.snapshot.phase === "lobby" || (isTaken(seat) && !bot);

function randomPin() {
  const digits = crypto.getRandomValues(new Uint16Array(PIN_LENGTH));
  return [...digits].map((digit) => digit % 10).join("");
}

/** @param {string} seat */
function choose(seat) {
  const isBack = isTaken(seat);
  // A second request has the same code.
  const pin = isBack ? "" : (join.drawnPin ??= randomCode());
  Object.assign(join, { seat, isBack, pin, hasLooked: false, notice: null });
}

/** Give up the choice of a seat that another person took, or that is gone. */
function followSeat() {
  const { seat, isBack, isSitting, snapshot } = join;
  if (!seat || isSitting) return;
  const place = snapshot.seats.find((each) => each.seat === seat);
  if (place && mayChoose(place) && isTaken(seat) === isBack) return;
  const isLost = place && isTaken(seat);
  Object.assign(join, {
    seat: null,
    notice: isLost ? { code: "seat_taken", params: { seat } } : { code: "join.choose" },
  });
}

/** @type {ActionTable} */
const ACTIONS = {
  seat: choose,
  fresh: () => {
    join.drawnPin = randomCode();
    Object.assign(join, { pin: join.drawnPin, hasLooked: false });
  },
  sit: async () => {
    if (!join.seat) return Object.assign(join, { notice: { code: "join.choose" } });
    if ((!join.isBack || !join.channel) && !(await ensureAdmitted())) return;
    // The page of the seat would not find the key, and the seat would be taken.
    const fault = join.channel?.isKept ? codeFault() : "join.unkept";
    if (fault) return Object.assign(join, { notice: { code: fault } });
    if (join.seat) await sit(join.seat, join.pin);
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
  if (!reply.ok) {
    Object.assign(join, {
      isSitting: false,
      notice: reply.message,
      isIn: join.isIn && reply.code !== "code_needed",
    });
    return followSeat();
  }
  // A seat without a secret did not choose its code: this phone may show it. Only the players know
  // the others.
  store("seat-pin", hasSecret(seat) ? null : pin);
  location.replace("/seat");
}

/** @param {Press} press */
async function pressed({ action, argument }) {
  await ACTIONS[action]?.(argument);
  draw();
  // The digits or words of a seat may come below the button that stays at the bottom.
  if (action === "seat") byId("seat-code")?.scrollIntoView({ block: "nearest" });
}

function draw() {
  render(byId("screen"), [h("main.join", page())]);
}

function page() {
  const { snapshot, channel, notice, isIn, isBack } = join;
  const isOpen = snapshot.phase === "lobby";
  const tools = h("div.tools", languageButtons(), lightButton());
  if (!channel && !isOpen)
    return [
      h("h1", text("title")),
      h("section.card", h("p#closed", text("join.closed")), h("p", text("join.unknown"))),
      guest(),
      tools,
    ];
  const isFull = isIn && snapshot.seats.every(({ taken, bot }) => taken && !bot);
  return [
    h("h1", text("join.title")),
    isOpen ? null : h("p#closed", text("join.return")),
    isOpen && codeField(),
    isFull && h("p#full", text("join.full")),
    isOpen &&
      h(
        "label.card",
        text("join.name"),
        h("input#name", {
          value: join.name,
          maxlength: 24,
          autocomplete: "nickname",
          translate: "no",
        }),
      ),
    h("ul.seats", listedSeats(snapshot).map(seatItem)),
    h("p.muted", text("join.stay")),
    guest(),
    tools,
    h(
      "div.foot",
      notice && !isOfLetters() && refusal(notice),
      button("sit", text(isBack ? "pin.return" : "pin.sit"), { class: "prime wide" }),
    ),
  ];
}

/** Whether the notice is about the typed letters: it stands below them. */
const isOfLetters = () => join.isWrong && !join.isIn && join.snapshot.phase === "lobby";

/** @param {Message} notice */
const refusal = (notice) => h("p#notice.bad", { role: "alert" }, message(notice));

/** @param {Seat} place */
function seatItem(place) {
  const { seat } = place;
  const isChosen = seat === join.seat;
  return h(
    "li",
    button(
      ["seat", seat],
      [
        icon(shapeOf(seat), seat),
        h("span", h("b", { translate: "no" }, seatName(seat)), h("small", seatWords(place))),
      ],
      {
        "data-seat": seat,
        class: isTaken(seat) ? "taken" : null,
        "aria-pressed": String(isChosen),
        ...whyNot(!mayChoose(place) && text("join.closed")),
      },
    ),
    isChosen && (join.isBack || hasSecret(seat)) && codePart(seat),
  );
}

/** @param {Seat} place */
function seatWords({ seat, bot }) {
  const { snapshot } = join;
  if (bot) return text("bot.plays", { level: bot });
  if (isTaken(seat)) return text("join.sits");
  const does = doesWords(snapshot, seat);
  return text(isNeeded(snapshot, seat) ? "join.phone" : "seat.optional", { does });
}

/** The digits or words that bring a seat to another phone. @param {string} seat */
function codePart(seat) {
  const { isBack, pin, snapshot } = join;
  const isSecret = !isBack && seat === gameOf(snapshot.game).secretSeat;
  return h(
    "div#seat-code.card",
    isSecret && h("p", text("pin.vampire")),
    words?.wordsPart(join) ??
      // No live region: a screen reader would say the whole code at the table.
      h(
        "label",
        text(isBack ? "pin.enter" : "pin.why"),
        h("input#pin.digits", {
          value: pin,
          maxlength: PIN_LENGTH,
          inputmode: "numeric",
          autocomplete: "off",
          translate: "no",
        }),
      ),
  );
}

/** The field for the letters of the code, with the error below it. */
function codeField() {
  const { isIn, isWrong, code, notice } = join;
  return isIn
    ? null
    : [
        h(
          "label.card",
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
        notice && isOfLetters() && refusal(notice),
      ];
}

const guest = () => h("a.button.wide", { href: "/table" }, text("join.guest"));

/** Whether a seat has a secret. @param {string} seat */
const hasSecret = (seat) => gameOf(join.snapshot.game).hasSecret?.(seat) ?? true;

await begin();
