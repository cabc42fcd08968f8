/**
 * The page /map: the board of your own V-Wars, typed once, stored by the table, saved and loaded
 * as a content file.
 */
import { store, readStored, timedFetch } from "../../core/browser.js";
import { withNotice } from "../../core/with_notice.js";
import { button, deviceButtons, onPress, toggleTheme, whyNot } from "../../core/controls.js";
import { Channel } from "../../core/channel.js";
import {
  blank,
  cityNamed,
  MOST_REGIONS,
  named,
  placed,
  rowsOf,
  toml,
  touching,
  withCity,
  withRegion,
} from "./map_rows.js";
import { onFile, onInput } from "../../core/fields.js";
import { landColours } from "./board.js";
import { followWithRole } from "../../core/role.js";
import { byId, focusOn, h, render } from "../../core/dom.js";
import {
  followLanguage,
  loadGameWords,
  loadWords,
  nextLanguage,
  message,
  text,
  useSeats,
  useWordsOf,
} from "../../core/i18n.js";
import { saveMap, sendFile } from "../../core/files.js";

/** Unsent text stays on this device. */
const DRAFT = "map-vwars";

const page = {
  /** @type {VWarsRow[]} */
  rows: [],
  canControl: false,
  isLobby: false,
  isBusy: false,
  isKept: false,
  /** @type {import("../../core/channel.js").Channel | null} */
  channel: null,
  /** @type {Message | null} */
  notice: null,
  /** @type {Record<string, VWarsFinding[]>} */
  wrong: {},
  /** @type {VWarsFinding[]} */
  faults: [],
};
const request = withNotice(page);

async function begin() {
  await loadWords(null, "host", "terminal");
  await loadGameWords("vwars", "map");
  useWordsOf("vwars");
  followLanguage(draw);
  page.channel = await Channel.openKept();
  page.rows = JSON.parse(readStored(DRAFT) ?? "null") ?? (await savedRows()) ?? blank();
  onPress(document.body, async ({ action, argument }) => {
    await ACTIONS[action]?.(argument);
    draw();
  });
  onInput(typed);
  onFile("file", load);
  /** @param {Update} update */
  const onUpdate = ({ snapshot }) => {
    useSeats(snapshot.seats);
    page.isLobby = snapshot.phase === "lobby";
    draw();
  };
  await followWithRole(page, request, { onUpdate, draw });
}

/** The rows of the map that the table keeps, null if there is none. */
async function savedRows() {
  const map = (await (await timedFetch("/map.json")).json()).vwars?.map;
  return map ? rowsOf(map) : null;
}

/* ---- hands ---- */

/** @param {string} name */
const placeOf = (name) =>
  /** @type {[number, number]} */
  (name.split(".").map(Number));

/** @param {HTMLInputElement} input */
function typed({ id, value }) {
  const [, place] = /^at-([\d.]+)$/.exec(id) ?? [];
  if (!place) return;
  const [region, city] = placeOf(place);
  changed(
    city === undefined
      ? named(page.rows, region, value)
      : cityNamed(page.rows, region, city, value),
  );
  delete page.wrong[place];
  draw();
}

/** @param {VWarsRow[]} rows */
function changed(rows) {
  Object.assign(page, { rows, isKept: false });
  store(DRAFT, JSON.stringify(rows));
}

/** @type {ActionTable} */
const ACTIONS = {
  touch: (place) => changed(touching(page.rows, ...placeOf(place))),
  city: (at) => changed(withCity(page.rows, Number(at))),
  region: () => changed(withRegion(page.rows)),
  language: nextLanguage,
  light: toggleTheme,
  save: () => saveMap(written(), "map"),
  play: () => send(written()),
};

const written = () =>
  toml(page.rows, { title: text("host.map"), language: document.documentElement.lang });

/**
 * A file's faults are shown by its lines; it takes the place of what is typed only when nothing is wrong with it.
 * @param {File} file
 */
async function load(file) {
  const reply = await send(await file.text(), true);
  if (reply?.setup) page.rows = rowsOf(reply.setup.map);
  draw();
}

/** @param {string} words @param {boolean} [isFile] */
async function send(words, isFile = false) {
  Object.assign(page, { isBusy: true, isKept: false, wrong: {}, faults: [] });
  draw();
  const ticket = (await request("map"))?.ticket;
  const reply = ticket && (await sendFile("/map", words, ticket));
  page.isBusy = false;
  if (ticket && !reply) page.notice = { code: "not_sent", params: {} };
  if (!reply) return draw();
  page.notice = reply.message ?? null;
  if (reply.findings && isFile) page.faults = reply.findings;
  else if (reply.findings) page.wrong = placed(reply.findings, page.rows);
  if (reply.setup) {
    page.isKept = !reply.message;
    store(DRAFT, null);
  }
  draw();
  if (reply.findings) focusOn("[aria-invalid='true'], .faults");
  return reply;
}

