/**
 * Read the printed tiles: from one photo, or one after the other; confirmed by a person. It gets
 * public facts only.
 */
import { withNotice } from "../../../core/with_notice.js";
import { button, lightButton, onPress, toggleTheme, whyNot } from "../../../core/controls.js";
import { Channel } from "../../../core/channel.js";
import { CELLS } from "../drawing/field.js";
import { onFile, onInput } from "../../../core/fields.js";
import { subscribePublic } from "../../../core/public_stream.js";
import { ENDLESS, freshBeeps, missing, scannedNumber, turnedCell, turnedField } from "./codes.js";
import { byId, h, render } from "../../../core/dom.js";
import {
  chooseLanguage,
  followLanguage,
  loadGameWords,
  loadWords,
  message,
  text,
  useSeats,
  useWordsOf,
  isSeat,
} from "../../../core/i18n.js";
import { languageButtons } from "../../../core/language_buttons.js";
import { sendFile } from "../../../core/files.js";

const LONGEST = 2000;
const QUALITY = 0.9;
const TILES = 36;

/** `tiles` is {cell: [number, turn]}, `places` where the cells are in `photo`, `steps` how they lie against a running game. */
const page = {
  /** @type {any} */
  snapshot: null,
  /** @type {import("../../../core/channel.js").Channel | null} */
  channel: null,
  canControl: false,
  /** @type {Message | null} */
  notice: null,
  isBusy: false,
  isDone: false,
  /** @type {{url: string, width: number, height: number} | null} */
  photo: null,
  /** @type {Record<string, number[]>} */
  tiles: {},
  /** @type {Record<string, any> | null} */
  places: null,
  problems: [],
  north: null,
  /** @type {Record<string, any[]>} */
  steps: {},
  /** @type {any} */
  chosen: null,
  isScanning: false,
  /** @type {string[]} */
  order: [],
  /** @type {{run: string, count: number} | null} */
  lastScan: null,
};
const request = withNotice(page);

async function begin() {
  await loadWords(null, "host", "maintenance", "camera");
  await loadGameWords("vampireradar", "tiles");
  useWordsOf("vampireradar");
  followLanguage(draw);
  page.channel = await Channel.openKept();
  const hello = await request("hello");
  page.canControl = isSeat(hello?.role) || hello?.role === "display";
  onPress(document.body, async ({ action, argument, cell }) => {
    if (cell) tilePressed(cell);
    else await ACTIONS[action]?.(argument);
    draw();
  });
  onFile("photo", read);
  document.addEventListener(
    "keydown",
    /** @param {any} event */
    (event) => {
      const field = event.target;
      if (field.id !== "scanner" || !["Enter", "Tab"].includes(event.key)) return;
      // A scanner that ends a code by TAB would leave the field; a person's TAB leaves it when it is empty.
      if (event.key === "Enter" || field.value) event.preventDefault();
      if (field.value) scanned(field);
    },
  );
  onInput((field) => {
    if (field.id !== "scanner") return;
    if (scannedNumber(field.value)) scanned(field);
    else if (field.value.length > ENDLESS) {
      scanned(field);
      page.notice = { code: "tiles.endless", params: {} };
      draw();
    }
  });
  subscribePublic(
    ({ snapshot }) => {
      page.snapshot = snapshot;
      useSeats(snapshot.seats);
      listen(snapshot.scanner);
      draw();
    },
    () => {},
  );
}

/* ---- the photo ---- */

/** @param {File} file */
async function read(file) {
  Object.assign(page, { isBusy: true, notice: null, isDone: false, isScanning: false });
  draw();
  // With the ticket's request the table starts the photo's process.
  const [photo, reply] = await Promise.all([shrunk(file), request("photo")]);
  if (!photo) page.notice = { code: "scan.no_picture", params: {} };
  else if (reply?.ticket) await send(photo, reply.ticket);
  page.isBusy = false;
  draw();
}

/** The photo, upright and small; null if the browser cannot open it. @param {any} file */
async function shrunk(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return null;
  }
  const share = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.round(bitmap.width * share),
    height: Math.round(bitmap.height * share),
  });
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  return { blob, width: canvas.width, height: canvas.height };
}

/** @param {{blob: Blob, width: number, height: number}} picture @param {string} ticket */
async function send({ blob, width, height }, ticket) {
  const result = await sendFile("/photo", blob, ticket);
  if (!result?.problems) return Object.assign(page, { notice: { code: "not_sent", params: {} } });
  if (page.photo) URL.revokeObjectURL(page.photo.url);
  const hasField = Object.keys(result.places).length > 0;
  Object.assign(page, {
    photo: hasField ? { url: URL.createObjectURL(blob), width, height } : null,
    tiles: result.tiles,
    places: hasField ? result.places : null,
    problems: result.problems,
    north: result.north,
    chosen: null,
    order: [],
  });
  await check();
}

/** In a game the tiles are compared with its field; before one there is nothing to compare. */
async function check() {
  page.steps = {};
  if (page.snapshot.phase === "lobby" || !Object.keys(page.tiles).length) return;
  page.steps = (await request("check_tiles", { tiles: page.tiles }))?.steps ?? {};
}

