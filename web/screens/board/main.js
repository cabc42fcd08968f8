/**
 * The live sensor data, each fault with one instruction; the same page for real and simulated
 * boards.
 */
import { timedFetch } from "../../core/browser.js";
import { withNotice } from "../../core/with_notice.js";
import { pieces } from "./maintenance.js";
import { button, deviceButtons, onPress, toggleTheme } from "../../core/controls.js";
import { Channel } from "../../core/channel.js";
import { icon } from "../../core/icons.js";
import { newest } from "../../core/loading.js";
import { followWithRole } from "../../core/role.js";
import { byId, h, render } from "../../core/dom.js";
import {
  followLanguage,
  loadGameWords,
  loadWords,
  nextLanguage,
  pawnChip,
  message,
  text,
  useSeats,
  useWordsOf,
} from "../../core/i18n.js";

const EVERY_MS = 1000;
/** The cells of the square board, for a board that reports none. */
const SQUARE = [1, 2, 3, 4, 5, 6].flatMap((row) => [..."ABCDEF"].map((column) => column + row));
/** @type {Record<string, any>} */
const board = {
  seen: null,
  channel: null,
  canControl: false,
  notice: null,
  isLost: false,
  /** Whether the game's own words are loaded, which name the pieces. */
  hasWords: false,
  isCopied: false,
  chosen: null,
};
const request = withNotice(board);

async function begin() {
  await loadWords(null, "maintenance", "host", "camera");
  followLanguage(draw);
  board.channel =
    (await Channel.open({ storage: "display-key" })) ??
    (await Channel.open({ storage: "seat-key" }));
  onPress(document.body, pressed);
  const onUpdate = newest(
    ({ snapshot }) => loadGameWords(snapshot.game),
    ({ snapshot }) => {
      useSeats(snapshot.seats);
      useWordsOf(snapshot.game);
      board.hasWords = true;
      draw();
    },
  );
  await followWithRole(board, request, { onUpdate, draw });
  await look();
}

async function look() {
  try {
    await fetchDiagnostics();
    draw();
  } finally {
    setTimeout(look, EVERY_MS);
  }
}

async function fetchDiagnostics() {
  try {
    const reply = await timedFetch("/diagnostics");
    board.isLost = !reply.ok;
    if (reply.ok) board.seen = await reply.json();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    board.isLost = true;
  }
}

/** @param {Press} press */
async function pressed({ action, argument }) {
  if (action === "report") {
    const field = document.getElementById("report");
    if (!(field instanceof HTMLTextAreaElement)) return;
    field.hidden = false;
    field.select();
    // Without a secure context or permission, people copy the selected text by hand.
    await navigator.clipboard?.writeText(field.value).catch(() => {});
  } else if (action === "choose") board.chosen = board.chosen === argument ? null : argument;
  else if (action === "maintain") await maintain(JSON.parse(argument));
  else if (action === "language") await nextLanguage();
  else if (action === "light") toggleTheme();
  else if (action) await request("board", { answer: action });
  draw();
}

/** Do a maintenance step, and load its result. @param {{step: string, thing: string}} work */
async function maintain(work) {
  board.chosen = null;
  await request("maintain", work);
  await fetchDiagnostics();
}

function draw() {
  const { seen, canControl, notice, isLost } = board;
  if (!seen) return;
  render(byId("screen"), [
    h(
      "main",
      h("div.line", h("h1", text("board")), h("div.row", deviceButtons())),
      isLost && h("p.bad", { role: "alert" }, text("link.moment")),
      notice && h("p#notice.bad", { role: "alert" }, message(notice)),
      link(seen.status, seen.source?.beside ?? [], canControl),
      board.hasWords && fault(seen.status),
      canControl && ways(seen.status),
      board.hasWords && isSeeing(seen) && grid(seen),
      board.hasWords &&
        seen.status.caps.includes("tags") &&
        pieces(seen.maintenance, canControl, board.chosen),
      frames(seen.source),
      report(seen),
      h("a#settings.button", { href: "/host" }, text("host")),
    ),
  ]);
}

/**
 * The first line: the connected board with its state, and other devices to use instead.
 * @param {BoardStatus} status @param {string[]} beside @param {boolean} canControl
 */