/* ---- what is seen ---- */

const draw = () => render(byId("screen"), [mapScreen(page)]);

/** @param {VWarsMapPage} mapPage */
function mapScreen({ rows, canControl, isLobby, isBusy, isKept, notice, wrong, faults }) {
  const count = Object.values(wrong).flat().length;
  return h(
    "main.maps",
    h(
      "header",
      h("div.line", h("h1", text("host.map")), h("div.tools", deviceButtons())),
      h("p.muted", text("map.why")),
    ),
    canControl ? null : h("p", text("host.seat")),
    h(
      "div.regions",
      rows.map((row, at) => region(rows, row, at, wrong)),
    ),
    rows.length < MOST_REGIONS && button("region", text("map.more_regions")),
    h(
      "footer",
      notice && h("p#notice.bad", { role: "alert" }, message(notice)),
      count > 0 && h("p#count.bad", { role: "alert" }, text("map.wrong", { n: count })),
      (wrong[""] ?? []).map(({ field, message: fault }) =>
        h("p.bad.whole", field in TABLES && [text(TABLES[field]), ": "], message(fault)),
      ),
      faults.length > 0 &&
        h(
          "ul#faults.bad.faults",
          { tabindex: -1, role: "alert" },
          faults.map(({ line, field, message: fault }) =>
            h(
              "li",
              line !== null && [text("map.line", { line }), ": "],
              field && h("code", { translate: "no" }, field, ": "),
              message(fault),
            ),
          ),
        ),
      isKept && h("p#kept", { role: "status" }, text("map.kept")),
      h(
        "div.row",
        button("play", text(isBusy ? "map.sending" : "map.play"), {
          class: "prime",
          ...whyNot(
            (!canControl && text("host.seat")) ||
              (!isLobby && text("host.running")) ||
              (isBusy && text("map.sending")),
          ),
        }),
        button("save", text("map.save")),
        canControl &&
          isLobby &&
          h(
            "label#load.button",
            text("map.load"),
            h("input#file.vh", { type: "file", accept: ".toml" }),
          ),
        h("a.button", { href: "/host" }, text("back")),
      ),
    ),
  );
}

/** @type {Record<string, string>} */
const TABLES = { region: "map.regions", city: "map.cities" };

/**
 * @param {VWarsRow[]} rows @param {VWarsRow} row @param {number} at
 * @param {Record<string, VWarsFinding[]>} wrong
 */
function region(rows, { name, touches, cities }, at, wrong) {
  return h(
    "section.card",
    { "aria-label": text("map.region", { n: at + 1 }), ...landColours(at) },
    field(`${at}`, text("map.region", { n: at + 1 }), name, wrong[at]),
    h(
      "div.cities",
      cities.map((city, number) =>
        field(
          `${at}.${number}`,
          text("map.city", { n: number + 1 }),
          city.name,
          wrong[`${at}.${number}`],
        ),
      ),
    ),
    h(
      "div.touches",
      { role: "group", "aria-label": text("map.touches") },
      h("p.muted", text("map.touches")),
      h(
        "div.row",
        rows.map(
          (other, index) =>
            index !== at &&
            button(["touch", `${at}.${index}`], other.name.trim() || String(index + 1), {
              translate: "no",
              "aria-pressed": String(touches.includes(other.id)),
              "aria-label": other.name.trim() || text("map.region", { n: index + 1 }),
            }),
        ),
      ),
    ),
    button(["city", at], text("map.more_cities")),
  );
}

/**
 * @param {string} place @param {string} label @param {string} value @param {VWarsFinding[]} [wrong]
 */
function field(place, label, value, wrong = []) {
  const id = `at-${place}`;
  return h(
    "label",
    { for: id },
    h("span", label),
    h("input", {
      type: "text",
      id,
      value,
      maxlength: 60,
      autocomplete: "off",
      spellcheck: "false",
      "aria-invalid": wrong.length ? "true" : null,
      "aria-describedby": wrong.length ? `${id}-wrong` : null,
    }),
    wrong.length > 0 &&
      h(
        "span.bad",
        { id: `${id}-wrong` },
        wrong.map(({ message: fault }, index) => [index > 0 && " ", message(fault)]),
      ),
  );
}

await begin();
