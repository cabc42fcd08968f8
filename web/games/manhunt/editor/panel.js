/** Describe the map editor: the map with its errors, and the panel beside it. Pure. */
import { button, CLOSES, deviceButtons, whyNot, narrowButton } from "../../../core/controls.js";
import { h } from "../../../core/dom.js";
import { message, text } from "../../../core/i18n.js";
import { warnings, faults, placeOf } from "./check.js";
import { endsOf } from "../city.js";
import { looks, pitch } from "../city.js";
import { drawCity, drawNames, plan, sample } from "../city_drawing.js";
import { MOST_ZOOM, shownPart } from "./fingers.js";
import { placeAt } from "./model.js";

/** Kinds with words in the catalogues; others have the name of their file. */
const NAMED = ["street", "water", "rail", "alley", "passage", "stairs", "shaft"];
const ANNOUNCE = ["nothing", "kind", "distance", "direction"];
const SHOWN_FINDINGS = 12;
/** The finding of a map that is only begun. */
const SHORT = "content.too_few";

/** @param {string} kind */
const kindName = (kind) => (NAMED.includes(kind) ? text(`edit.kind.${kind}`) : kind);

/** The findings of the check, errors first. @param {ManhuntMap} map */
export const findingsOf = (map) => {
  const wrong = faults(map).map((finding) => ({ ...finding, isFault: true }));
  const isShort = wrong.some(({ code }) => code === SHORT);
  return [...wrong, ...(isShort ? [] : warnings(map))];
};

/** @param {ManhuntEditor} page */
export function editor(page) {
  const findings = findingsOf(page.map);
  return h(
    "main.mapeditor",
    h("header.line", h("h1", text("edit.heading")), h("div.tools", deviceButtons())),
    toolbar(page),
    h("div#canvas", picture(page, findings), !page.map.places.length && next(page.map)),
    h("div.panel", page.selected === null ? whole(page, findings) : place(page, findings)),
  );
}

/** @param {string} way @param {string} sign @param {string} label @param {string | false} why */
const zoomButton = (way, sign, label, why) => narrowButton(["zoom", way], sign, label, whyNot(why));

/** @param {ManhuntEditor} page */
function toolbar({ tool, past, kind, kinds, map, view }) {
  return h(
    "div.toolbar",
    h(
      "div.row",
      { role: "group", "aria-label": text("edit.tools") },
      ["draw", "move"].map((name) =>
        button(["tool", name], text(`edit.${name}`), { "aria-pressed": String(tool === name) }),
      ),
      button("undo", text("undo"), whyNot(!past.length && text("nothing_to_undo"))),
      zoomButton("out", "−", text("edit.smaller"), view.zoom <= 1 && text("edit.whole")),
      zoomButton("in", "+", text("edit.larger"), view.zoom >= MOST_ZOOM && text("edit.largest")),
    ),
    h(
      "div.row.kinds",
      { role: "group", "aria-label": text("edit.kinds") },
      kinds.map((each) =>
        button(["kind", each], [sample(lookOf(each, map, kinds)), h("span", kindName(each))], {
          "aria-pressed": String(kind === each),
        }),
      ),
    ),
  );
}

/**
 * The look of a kind of way: as on the map, or of the next one.
 * @param {string} kind @param {ManhuntMap} map @param {string[]} kinds
 */
const lookOf = (kind, { ways }, kinds) =>
  looks([...ways, ...kinds.map((each) => ({ kind: each }))])[kind];

/** @param {ManhuntEditor} page @param {ManhuntFinding[]} findings */
function picture(page, findings) {
  const { map, drag, selected, picture: href, refused } = page;
  const { width, height } = map.size;
  const unit = pitch(map);
  const city = plan(map, String);
  const wrong = new Set(findings.map((finding) => placeOf(finding, map)));
  const chosen = placeAt(map, selected);
  return h(
    "svg#map.drawnmap",
    {
      class: href && "over-picture",
      "--radius": city.radius,
      viewBox: shownPart(page).join(" "),
      role: "img",
      "aria-label": text("edit.picture_of", { n: map.places.length }),
    },
    h("rect.ground", { width, height }),
    href && h("image", { href, width, height }),
    drawCity(city),
    drawNames(city),
    map.places.map((each) => drawPlace(each, city.radius)),
    map.places
      .filter(({ number }) => wrong.has(number))
      .map(({ x, y, number }) =>
        h("circle.wrong", { "data-wrong": number, cx: x, cy: y, r: unit * 0.4 }),
      ),
    chosen && h("circle.chosen", { cx: chosen.x, cy: chosen.y, r: unit * 0.36 }),
    drag && ["way", "move"].includes(drag.kind) && dragged(map, drag, unit),
    refused?.at && bubble(message(refused.message), refused.at, page),
  );
}

