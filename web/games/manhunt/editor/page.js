/**
 * The page /map-editor: draw a map by finger over a picture of a board, check, save and open it.
 */
import { store, readStored } from "../../../core/browser.js";
import { Channel } from "../../../core/channel.js";
import { onPress, toggleTheme } from "../../../core/controls.js";
import { byId, render } from "../../../core/dom.js";
import {
  followLanguage,
  loadGameWords,
  loadWords,
  nextLanguage,
  text,
  useWordsOf,
} from "../../../core/i18n.js";
import { followWithRole } from "../../../core/role.js";
import { withNotice } from "../../../core/with_notice.js";
import { placeOf } from "./check.js";
import { read, written } from "./file.js";
import { followFingers, MOST_ZOOM } from "./fingers.js";
import * as model from "./model.js";
import { editor, findingsOf } from "./panel.js";
import { saveMap, sendFile } from "../../../core/files.js";

/** The drawing stays on this device until another one is opened or begun. */
const DRAFT = "map-draft";
const MOST_UNDONE = 100;
const ZOOM = 1.5;
const KINDS = ["street", "water", "rail"];

const page = {
  /** @type {any} */
  map: null,
  /** @type {ManhuntMap[]} */
  past: [],
  /** @type {any} */
  selected: null,
  kind: KINDS[0],
  kinds: KINDS,
  tool: "draw",
  /** The visible part of the map: its middle and its enlargement. */
  view: { x: 500, y: 350, zoom: 1 },
  /** @type {string | null} */
  picture: null,
  /** The last refusal, with `at` on the map, or `field`. @type {ManhuntEditor["refused"]} */
  refused: null,
  /** @type {ManhuntDrag | null} */
  drag: null,
  isSaved: false,
  /** Whether this device belongs to the table, and the table has stored the map. */
  canControl: false,
  isKept: false,
  /** @type {import("../../../core/channel.js").Channel | null} */
  channel: null,
  /** @type {Message | null} */
  notice: null,
};
const request = withNotice(page);

async function begin() {
  await loadWords(null, "terminal");
  await loadGameWords("manhunt", "map", "editor");
  useWordsOf("manhunt");
  followLanguage(draw);
  take(draft() ?? fresh());
  onPress(document.body, async ({ action, argument }) => {
    await ACTIONS[action]?.(argument);
    draw();
  });
  document.addEventListener("change", changed);
  document.addEventListener("keydown", (event) => {
    if (!isUndo(event)) return;
    undo();
    draw();
  });
  draw();
  followFingers(byId("canvas"), page, { tap, join, drop, move, redraw: draw });
  page.channel = await Channel.openKept();
  await followWithRole(page, request, { draw });
  draw();
}

/** Whether keys ask for an undo of the map; a field has its own. @param {any} event */
const isUndo = ({ key, ctrlKey, metaKey, target }) =>
  key === "z" && (ctrlKey || metaKey) && !target.closest("input, textarea");

function undo() {
  if (!page.past.length) return;
  page.map = page.past.pop();
  page.refused = null;
  if (!model.placeAt(page.map, page.selected)) page.selected = null;
  store(DRAFT, written(page.map));
}

const fresh = () =>
  model.blank({ title: text("edit.untitled"), language: document.documentElement.lang });

function draft() {
  const json = readStored(DRAFT);
  return json && read(json).map;
}

/** Show another map, all of it. @param {any} map */
function take(map) {
  const kinds = [...new Set([...map.ways.map(({ kind = "street" }) => kind), ...KINDS])];
  const { width, height } = map.size;
  Object.assign(page, {
    map,
    past: [],
    selected: null,
    kinds: map.ways.length ? kinds.slice(0, 8) : KINDS,
    kind: kinds[0],
    view: { x: width / 2, y: height / 2, zoom: 1 },
    refused: null,
    isSaved: false,
    isKept: false,
  });
}

/**
 * Apply a result of the model: a changed map, or a refusal and its place.
 * @param {any} answer @param {string | null} field
 */
function apply(answer, field = null) {
  page.refused = null;
  if (answer.refused) {
    page.refused = { message: answer.refused, at: field ? null : answer.at, field };
    return;
  }
  page.past = [...page.past, page.map].slice(-MOST_UNDONE);
  page.map = answer.map;
  Object.assign(page, { isSaved: false, isKept: false });
  if ("selected" in answer) page.selected = answer.selected;
  store(DRAFT, written(page.map));
}

/* ---- hands on the map ---- */

/** @param {number | null} number @param {ManhuntPoint} point */
function tap(number, point) {
  page.refused = null;
  if (number !== null) page.selected = number;
  else if (page.tool === "draw") apply(model.addPlace(page.map, point));
  else page.selected = null;
}
/** @param {number} from @param {number} to */
const join = (from, to) => apply(model.addWay(page.map, from, to, page.kind));
/** @param {ManhuntPoint} point */
const drop = (point) => apply({ refused: { code: "edit.no_place", params: {} }, at: point });
/** @param {number} number @param {ManhuntPoint} point */
const move = (number, point) => apply(model.movePlace(page.map, number, point));