function link({ source, link: state, port, firmware, caps }, beside, canControl) {
  /** @type {Record<string, string>} */
  const signs = { up: "check", none: "more", searching: "more", silent: "cross", refused: "cross" };
  return h(
    "section#link.card",
    h(
      "h2",
      icon(signs[state]),
      " ",
      text(source === "camera" ? `link.camera.${state}` : `link.${state}`),
    ),
    h(
      "p",
      { translate: "no" },
      [
        text(`source.${source}`),
        port,
        firmware && text("board.firmware", { version: firmware }),
        caps.join(", "),
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    beside.map((other) =>
      h(
        "div.line",
        h("p", { translate: "no" }, text("maintenance.beside", { port: other })),
        canControl &&
          button(["maintain", { step: "use_board", thing: other }], text("maintenance.use_board")),
      ),
    ),
  );
}

/** A fault and its instruction. @param {BoardStatus} status */
function fault({ message: words, state, unknown, asks }) {
  return h(
    "section#fault.card",
    h("h2", text(`state.${state}`)),
    words && h("p#message", message(words)),
    asks.length > 0 &&
      h(
        "ul#asks",
        asks.map((each) => h("li", message(each))),
      ),
    unknown.length > 0 && h("p", text("board.unknown", { cells: unknown.join(" ") })),
  );
}

/** @param {BoardStatus} status */
function ways({ source, state }) {
  return h(
    "div.row",
    source === "ignored"
      ? button("listen", text("check.listen"), { class: "prime" })
      : source !== "none" && button("ignore", text("check.ignore")),
    state === "unexplained" && [
      button("put_back", text("check.put_back")),
      button("accept", text("check.accept")),
    ],
  );
}

/** Whether a board or a camera reads the table now. @param {SensorPage} sensorPage */
const isSeeing = ({ status, has_seen: hasSeen }) => status.link === "up" && hasSeen;

/** A cell: what is read, whether it is right, when. @param {string} name @param {SeenCell} seen */
function liveCell(name, seen) {
  const { pawns, occupied, expected = [], tile, tokens, unknown, partly, age } = seen ?? {};
  const isSeen = pawns ? pawns.length > 0 : occupied;
  const isRight = pawns
    ? String(pawns) === String(partly ? expected.filter((pawn) => pawns.includes(pawn)) : expected)
    : occupied === null || occupied === undefined || occupied === expected.length > 0;
  const sign = unknown ? "?" : isRight ? icon("check") : icon("cross");
  return h(
    "td",
    { "data-cell-seen": name, colspan: 2, class: unknown ? "unsure" : isRight ? "right" : "wrong" },
    h(
      "span.name",
      name,
      " ",
      sign,
      h("span.vh", text(unknown ? "seen.unsure" : isRight ? "seen.right" : "seen.wrong")),
    ),
    h(
      "span.what",
      (pawns ?? []).map((pawn) => [pawnChip(pawn), " "]),
      !pawns && isSeen ? text("seen.something") : "",
      (pawns && !pawns.length) || isSeen === false ? text("seen.nothing") : "",
      (tokens ?? []).map((kind) => [" ", text(`tile.${kind}`)]),
      tile ? ` ${tile.number}/${tile.turn ?? "?"}` : "",
    ),
    h(
      "span.age",
      age === null || age === undefined
        ? "–"
        : text("seconds", { n: age < 10 ? Math.round(age * 10) / 10 : Math.round(age) }),
    ),
  );
}

/** Every cell, as read by the sensor. @param {SensorPage} sensorPage */
function grid({ cells, source }) {
  const rows = rowsOf(source?.cells?.length ? source.cells : SQUARE);
  const widest = Math.max(...rows.map((row) => row.length));
  return h(
    "section.card.wide-card",
    h("h2", text("board.live")),
    h(
      "table#live",
      h("caption.vh", text("board.live")),
      h(
        "tbody",
        rows.map((row) =>
          h(
            "tr",
            row.length < widest && h("td.beside", { colspan: widest - row.length }),
            row.map((name) => liveCell(name, cells[name])),
          ),
        ),
      ),
    ),
  );
}

/**
 * A board's cells in its own order, row by row: squares of a row share the number, hexagons the (small) letter.
 * @param {string[]} cells
 */
function rowsOf(cells) {
  /** @param {string} name */
  const rowOf = (name) => (name[0] === name[0].toLowerCase() ? name[0] : name.slice(1));
  return [...new Set(cells.map(rowOf))].map((row) => cells.filter((name) => rowOf(name) === row));
}

/** The source's counters of the line. @param {any} source */
function frames(source) {
  if (!source) return null;
  const {
    link: state,
    port,
    firmware = null,
    board_id: number = null,
    name: called = null,
    caps,
    age = null,
    counters,
    faults = [],
    problem,
  } = source;
  const figures = Object.entries({
    link: state,
    port,
    firmware,
    board: number,
    name: called,
    abilities: caps ? caps.join(" ") : null,
    age,
    faults: faults.join(", ") || null,
    ...counters,
  });
  return h(
    "section#source.card",
    h("h2", text("board.line")),
    problem && h("p#problem", message(problem)),
    h(
      "dl",
      figures
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [
          h("dt", { lang: "en" }, name.replaceAll("_", " ")),
          h("dd", { translate: "no" }, String(value)),
        ]),
    ),
  );
}

/** @param {SensorPage} seen */
function report(seen) {
  return h(
    "section",
    button("report", text("board.report")),
    h(
      "textarea#report",
      { lang: "en", readonly: true, hidden: true, rows: 8, "aria-label": text("board.report") },
      JSON.stringify(seen, null, 1),
    ),
  );
}

await begin();
