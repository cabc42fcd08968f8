/** Joining: scan, tap a seat, seated. What stands after # in the address is never sent; it is taken and wiped. */
import { button, lightButton, otherLight } from "./choices.js";
import { Channel } from "./channel.js";
import { icon } from "./icons.js";
import { hasSecret, humansFirst, isSeat } from "./names.js";
import { onPress, watchHands } from "./press.js";
import { followPublic } from "./stream.js";
import { el, patch } from "./tree.js";
import { chooseLanguage, followLanguage, LANGUAGES, loadWords, said, seatChip, text, useSeats } from "./words.js";

const KEY_LENGTH = 43;
const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{4}$/;
const PIN_LENGTH = 4;

const join = { picture: null, channel: null, code: "", name: "", isIn: false, isWrong: false, wanted: null, isBack: false, pin: "", isLooking: false, hasLooked: false, notice: null };
/** The module of the three words, where this table wants them instead of digits. */
let words = null;

async function begin() {
  await loadWords(null, "join");
  const fragment = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  join.code = fragment.slice(KEY_LENGTH).toUpperCase();
  join.channel = await Channel.open({ server_key_b64url: fragment.slice(0, KEY_LENGTH) || undefined, storage: "seat-key" });
  const hello = await ask("hello");
  if (isSeat(hello?.role)) return location.replace("/seat");
  join.isIn = Boolean(hello?.admitted);
  if (hello?.recovery === "words") words = await readyForWords();
  if (hello?.picture?.phase === "lobby" && CODE.test(join.code)) await isAdmitted();
  onPress(document.body, pressed);
  document.addEventListener("input", ({ target }) => {
    if (target.id === "code") Object.assign(join, { code: target.value.toUpperCase(), isWrong: false });
    if (target.id === "name") join.name = target.value;
    if (target.id === "words") {
      join.pin = target.value;
      draw();
    }
  });
  followLanguage(draw);
  followPublic(({ picture }) => {
    join.picture = picture;
    useSeats(picture.seats);
    draw();
  }, () => {});
}

async function ask(what, args = {}) {
  try {
    return await join.channel?.ask(what, args);
  } catch (error) {
    if (error.code === undefined) throw error;
    return { ok: false, code: error.code, said: { code: error.code, params: {} } };
  }
}

/** Words are seen while a finger rests on the glass, and are gone with the page. */
async function readyForWords() {
  const look = (isLooking) => {
    if (!join.wanted) return;
    Object.assign(join, { isLooking, hasLooked: join.hasLooked || isLooking });
    draw();
  };
  const phone = { get look() { return join.isLooking ? "hold" : null; } };
  watchHands({ phone, reveal: () => look(true), hide: () => look(false) });
  for (const event of ["blur", "pagehide"]) addEventListener(event, () => look(false));
  return import("./recovery.js");
}

const isWhole = () => (!words ? join.pin.length === PIN_LENGTH : join.isBack ? words.areWords(join.pin) : join.hasLooked);

function randomCode() {
  return words ? words.randomWords() : randomPin();
}

function randomPin() {
  const digits = crypto.getRandomValues(new Uint16Array(PIN_LENGTH));
  return [...digits].map((digit) => digit % 10).join("");
}

const ACTIONS = {
  async seat(seat) {
    const { taken } = join.picture.seats.find((each) => each.seat === seat);
    if (!taken && !(await isAdmitted())) return;
    if (hasSecret(seat) || taken) Object.assign(join, { wanted: seat, isBack: taken, pin: taken ? "" : randomCode(), hasLooked: false, notice: null });
    else return sit(seat, randomCode());
  },
  digit: (digit) => { join.pin = (join.pin.length < PIN_LENGTH ? join.pin : "") + digit; },
  erase: () => { join.pin = join.pin.slice(0, -1); },
  fresh: () => Object.assign(join, { pin: randomCode(), hasLooked: false }),
  sit: () => isWhole() && sit(join.wanted, join.pin),
  back: () => { join.wanted = null; },
  language: chooseLanguage,
  light: otherLight,
};