/** A house and a diamond around (0, 0) in a square of 2. */
const HOUSE = "M0-1.1 1-.2H.7V.9H-.7V-.2H-1Z";
const DIAMOND = "M1 0 0 1-1 0 0-1Z";

/**
 * A place with its number, rings for who starts there, and signs for what it is.
 * @param {ManhuntPlace} place @param {number} radius
 */
function drawPlace({ x, y, number, starts = [], hideout, target }, radius) {
  const size = radius * (String(number).length > 2 ? 0.95 : 1.2);
  /** @param {string} name @param {string} d @param {number} right */
  const sign = (name, d, right) =>
    h("path", {
      class: name,
      d,
      transform: `translate(${right} ${-radius}) scale(${radius * 0.4})`,
    });
  return h(
    "g",
    { class: "spot", transform: `translate(${x} ${y})` },
    h("circle.ground", { r: radius }),
    starts.includes("hunter") && h("circle.starts-hunter", { r: radius }),
    starts.includes("fugitive") && h("circle.starts-fugitive", { r: radius * 0.84 }),
    h("text.number", { y: size * 0.35, "font-size": size }, String(number)),
    hideout && sign("hideout", HOUSE, -radius),
    target && sign("target", DIAMOND, radius),
  );
}

/** @param {ManhuntMap} map @param {ManhuntDrag} drag @param {number} unit */
function dragged(map, { from, at }, unit) {
  const { x, y } = placeAt(map, from);
  return [
    h("line.dragged", { x1: x, y1: y, x2: at.x, y2: at.y, "stroke-width": unit * 0.08 }),
    h("circle.dragged", { cx: at.x, cy: at.y, r: unit * 0.12 }),
  ];
}

/**
 * A sentence on the map, at its place.
 * @param {Child} words @param {ManhuntPoint} point @param {ManhuntEditor} page
 */
function bubble(words, { x, y }, page) {
  const [left, top, width, height] = shownPart(page);
  const size = Math.max(width / 42, height / 30);
  const lines = folded(capital(plain(words)), 26);
  const wide = Math.max(...lines.map(widthOf)) * size * 0.62 + size;
  const high = lines.length * size * 1.3 + size * 0.6;
  const right = Math.min(Math.max(x - wide / 2, left), left + width - wide);
  const down = y - high - size * 1.5 < top ? y + size * 1.5 : y - high - size * 1.5;
  return h(
    "g#refused",
    { role: "alert" },
    h("rect", { x: right, y: down, width: wide, height: high, rx: size / 3 }),
    lines.map((line, index) =>
      h(
        "text",
        { x: right + size / 2, y: down + size * 1.25 * (index + 1), "font-size": size },
        line,
      ),
    ),
  );
}

/** @param {any} words */
const plain = (words) =>
  [words]
    .flat(Infinity)
    .map((part) => part?.children?.join("") ?? part)
    .join("");
/** The check's sentences follow a field's name; here they stand alone. @param {string} words */
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
/** @param {any} letter */
const isWide = (letter) => letter.codePointAt(0) > 0x2e80;
/** @param {string} line */
const widthOf = (line) => [...line].reduce((sum, letter) => sum + (isWide(letter) ? 1.7 : 1), 0);

/**
 * A sentence in lines of about `most` letters, broken at spaces and between Japanese letters.
 * @param {string} words @param {number} most
 */
function folded(words, most) {
  const lines = [""];
  for (const part of words.match(/[\u2e80-\uffff]|[^\s\u2e80-\uffff]+\s*/g) ?? []) {
    if (lines.at(-1) && widthOf(lines.at(-1) + part.trim()) > most) lines.push("");
    lines[lines.length - 1] += part;
  }
  return lines;
}