/* ---- hands on the panel ---- */

/** @type {ActionTable} */
const ACTIONS = {
  language: nextLanguage,
  light: toggleTheme,
  tool: (name) => {
    page.tool = name;
  },
  kind: (kind) => {
    page.kind = kind;
  },
  zoom: (way) => {
    const zoom = way === "in" ? page.view.zoom * ZOOM : page.view.zoom / ZOOM;
    page.view = { ...page.view, zoom: Math.min(Math.max(zoom, 1), MOST_ZOOM) };
  },
  undo,
  place: (what) => apply(model.togglePlace(page.map, page.selected, what)),
  remove: () => apply(model.removePlace(page.map, page.selected)),
  done: () => {
    page.selected = null;
  },
  turn: (index) => apply(model.turnWay(page.map, Number(index))),
  only: (index) => apply(model.onlyFugitive(page.map, Number(index))),
  cut: (index) => apply(model.removeWay(page.map, Number(index))),
  find: (index) => {
    /** @type {any} */
    const number = placeOf(findingsOf(page.map)[Number(index)], page.map);
    const place = model.placeAt(page.map, number);
    if (!place) return;
    page.selected = number;
    page.view = { ...page.view, x: place.x, y: place.y };
  },
  add: () => {
    const { x, y } = page.view;
    apply(model.addPlace(page.map, { x, y }));
  },
  save,
  play,
  new: () => {
    page.picture = null;
    const past = page.map;
    take(fresh());
    page.past = [past];
    store(DRAFT, null);
  },
};

/** Save the map as a file, finished or not. */
function save() {
  const name = page.map.title.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase();
  saveMap(written(page.map), name || "map");
  page.isSaved = true;
}

/** Send the map to the table, which uses it next or returns its errors. */
async function play() {
  const ticket = (await request("map"))?.ticket;
  const reply = ticket && ((await sendFile("/map", written(page.map), ticket)) ?? NOT_SENT);
  const refusal = page.notice ?? reply?.message ?? reply?.findings?.[0]?.message;
  page.refused = refusal ? { message: refusal, at: null, field: "play" } : null;
  page.isKept = !refusal;
}

const NOT_SENT = { message: { code: "not_sent", params: {} } };

/** @type {Record<string, (value: any) => unknown>} */
const FIELDS = {
  title: (value) =>
    apply(
      value.trim()
        ? { map: { ...page.map, title: value.trim() } }
        : { refused: { code: "content.empty", params: {} } },
      "title",
    ),
  "place-name": (value) => apply(model.namePlace(page.map, page.selected, value), "place-name"),
  "place-number": (value) =>
    apply(model.numberPlace(page.map, page.selected, Number(value)), "place-number"),
  which: (value) => {
    page.selected = value ? Number(value) : null;
  },
  "way-to": (value) => {
    if (value) apply(model.addWay(page.map, page.selected, Number(value), page.kind), "way-to");
  },
  "new-kind": (value) => {
    const kind = value.trim();
    if (!kind) return;
    page.kinds = [...new Set([...page.kinds, kind])];
    page.kind = kind;
  },
  hunters: (value) => setRule("hunters", Number(value)),
  rounds: (value) => setRule("rounds", Number(value)),
  announce: (value) => setRule("announce", value),
  shows: (value) => {
    const rounds = value.split(/[^0-9]+/).filter(Boolean);
    setRule("shows", rounds.map(Number));
  },
};

/** @param {string} name @param {unknown} value */
const setRule = (name, value) =>
  apply({ map: { ...page.map, rules: { ...page.map.rules, [name]: value } } }, name);

/** @param {any} change */
async function changed({ target }) {
  if (target.id === "picture" && target.files[0]) await showPicture(target.files[0]);
  else if (target.id === "file" && target.files[0]) await open(target.files[0]);
  else if (Object.hasOwn(FIELDS, target.id)) FIELDS[target.id](target.value);
  else return;
  if (target.type === "file" || ["way-to", "new-kind"].includes(target.id)) target.value = "";
  draw();
}

/** @param {File} file */
async function open(file) {
  const answer = read(await file.text());
  if (answer.refused) page.refused = { message: answer.refused, at: null, field: "file" };
  else {
    const past = page.map;
    take(answer.map);
    page.past = [past];
    store(DRAFT, written(page.map));
  }
}

/** Show a picture below the map; it stays on this device. @param {File} file */
async function showPicture(file) {
  const href = URL.createObjectURL(file);
  const image = new Image();
  image.src = href;
  try {
    await image.decode();
  } catch {
    page.refused = { message: { code: "edit.no_picture", params: {} }, at: null, field: "picture" };
    return;
  }
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  apply(model.overPicture(page.map, file.name, size), "picture");
  page.picture = href;
  const { width, height } = page.map.size;
  page.view = { x: width / 2, y: height / 2, zoom: 1 };
}

/* ---- what is seen ---- */

const draw = () => render(byId("screen"), [editor(page)]);

await begin();