/* ---- presses ---- */

/** @param {string} cell */
function tilePressed(cell) {
  // One after the other the scanner reads numbers alone: a tap turns the tile.
  if (page.isScanning && page.tiles[cell]) turn(cell);
  else page.chosen = page.chosen === cell ? null : cell;
}

/** @param {string} cell */
function turn(cell) {
  const [number, by] = page.tiles[cell];
  page.tiles = { ...page.tiles, [cell]: [number, (by + 90) % 360] };
}

/** @type {ActionTable} */
const ACTIONS = {
  number: async (number) => {
    // The game has that tile with its turn; a person who confirms it confirms the turn.
    const [laid, by] = page.steps[page.chosen] ?? [];
    page.tiles = {
      ...page.tiles,
      [page.chosen]: [Number(number), laid === Number(number) ? by : 0],
    };
    await check();
  },
  turn: async () => {
    turn(page.chosen);
    await check();
  },
  unknown: async () => {
    const { [page.chosen]: _, ...rest } = page.tiles;
    page.tiles = rest;
    await check();
  },
  quarter: async () => {
    page.tiles = turnedField(page.tiles);
    if (page.places)
      page.places = Object.fromEntries(
        Object.entries(page.places).map(([cell, at]) => [turnedCell(cell), at]),
      );
    Object.assign(page, { chosen: null, north: null });
    await check();
  },
  // A card that something covers looks like none: the person confirms that the photo's top is row 1.
  upright: () => {
    page.north = null;
  },
  lay: async () => {
    page.isDone = (await request("lay_tiles", { tiles: page.tiles }))?.ok === true;
  },
  scan: () =>
    Object.assign(page, {
      isScanning: true,
      photo: null,
      places: null,
      tiles: {},
      problems: [],
      north: null,
      steps: {},
      chosen: null,
      order: [],
      isDone: false,
    }),
  undo: () => {
    const last = page.order.at(-1) ?? "";
    const { [last]: _, ...rest } = page.tiles;
    Object.assign(page, { tiles: rest, order: page.order.slice(0, -1) });
  },
  language: chooseLanguage,
  light: toggleTheme,
};

/** A hand scanner has typed a code: the next cell has that tile. @param {any} field */
function scanned(field) {
  const number = scannedNumber(field.value);
  field.value = "";
  beeped(number);
  draw();
}

/** Take codes of a scanner on the companion's port, tile by tile. @param {any} scanner */
function listen(scanner) {
  if (!scanner) return;
  const fresh = freshBeeps(page.lastScan, scanner);
  page.lastScan = { run: scanner.run, count: scanner.count };
  if (page.isScanning && page.snapshot.phase === "lobby")
    fresh.forEach((number) => beeped(number || null));
}

/** @param {any} number */
function beeped(number) {
  const cell = CELLS.find((each) => !page.tiles[each]);
  page.notice = null;
  if (number === null) page.notice = { code: "tiles.not_read", params: {} };
  else if (!missing(page.tiles).includes(number))
    page.notice = { code: "scan.twice", params: { number } };
  else if (cell)
    Object.assign(page, {
      tiles: { ...page.tiles, [cell]: [number, 0] },
      order: [...page.order, cell],
    });
}

/* ---- drawing ---- */

/** Why the field of these tiles cannot be used yet; null if it can. @param {number} count */
function whyNotLaid(count) {
  if (count < TILES) return text("tiles.count", { n: count });
  return page.north === "photo" ? text("scan.by_photo") : null;
}