/* ---- the panel ---- */

/** @param {ManhuntEditor} page @param {string} field */
function refusedAt({ refused }, field) {
  return (
    refused?.field === field &&
    h("p.bad", { id: `${field}-wrong`, role: "alert" }, message(refused.message))
  );
}

/**
 * @param {ManhuntEditor} page @param {string} id @param {Child} label @param {any} value
 * @param {Record<string, any>} [attrs]
 */
function field(page, id, label, value, attrs = {}) {
  const isWrong = page.refused?.field === id;
  return h(
    "label",
    { for: id },
    h("span", label),
    h("input", {
      type: "text",
      id,
      value,
      autocomplete: "off",
      spellcheck: "false",
      "aria-invalid": isWrong ? "true" : null,
      "aria-describedby": isWrong ? `${id}-wrong` : null,
      ...attrs,
    }),
    refusedAt(page, id),
  );
}

/**
 * @param {ManhuntEditor} page @param {string} id @param {Child} label @param {any} value
 * @param {any[][]} options
 */
function choice(page, id, label, value, options) {
  return h(
    "label",
    { for: id },
    h("span", label),
    h(
      "select",
      { id, value },
      options.map(([each, words]) => h("option", { value: each }, words)),
    ),
    refusedAt(page, id),
  );
}

/** The title of a place in a list. @param {ManhuntPlace} place */
const placeTitle = ({ number, name }) => (String(number) === name ? name : `${number} ${name}`);

/** @param {ManhuntEditor} page @param {ManhuntFinding[]} findings */
function whole(page, findings) {
  const { map, isSaved, canControl, isKept } = page;
  const [first] = findings;
  const why = first?.isFault ? plain(sentence(first, map, 0).children) : null;
  return [
    steps(page),
    check(page, findings),
    h(
      "div.files",
      canControl && button("play", text("edit.play"), { class: !why && "prime", ...whyNot(why) }),
      button("save", text("edit.save"), { class: canControl ? null : "prime" }),
      upload("file", text("edit.open"), ".toml"),
      button("add", text("edit.add")),
      button("new", text("edit.new")),
    ),
    refusedAt(page, "play"),
    refusedAt(page, "file"),
    isKept && h("p#kept", { role: "status" }, text("edit.kept")),
    isSaved && h("p#saved", { role: "status" }, text("edit.saved")),
    h(
      "div.fields",
      field(page, "title", text("edit.title"), map.title, { maxlength: 60 }),
      map.places.length > 0 &&
        choice(page, "which", text("edit.which"), "", [
          ["", "–"],
          ...map.places.map((each) => [each.number, placeTitle(each)]),
        ]),
      field(page, "new-kind", text("edit.new_kind"), "", { maxlength: 40 }),
    ),
    rules(page),
  ];
}

/** @param {string} id @param {Child} label @param {string} accept */
const upload = (id, label, accept) =>
  h("label.button", label, h("input.vh", { type: "file", accept, id }));

/** The next instruction; that of an empty map stands on it. @param {ManhuntMap} map */
function next({ places, ways }) {
  const step = !places.length ? "places" : !ways.length ? "ways" : "starts";
  return h("p#next", text(`edit.next.${step}`));
}

/** The next instruction and the picture. @param {ManhuntEditor} page */
function steps(page) {
  const { map, picture: href } = page;
  return h(
    "div.next",
    map.places.length > 0 && next(map),
    map.background && !href
      ? h("p.muted", { translate: "no" }, text("edit.picture_again", { name: map.background }))
      : null,
    upload("picture", text("edit.picture"), "image/*"),
    refusedAt(page, "picture"),
  );
}

