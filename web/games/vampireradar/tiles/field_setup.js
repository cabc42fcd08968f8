/** The table display before a game: the field to lay. Loaded on request. Pure descriptions. */
import { drawField } from "../drawing/board.js";
import { button, CLOSES, startButton } from "../../../core/controls.js";
import { CELLS, tileAt } from "../drawing/field.js";
import { icon } from "../../../core/icons.js";
import { missingSeats } from "../../../screens/table/seating.js";
import { done, drawStep, nextStep, stepText, steps } from "./steps.js";
import { h } from "../../../core/dom.js";
import { loadGameWords, rich, message, plainText, text } from "../../../core/i18n.js";

const STOCK = {
  bat: ["b", 4],
  radar: ["r", 4],
  bullet: ["o", 8],
  wall: ["w", 7],
  blank: [".", 13],
};

/** A field of our own for a first game; never the official one. */
export const FIRST_FIELD = {
  tiles: ["..brw.", "..oo.w", "rwo.ob", "bowowr", "w.oo..", ".wrb.."],
  walls: ["A4-A5", "B3-B4", "B6-C6", "C4-C5", "D1-E1", "E3-E4", "F2-F3"],
};

/** A field whose tiles are all open yet. */
const FACE_DOWN = { tiles: Array(6).fill("......"), walls: [] };

/** Describe the set-up of the field, like a sheet of instructions. @param {RadarTable} table */
export function fieldScreen({ snapshot, canControl, notice, ui }) {
  const { lobby } = snapshot;
  const { field, sheet } = lobby;
  // The numbers show where printed tiles go; with other tiles they mean nothing.
  const isSheet = Boolean(field && sheet) && (ui.sheet ?? sheet.seen > 0);
  const read = field ? 0 : Object.keys(lobby.seen_tiles ?? {}).length;
  const isRead = read > 0,
    isWhole = read === CELLS.length;
  return h(
    "main.setup",
    h(
      "div.land",
      isSheet
        ? drawSheet(lobby)
        : isRead
          ? drawRead(lobby)
          : drawField(laid(field ? lobby : { ...lobby, field: FACE_DOWN }), {
              title: text("field"),
            }),
    ),
    h(
      "div.side",
      h(
        "div.column",
        h("h1", text(isRead ? "tiles" : field ? "field.lay" : "field")),
        ui.scan
          ? scanPanel()
          : isSheet
            ? sheetPanel(sheet)
            : field
              ? stock(field)
              : isRead
                ? h("p#read.sheet-line", text("tiles.count", { n: read }))
                : h("p", text("field.random")),
        canControl && lobby.wrong_seat && h("p#why.sheet-line", message(lobby.wrong_seat)),
        h(
          "ul#doubts.doubts",
          { tabindex: lobby.warnings.length ? "0" : null },
          doubts(lobby.warnings, field),
        ),
        snapshot.board?.asks?.length > 0 &&
          h(
            "ul#asks.doubts",
            snapshot.board.asks.slice(0, 2).map((each) => h("li", message(each))),
          ),
        notice && h("p#notice.bad", message(notice)),
      ),
      h(
        "div.lower",
        canControl &&
          h(
            "div.row",
            button("another", text("field.another")),
            button("first", text("field.first")),
          ),
        h(
          "div.row",
          field && button("sheet", text("field.sheet"), { "aria-pressed": String(isSheet) }),
          canControl &&
            button("scan", text("field.scan"), { "aria-pressed": String(Boolean(ui.scan)) }),
          canControl &&
            (isWhole || sheet?.seen > 0) &&
            button("take", text("field.take"), { class: isWhole ? "prime" : null }),
        ),
        h(
          "div.row",
          button("seats", text("back"), CLOSES),
          canControl &&
            startButton(snapshot, plainText(missingSeats(snapshot)) || text("lobby.field"), {
              label: text(lobby.warnings.length ? "field.anyway" : "start"),
              isPrime: !isWhole,
            }),
        ),
      ),
    ),
  );
}

/**
 * The field with the number of each printed tile and the way it is turned; what lies right is ticked off.
 * @param {RadarLobby} lobby
 */
function drawSheet(lobby) {
  const next = nextStep(lobby.sheet);
  const drawn = Object.fromEntries(
    steps(lobby.sheet).map((step) => [step.cell, drawStep(step, step.cell === next?.cell)]),
  );
  return drawField({ ...laid(lobby), pawns: {} }, { title: text("field"), steps: drawn });
}