function draw() {
  /** @type {Omit<typeof page, "snapshot"> & {snapshot: (Snapshot & {scanner?: any}) | null}} */
  const { snapshot, canControl, notice, isBusy, isScanning, isDone, problems, north } = page;
  if (!snapshot) return;
  const isLobby = snapshot.phase === "lobby";
  const isShown = page.places || isScanning;
  const count = Object.keys(page.tiles).length;
  render(byId("screen"), [
    h(
      "main",
      h("h1", text("game.vampireradar"), ": ", text("tiles")),
      !canControl && h("p", text("host.seat")),
      notice && h("p#notice.bad", { role: "alert" }, message(notice)),
      canControl && h("p.muted", text(isLobby ? "tiles.why" : "tiles.check")),
      canControl &&
        h(
          "label#take-photo.button.prime",
          text(isBusy ? "tiles.reading" : "tiles.photo"),
          h("input#photo.vh", {
            type: "file",
            accept: "image/*",
            capture: "environment",

            disabled: isBusy,
          }),
        ),
      h(
        "ul#problems.doubts",
        problems.map((each) => h("li.bad", message(each))),
        wrongs(),
      ),
      north &&
        h("p#north", { class: north === "photo" ? null : "muted" }, text(`scan.by_${north}`)),
      north === "photo" &&
        canControl &&
        h(
          "div.row",
          button("upright", text("tiles.top_left")),
          button("quarter", text("tiles.quarter")),
        ),
      isShown && overlay(),
      isShown && h("p#count", { "aria-live": "polite" }, text("tiles.count", { n: count })),
      isScanning &&
        h(
          "label",
          text("tiles.scanner"),
          h("input#scanner", {
            autocomplete: "off",
            autocapitalize: "none",
            spellcheck: "false",
            translate: "no",
          }),
        ),
      isScanning &&
        snapshot.scanner &&
        h("p#scanner-link.muted", message(snapshot.scanner.message)),
      choices(),
      canControl &&
        isShown &&
        h(
          "div.row",
          !isScanning && north !== "photo" && button("quarter", text("tiles.quarter")),
          isScanning &&
            button("undo", text("undo"), whyNot(!page.order.length && text("nothing_to_undo"))),
        ),
      canControl &&
        isShown &&
        isLobby &&
        button("lay", text("tiles.lay"), { class: "prime", ...whyNot(whyNotLaid(count)) }),
      isDone && h("p#done.fine", { role: "status" }, text("tiles.laid")),
      isDone &&
        h(
          "ul#doubts.doubts",
          snapshot.lobby.warnings.map((each) => h("li", message(each))),
        ),
      canControl && isLobby && !isScanning && button("scan", text("tiles.one_by_one")),
      h("div.tools", languageButtons(), lightButton()),
      h("a.button", { href: "/host" }, text("host")),
    ),
  ]);
  if (isScanning && !page.chosen) document.getElementById("scanner")?.focus();
}

/** The tiles that differ from the running game's field, and the cells that are still covered. */
function wrongs() {
  const steps = Object.entries(page.steps);
  const named = steps
    .filter(([, [, , state]]) => state === "wrong" || state === "turn")
    .map(([cell, [number, , state, seen]]) =>
      h("li.bad", { "data-wrong": cell }, text(`sheet.${state}`, { cell, number, seen })),
    );
  const covered =
    page.places && page.snapshot.phase !== "lobby" ? CELLS.filter((cell) => !page.tiles[cell]) : [];
  return [
    ...named,
    covered.length > 0 && h("li#covered", text("tiles.covered", { cells: covered.join(" ") })),
    steps.length > 0 &&
      steps.every(([, [, , state]]) => state === "done") &&
      h("li#same.fine", text("sheet.done")),
  ];
}

/** The photo with a mark on each tile, or a plain grid: the tiles that are read, wanted or wrong. */
function overlay() {
  const { photo, places } = page;
  const [width, height] = photo ? [photo.width, photo.height] : [600, 600];
  const size = Math.min(width, height) / (photo ? 22 : 15);
  /** @param {string} cell */
  const at = (cell) =>
    places
      ? [(places[cell][0] * width) / 1000, (places[cell][1] * height) / 1000]
      : [50 + 100 * "ABCDEF".indexOf(cell[0]), 50 + 100 * (Number(cell[1]) - 1)];
  return h(
    "svg#overlay.overlay",
    { role: "group", "aria-label": text("field"), viewBox: `0 0 ${width} ${height}` },
    photo && h("image", { href: photo.url, width, height, "aria-hidden": "true" }),
    CELLS.map((cell) => mark(cell, at(cell), size)),
  );
}

/** @param {string} cell @param {number[]} place @param {number} size */
function mark(cell, [x, y], size) {
  const tile = page.tiles[cell];
  const state = page.steps[cell]?.[2] ?? (tile ? "done" : "todo");
  const [sign, kind] = tile ? (state === "done" ? ["✓", "read"] : ["✗", "off"]) : ["?", "unread"];
  const label = tile
    ? text("tiles.read", { cell, number: tile[0], turn: tile[1] })
    : text("tiles.unread", { cell });
  return h(
    "g",
    {
      "data-cell": cell,
      role: "button",
      tabindex: cell === (page.chosen ?? "A1") ? 0 : -1,
      "aria-label": label,
      class: `mark ${kind}${page.chosen === cell ? " chosen" : ""}`,
      transform: `translate(${Math.round(x)} ${Math.round(y)}) scale(${(size / 20).toFixed(2)})`,
    },
    h("circle", { r: 20 }),
    h("text", { y: 7, "aria-hidden": "true" }, page.isScanning && tile ? tile[0] : sign),
    tile && h("path.notch", { d: "M-6 -21 L6 -21 L0 -30 Z", transform: `rotate(${tile[1]})` }),
  );
}

function choices() {
  const { chosen, tiles } = page;
  if (!chosen) return null;
  const tile = tiles[chosen];
  return h(
    "section#choices.card",
    { "aria-label": chosen },
    h(
      "h2",
      { translate: "no" },
      tile
        ? text("tiles.read", { cell: chosen, number: tile[0], turn: tile[1] })
        : text("tiles.which", { cell: chosen }),
    ),
    tile
      ? h("div.row", button("turn", text("tiles.turn")), button("unknown", text("tiles.unknown")))
      : h(
          "div.numbers",
          missing(tiles).map((number) => button(["number", number], number)),
        ),
  );
}

await begin();