/** @param {ManhuntEditor} page */
function rules(page) {
  const { hunters = 3, rounds = 24, shows = [], announce = "kind" } = page.map.rules ?? {};
  return h(
    "fieldset.fields",
    h("legend", text("edit.rules")),
    choice(
      page,
      "hunters",
      text("edit.hunters"),
      String(hunters),
      [1, 2, 3, 4, 5].map((count) => [count, String(count)]),
    ),
    choice(
      page,
      "rounds",
      text("edit.rounds"),
      String(rounds),
      Array.from({ length: 60 }, (_, index) => [index + 1, String(index + 1)]),
    ),
    field(page, "shows", text("edit.shows"), shows.join(", "), { inputmode: "numeric" }),
    choice(
      page,
      "announce",
      text("edit.announce"),
      announce,
      ANNOUNCE.map((each) => [each, text(`edit.announce.${each}`)]),
    ),
  );
}

/** @param {ManhuntEditor} page @param {ManhuntFinding[]} findings */
function check({ map }, findings) {
  if (!findings.length) return h("p#sound", { role: "status" }, text("edit.sound"));
  return h(
    "ul#findings",
    findings
      .slice(0, SHOWN_FINDINGS)
      .map((finding, index) => h("li", sentence(finding, map, index))),
  );
}

/** @param {ManhuntFinding} finding @param {ManhuntMap} map @param {number} index */
function sentence(finding, map, index) {
  /** @type {any[]} */
  const [table] = finding.path;
  if (finding.code === SHORT) return h("p.doubt", text(`edit.few.${table}`, finding.params));
  const words = message(finding);
  const attrs = { class: finding.isFault ? "bad" : "doubt" };
  const number = placeOf(finding, map);
  if (number === null)
    return h("p", attrs, ["places", "ways"].includes(table) && `${text(`edit.${table}`)}: `, words);
  return button(["find", index], [`${placeTitle(placeAt(map, number))}: `, words], attrs);
}

/** @param {ManhuntEditor} page @param {ManhuntFinding[]} findings */
function place(page, findings) {
  const { map, selected, kind } = page;
  const own = placeAt(map, selected);
  const { starts = [], hideout, target } = own;
  const isOn = { hunter: starts.includes("hunter"), fugitive: starts.includes("fugitive") };
  return [
    h("h2", text("edit.place", { name: placeTitle(own) })),
    h(
      "div.fields",
      field(page, "place-name", text("edit.name"), own.name, { maxlength: 60 }),
      field(page, "place-number", text("edit.number"), String(own.number), {
        inputmode: "numeric",
      }),
    ),
    h(
      "ul#own-findings",
      findings
        .filter((finding) => placeOf(finding, map) === selected)
        .map((finding) => h("li", { class: finding.isFault ? "bad" : "doubt" }, message(finding))),
    ),
    h(
      "div.flags",
      Object.entries({ ...isOn, hideout, target }).map(([what, on]) =>
        button(["place", what], text(`edit.is.${what}`), { "aria-pressed": String(Boolean(on)) }),
      ),
    ),
    h("p.muted", text("edit.next.ways")),
    h(
      "ul.ways",
      map.ways.map(
        (way, index) => endsOf(way).includes(selected) && wayRow(map, way, index, selected),
      ),
    ),
    map.places.length > 1 &&
      choice(page, "way-to", text("edit.way_to", { kind: kindName(kind) }), "", [
        ["", "–"],
        ...map.places
          .filter(({ number }) => number !== selected)
          .map((each) => [each.number, placeTitle(each)]),
      ]),
    h(
      "div.files",
      button("done", text("edit.done"), { class: "prime", ...CLOSES }),
      button("remove", text("edit.remove")),
    ),
  ];
}

/**
 * @param {ManhuntMap} map @param {ManhuntWay} way @param {number} index @param {number} selected
 */
function wayRow(map, way, index, selected) {
  const [from, to] = endsOf(way);
  const other = placeAt(map, from === selected ? to : from);
  const arrow = way.between ? "↔" : from === selected ? "→" : "←";
  const name = `${kindName(way.kind ?? "street")} ${other ? placeTitle(other) : ""}`;
  return h(
    "li",
    h("span", name),
    narrowButton(["turn", index], arrow, `${name}: ${text("edit.turn")}`),
    button(["only", index], text("edit.only"), {
      "aria-pressed": String(Boolean(way.fugitive_only)),
      "aria-label": `${name}: ${text("edit.only")}`,
    }),
    narrowButton(["cut", index], "×", `${name}: ${text("edit.cut")}`),
  );
}
