/** The table display before a game: who sits where, and the field to lay. Pure descriptions. */
import { drawField } from "./board.js";
import { button, languageButton } from "./choices.js";
import { CELLS, tileAt } from "./field.js";
import { icon } from "./icons.js";
import { humansFirst } from "./names.js";
import { canStart, isVampireSeated } from "./picture.js";
import { el } from "./tree.js";
import { rich, said, seatChip, text } from "./words.js";

const STOCK = { bat: ["b", 4], radar: ["r", 4], bullet: ["o", 8], wall: ["w", 7], blank: [".", 13] };

/** A field of our own for a first game (rules.md 1.2); never the official one. */
export const FIRST_FIELD = {
  tiles: ["..brw.", "..oo.w", "rwo.ob", "bowowr", "w.oo..", ".wrb.."],
  walls: ["A4-A5", "B3-B4", "B6-C6", "C4-C5", "D1-E1", "E3-E4", "F2-F3"],
};

/** Describe the lobby: the way in on the left, the seats on the right. `table`: {picture, ui, can, join, notice}. */
export function lobbyScreen(table) {
  const { picture, can, join, notice, ui } = table;
  return el("main", { class: "lobby" },
    el("section", { class: "card", "aria-label": text("join") },
      el("img", { id: "qr", src: join?.image ?? "/qr/join.svg", alt: text("join.scan") }),
      el("p", {}, text("join.scan")),
      join?.code && el("p", { class: "code", id: "code", translate: "no", "aria-label": text("join.code", { code: join.code }) }, join.code),
      join?.address && el("small", { translate: "no" }, join.address)),
    el("section", { class: "column" },
      el("h1", {}, text("title")),
      el("ul", { class: "seats" }, [...picture.seats].sort(humansFirst).map(seat)),
      el("p", { class: "muted", id: "notice" }, notice ? said(notice) : text(ready(picture))),
      can && el("div", { class: "row push", role: "group", "aria-label": text("players") }, [2, 3, 4].map((n) =>
        button(`players-${n}`, text("players.n", { n }), { "aria-pressed": String(picture.lobby.players === n) }))),
      el("div", { class: "row" },
        can && button("field", text("field")),
        can && button("start", text("start"), { class: "prime", "aria-disabled": canStart(picture) ? null : "true" }),
        languageButton(),
        button("sound", icon(ui.sound ? "sound" : "mute"), { class: "narrow", "aria-label": text("sound"), "aria-pressed": String(ui.sound) }))));
}

function seat({ seat: name, name: typed, taken }) {
  return el("li", { class: taken ? "taken" : null, "data-seat": name }, seatChip(name),
    el("span", { class: "muted" }, taken ? (name === "V" && !typed ? text("seat.taken") : [icon("check"), el("span", { class: "vh" }, text("seat.taken"))]) : text("seat.free")));
}

function ready({ lobby, seats }) {
  if (!isVampireSeated(seats)) return "lobby.vampire";
  return lobby.ready ? "lobby.ready" : "lobby.field";
}

/** Describe the set-up of the field, like a sheet of instructions. */
export function fieldScreen({ picture, can, notice }) {
  const { lobby } = picture;
  const { field } = lobby;
  return el("main", { class: "setup" },
    el("div", { class: "land" }, field && drawField(laid(lobby), { title: text("field") })),
    el("div", { class: "side" },
      el("div", { class: "column" },
        el("h1", {}, text("field.lay")),
        field ? stock(field) : el("p", {}, text("field.random")),
        el("ul", { class: "doubts", id: "doubts" }, doubts(lobby.doubts, field)),
        notice && el("p", { class: "bad" }, said(notice))),
      el("div", { class: "lower" },
        can && el("div", { class: "row" }, button("another", text("field.another")), button("first", text("field.first"))),
        el("div", { class: "row" }, button("seats", text("back")),
          can && button("start", text(lobby.doubts.length ? "field.anyway" : "start"), { class: "prime", "aria-disabled": canStart(picture) ? null : "true" })))));
}

/** The view that a proposed field would begin with. */
export function laid({ field, start, players, options }) {
  const bullets = CELLS.filter((cell) => tileAt(cell, field.tiles) === "o");
  const bats = CELLS.filter((cell) => tileAt(cell, field.tiles) === "b");
  return { ...field, tokens: { bullets, bats }, pawns: start && Object.keys(start).length ? start : corners(players, options?.pawns_each) };
}

function corners(players, each) {
  const places = ["A1", "F1", "A6", "F6"];
  const pawns = {};
  for (let human = 0; human < players - 1; human += 1) {
    for (let pawn = 0; pawn < (each ?? (players === 4 ? 3 : 4)); pawn += 1) {
      pawns[`H${human + 1}${"abcdefgh"[pawn]}`] = places[(human + pawn) % 4];
    }
  }
  return pawns;
}

function stock(field) {
  const laidOut = field.tiles.join("");
  return el("ul", { class: "stock", id: "stock" }, Object.entries(STOCK).map(([kind, [letter, wanted]]) => {
    const there = [...laidOut].filter((each) => each === letter).length;
    return el("li", { class: there === wanted ? null : "bad" }, kind in ICONS ? [icon(kind, kind), " "] : "", rich("field.stock", { kind, there, wanted }));
  }));
}
const ICONS = { bat: 1, radar: 1, bullet: 1 };

function doubts(list, field) {
  if (!list.length && field) return el("li", {}, el("span", { class: "fine" }, icon("check")), " ", text("field.fine"));
  return list.slice(0, 5).map((each) => el("li", {}, icon("cross"), " ", said(each)));
}