/** Let this phone in by its code, if it is not in yet. A code lets one phone in: the table then shows another. */
async function isAdmitted() {
  if (join.isIn) return true;
  join.isWrong ||= !CODE.test(join.code);
  if (join.isWrong) return false;
  const reply = await ask("admit", { code: join.code });
  Object.assign(join, { isIn: reply.ok, isWrong: ["wrong_code", "code_used"].includes(reply.code), notice: reply.said ?? null });
  return reply.ok;
}

async function sit(seat, pin) {
  const reply = await (join.isBack ? ask("recover", { seat, pin }) : ask("claim", { seat, name: join.name.trim(), pin }));
  if (!reply.ok) return Object.assign(join, { notice: reply.said, isIn: join.isIn && reply.code !== "code_needed", wanted: join.isBack ? join.wanted : null });
  // A seat without a secret was not asked about its code: it may be looked up on this phone. Others are in their players' heads only.
  if (!hasSecret(seat)) localStorage.setItem("seat-pin", pin);
  location.replace("/seat");
}

async function pressed(action) {
  const [name, argument] = (action ?? "").split("-");
  await ACTIONS[name]?.(argument);
  draw();
}

function draw() {
  patch(document.getElementById("screen"), [el("main", {}, join.wanted ? words?.wordsPage(join) ?? pinPage() : seatsPage())]);
}

function seatsPage() {
  const { picture, channel, notice } = join;
  const isOpen = picture.phase === "lobby";
  const languages = el("div", { class: "tools" }, Object.entries(LANGUAGES).map(([code, name]) =>
    button(`language-${code}`, name, { lang: code, "aria-pressed": String(code === document.documentElement.lang) })), lightButton());
  if (!channel) return [el("h1", {}, text("title")), el("p", {}, text("join.unknown")), guest(), languages];
  return [
    el("h1", {}, text("join")),
    isOpen ? null : el("p", { id: "closed" }, text("join.closed")),
    el("ul", { class: "seats" }, [...picture.seats].sort(humansFirst).map((seat) => el("li", {}, seatButton(seat, isOpen)))),
    notice && el("p", { class: "bad", id: "notice", role: "alert" }, said(notice)),
    isOpen && codeField(),
    isOpen && el("label", {}, text("join.name"), el("input", { id: "name", value: join.name, maxlength: 24, autocomplete: "nickname", translate: "no" })),
    el("p", { class: "muted" }, text("join.stay")), guest(), languages,
  ];
}

function seatButton({ seat, taken }, isOpen) {
  return button(`seat-${seat}`, [seatChip(seat), taken && el("span", { class: "muted" }, text("seat.taken"))],
    { "data-seat": seat, class: taken ? "taken" : null, "aria-disabled": isOpen || taken ? null : "true" });
}

function codeField() {
  return join.isIn ? null : el("label", {}, text("join.letters"), el("input", {
    id: "code", class: `code${join.isWrong ? " wrong" : ""}`, value: join.code, maxlength: 4, autocomplete: "off", autocapitalize: "characters",
    translate: "no", "aria-invalid": String(join.isWrong) }));
}

const guest = () => el("a", { class: "button wide", href: "/table" }, text("join.guest"));

function pinPage() {
  return [
    el("h1", {}, text(join.isBack ? "pin.back" : join.wanted === "V" ? "pin.vampire" : "pin.choose", { seat: join.wanted })),
    el("p", {}, text(join.isBack ? "pin.enter" : "pin.why")),
    el("p", { class: "digits", id: "pin", translate: "no", "aria-live": "polite" }, join.pin.padEnd(PIN_LENGTH, "·")),
    join.notice && el("p", { class: "bad", id: "notice", role: "alert" }, said(join.notice)),
    el("div", { class: "pin", role: "group", "aria-label": text("pin.pad") }, [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => button(`digit-${digit}`, digit)),
      button("erase", icon("W"), { "aria-label": text("pin.erase") }), button("digit-0", 0),
      join.isBack ? null : button("fresh", icon("undo"), { "aria-label": text("pin.fresh") })),
    el("div", { class: "row" }, button("back", text("back")),
      button("sit", text(join.isBack ? "pin.return" : "pin.sit"), { class: "prime", "aria-disabled": join.pin.length === PIN_LENGTH ? null : "true" })),
  ];
}

await begin();
