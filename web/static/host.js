/** The host's page: settings, seats and ways out, for whoever has a seat or the display. It knows public things only. */
import { button } from "./choices.js";
import { Channel } from "./channel.js";
import { onPress } from "./press.js";
import { followPublic } from "./stream.js";
import { el, patch } from "./tree.js";
import { chooseLanguage, LANGUAGES, loadWords, said, seatChip, text, useSeats } from "./words.js";

/** The rulings of VampireRader and what may be chosen; null is "by the number of players" (rules.md 1.3). */
const OPTIONS = {
  pawns_each: [null, 3, 4, 8], bullets_each: [null, 2, 3, 6], pawns_per_turn: [1, 2, 3], turn_order: ["fixed", "rotating"],
  exhaustion: ["strict", "hopeless"], announce: ["immediate", "turn_end"], lazy_landing: [false, true], pawns_block_shots: [false, true],
  vampire_may_share: [true, false], stalled_after: [0, 30, 60], adjacency: ["orthogonal", "with_diagonals"], max_joined_walls: [2, 3, 7],
};
const DEFAULTS = Object.fromEntries(Object.entries(OPTIONS).map(([name, [first]]) => [name, first]));
Object.assign(DEFAULTS, { pawns_per_turn: 3, stalled_after: 60 });
const SETTINGS = {
  night_floor: [0, 12, 20], auto_pick_up: [true, false], marks: [true, false], sound: [true, false], volume: [20, 50, 80, 100], own_groan: [false, true],
};

const host = { picture: null, channel: null, may: false, notice: null, isSure: null };

async function begin() {
  await loadWords();
  host.channel = (await Channel.open({ storage: "seat-key" })) ?? (await Channel.open({ storage: "display-key" }));
  const hello = await ask("hello");
  host.may = /^(V|H\d|display)$/.test(hello?.role);
  host.role = hello?.role;
  onPress(document.body, async (action) => {
    await pressed(action ?? "");
    draw();
  });
  followPublic(({ picture }) => {
    host.picture = picture;
    useSeats(picture.seats);
    draw();
  }, () => {});
}

async function ask(what, args = {}) {
  try {
    const reply = await host.channel?.ask(what, args);
    host.notice = reply?.ok === false ? reply.said : null;
    return reply;
  } catch (error) {
    if (error.code === undefined) throw error;
    host.notice = { code: error.code, params: {} };
    return null;
  }
}

/** Names of actions are "option:name:value"; values are JSON. */
async function pressed(action) {
  const [what, name, value] = action.split(":");
  const isSecond = host.isSure === action;
  host.isSure = null;
  if (what === "language") await chooseLanguage(name);
  else if (what === "option") await ask("propose", { change: { options: { ...host.picture.lobby.options, [name]: JSON.parse(value) } } });
  else if (what === "setting") await ask("settings", { change: { [name]: JSON.parse(value) } });
  else if (what === "players") await ask("propose", { change: { players: JSON.parse(name) } });
  else if (what === "pause") await ask("pause", { on: !host.picture.paused });
  else if (what === "draw") await ask("draw", host.role === "display" ? { seat: host.picture.view.humans[0] } : {});
  else if (["free", "forfeit"].includes(what) && !isSecond) host.isSure = action;
  else if (what === "free") await ask("free", { seat: name });
  else if (what === "forfeit") await ask("forfeit");
}

function draw() {
  const { picture, may, notice } = host;
  if (!picture) return;
  const isLobby = picture.phase === "lobby";
  patch(document.getElementById("screen"), [el("main", {},
    el("h1", {}, text("host")),
    may ? null : el("p", {}, text("host.seat")),
    notice && el("p", { class: "bad", id: "notice", role: "alert" }, said(notice)),
    card("language", el("div", { class: "row" }, Object.entries(LANGUAGES).map(([code, name]) =>
      button(`language:${code}`, name, { lang: code, "aria-pressed": String(code === document.documentElement.lang) })))),
    card("host.seats", el("ul", { class: "seats" }, picture.seats.map((each) => seat(each, may)))),
    card("host.table", Object.entries(SETTINGS).map(([name, values]) => setting("setting", name, values, picture.settings[name], may))),
    card("host.rules", isLobby ? [setting("players", "players", [2, 3, 4], picture.lobby.players, may), options(picture, may)]
      : el("p", { class: "muted" }, text("host.running")), isLobby && el("ul", { id: "doubts" }, picture.lobby.doubts.map((each) => el("li", { class: "bad" }, said(each))))),
    picture.phase === "play" && may && card("host.end", el("div", { class: "row" }, button("draw", text("draw")),
      button("pause", text(picture.paused ? "resume" : "pause"), { "aria-pressed": String(picture.paused) }),
      host.role !== "display" && button("forfeit", text(host.isSure === "forfeit" ? "sure" : "forfeit")))),
    el("p", { class: "muted" }, text("host.owner")),
    el("a", { class: "button", href: "/board" }, text("board")), el("a", { class: "button", href: "/seat" }, text("back")))]);
}

const card = (title, ...content) => el("section", { class: "card" }, el("h2", {}, text(title)), content);

function seat({ seat: name, taken }, may) {
  return el("li", { class: "line", "data-seat": name }, seatChip(name), taken && may
    ? button(`free:${name}`, text(host.isSure === `free:${name}` ? "sure" : "seat.free_it")) : el("span", { class: "muted" }, text(taken ? "seat.taken" : "seat.free")));
}

function options({ lobby }, may) {
  return Object.entries(OPTIONS).map(([name, values]) => setting("option", name, values, lobby.options[name] ?? DEFAULTS[name], may));
}

function setting(kind, name, values, chosen, may) {
  const key = kind === "players" ? "players" : `${kind}.${name}`;
  return el("div", { class: "setting", role: "group", "aria-label": text(key) }, el("p", {}, text(key)),
    el("div", { class: "row" }, values.map((value) => button(kind === "players" ? `players:${value}` : `${kind}:${name}:${JSON.stringify(value)}`, valueText(key, value),
      { "aria-pressed": String(value === chosen), "aria-disabled": may ? null : "true" }))),
    key === "setting.night_floor" && el("p", { class: "muted" }, text("setting.night_floor.why")));
}

function valueText(key, value) {
  if (value === null) return text("value.usual");
  if (typeof value === "boolean") return text(value ? "value.yes" : "value.no");
  if (typeof value === "string") return text(`${key}.${value}`);
  return key === "setting.night_floor" ? text("seconds", { n: value }) : String(value);
}

await begin();