/** The read tiles: a tick and the number, or a question mark. @param {RadarLobby} lobby */
function drawRead({ seen_tiles: seenTiles }) {
  const unread = () => h("text.unread", { y: 16 }, "?");
  const drawn = Object.fromEntries(
    CELLS.map((cell) => {
      const [number, turn] = seenTiles[cell] ?? [];
      return [
        cell,
        h(
          "g",
          { "data-read": cell },
          number ? drawStep({ number, turn: turn ?? 0, state: "done" }, false) : unread(),
        ),
      ];
    }),
  );
  return drawField(
    { ...FACE_DOWN, tokens: { bullets: [], bats: [] }, pawns: {} },
    { title: text("field"), steps: drawn },
  );
}

/** The way to the page that reads printed tiles, for a phone that has a seat. */
function scanPanel() {
  return h(
    "div#scan.row",
    h("img", { src: "/qr/tiles.svg", alt: text("field.scan"), width: 150, height: 150 }),
    h("small", text("field.scan_how")),
  );
}

/** @param {RadarSheet} sheet */
function sheetPanel(sheet) {
  if (sheet.why) return h("p#sheet-why.bad", message(sheet.why));
  const next = nextStep(sheet);
  if (!next) return h("p#next.sheet-next", h("span.fine", icon("check")), " ", text("sheet.done"));
  const wrong = steps(sheet).filter(({ state }) => state === "wrong" || state === "turn");
  return [
    h(
      "p#next.sheet-next",
      next.state === "todo" ? text("sheet.next", next) : message(stepText(next)),
    ),
    h("p.sheet-line.muted", next.turn ? text("sheet.turned", next) : text("sheet.upright")),
    h("p#progress.sheet-line", text("sheet.progress", { n: done(sheet) })),
    wrong.length > 1 &&
      h(
        "ul#wrong.doubts",
        wrong
          .filter(({ cell }) => cell !== next.cell)
          .slice(0, 3)
          .map((step) => h("li", icon("cross"), " ", message(stepText(step)))),
      ),
  ];
}

/** The view that a proposed field would begin with. @param {RadarLobby} lobby */
export function laid({ field, start, players, options }) {
  const bullets = CELLS.filter((cell) => tileAt(cell, field.tiles) === "o");
  const bats = CELLS.filter((cell) => tileAt(cell, field.tiles) === "b");
  return {
    ...field,
    tokens: { bullets, bats },
    pawns: start && Object.keys(start).length ? start : corners(players, options?.pawns_each),
  };
}

/** @param {number} players @param {number} each */
function corners(players, each) {
  const places = ["A1", "F1", "A6", "F6"];
  /** @type {Record<string, string>} */
  const pawns = {};
  for (let human = 0; human < players - 1; human += 1) {
    for (let pawn = 0; pawn < (each ?? (players === 4 ? 3 : 4)); pawn += 1) {
      pawns[`H${human + 1}${"abcdefgh"[pawn]}`] = places[(human + pawn) % 4];
    }
  }
  return pawns;
}

/** @param {RadarField} field */
function stock(field) {
  const laidOut = field.tiles.join("");
  return h(
    "ul#stock.stock",
    Object.entries(STOCK).map(([kind, [letter, wanted]]) => {
      const there = [...laidOut].filter((each) => each === letter).length;
      return h(
        "li",
        { class: there === wanted ? null : "bad" },
        kind in ICONS ? [icon(kind, kind), " "] : "",
        rich("field.stock", { kind, there, wanted }),
      );
    }),
  );
}
const ICONS = { bat: 1, radar: 1, bullet: 1 };

/** @param {Message[]} list @param {any} field */
function doubts(list, field) {
  if (!list.length && field) return h("li", h("span.fine", icon("check")), " ", text("field.fine"));
  return list.slice(0, 5).map((each) => h("li", icon("cross"), " ", message(each)));
}

/** Load the words of the page for laying a field. */
export const ready = () => loadGameWords("vampireradar", "tiles");

/** @param {RadarField} field */
const proposed = (field) => ({ request: ["propose", { change: { field } }] });

/** @type {LoadingActions<RadarTable>} */
export const ACTIONS = {
  another: async () => proposed((await import("./random_layout.js")).layField()),
  first: () => proposed(FIRST_FIELD),
  sheet: ({ snapshot, ui }) => ({ sheet: !(ui.sheet ?? snapshot.lobby.sheet.seen > 0) }),
  scan: ({ ui }) => ({ scan: !ui.scan }),
  take: () => ({ request: ["take_tiles"] }),
};
