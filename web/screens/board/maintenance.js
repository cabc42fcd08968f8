/**
 * The maintenance of a board, as descriptions: pieces and their tags, calibration, and the present
 * readings of loops and tags.
 */
import { button } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { pawnChip, message, text } from "../../core/i18n.js";

const KINDS = ["pawn", "token", "tile"];
const STRONGEST = 8;
/**
 * @param {string} id
 * @param {string} title
 * @param {...Child} content
 */
const card = (id, title, ...content) =>
  h("section", { class: "card", id }, h("h2", {}, text(title)), content);

/**
 * The current procedure: its instruction, large, and buttons to skip or stop.
 * @param {Maintenance} maintenance
 * @param {boolean} may
 */
export function underWay({ procedure, message: words }, may) {
  if (!procedure)
    return words
      ? h(
          "section",
          { class: "card now", id: "prompt" },
          h("p", { role: "status" }, message(words)),
        )
      : null;
  const task =
    procedure.what === "register"
      ? message(procedure.message)
      : text("maintenance.reading", { loop: procedure.loop });
  return h(
    "section",
    { class: "card now", id: "now" },
    h("p", { class: "task", role: "status", id: "task" }, task),
    procedure.what === "register" &&
      h("p", { class: "muted" }, text("maintenance.left", { n: procedure.left })),
    procedure.thing?.startsWith("pawn:") &&
      h("p", { class: "muted", id: "digits" }, text("maintenance.digits")),
    may &&
      h(
        "div",
        { class: "row" },
        procedure.what === "register" && [
          procedure.may_override && button("maintain:override", text("maintenance.override")),
          button("maintain:skip", text("maintenance.skip")),
        ],
        button("maintain:stop", text("maintenance.stop")),
      ),
  );
}

/**
 * Pieces by kind: the number of registered ones, with buttons to register each again or forget it.
 * `chosen` is the pressed one.
 * @param {Maintenance} maintenance
 * @param {boolean} may
 * @param {string | null} chosen
 */
export function pieces({ things, procedure }, may, chosen) {
  const can = may && !procedure;
  return card(
    "pieces",
    "maintenance.pieces",
    KINDS.map((kind) => {
      const own = things.filter(({ name }) => name.startsWith(`${kind}:`));
      // A spare piece stands for no missing one of another name.
      const known = sum(own, (each) => Math.min(each.known, each.of));
      const of = sum(own, (each) => each.of);
      return (
        own.length > 0 &&
        h(
          "section",
          { class: "kind", "data-kind": kind },
          h(
            "div",
            { class: "line" },
            h("h3", {}, text(`maintenance.${kind}`)),
            h("span", { class: "muted" }, text("maintenance.known", { n: known, of })),
          ),
          can && known < of && button(`maintain:register:${kind}`, text("maintenance.missing")),
          h(
            "ul",
            { class: "things" },
            own.map((thing) => h("li", {}, piece(thing, can, chosen))),
          ),
          can &&
            own.some(({ name }) => name === chosen) &&
            h(
              "div",
              { class: "row" },
              button(`maintain:register:${chosen}`, text("maintenance.again")),
              button(`maintain:forget:${chosen}`, text("maintenance.forget")),
            ),
        )
      );
    }),
  );
}

/**
 * @param {Thing} thing
 * @param {boolean} can
 * @param {string | null} chosen
 */
function piece({ name, known, of }, can, chosen) {
  const isKnown = known >= of;
  const label = [
    thingName(name),
    of > 1 ? ` ${known}/${of}` : "",
    " ",
    icon(isKnown ? "check" : "more"),
    h("span", { class: "vh" }, text(isKnown ? "maintenance.yes" : "maintenance.no")),
  ];
  return button(`choose:${name}`, label, {
    class: "thing",
    "aria-pressed": String(name === chosen),
    "aria-disabled": can ? null : "true",
  });
}

/**
 * The name of a piece for people: "pawn:H1a" as shape and letter.
 * @param {string} name
 */
function thingName(name) {
  const [kind, which] = name.split(":");
  if (kind === "pawn") return pawnChip(which);
  return kind === "tile" ? text("maintenance.tile.name", { tile: which }) : text(`tile.${which}`);
}

/**
 * Whether the board is calibrated, how to do it, and each loop's present strength.
 * @param {Maintenance} maintenance
 * @param {Loop[]} loops
 * @param {boolean} may
 */
export function calibration({ calibrated, procedure }, loops, may) {
  const date =
    calibrated && new Date(1000 * calibrated.at).toLocaleDateString(document.documentElement.lang);
  return card(
    "calibration",
    "maintenance.calibration",
    h(
      "p",
      {},
      calibrated ? text("maintenance.calibrated", { date }) : text("maintenance.uncalibrated"),
    ),
    (calibrated?.unread.length ?? 0) > 0 &&
      h("p", { class: "bad" }, text("calibrate_partly", { loops: calibrated?.unread.join(" ") })),
    may &&
      !procedure && [
        h("p", { class: "muted" }, text("maintenance.calibrate.how")),
        h(
          "div",
          { class: "row" },
          button("maintain:calibrate", text("maintenance.calibrate")),
          calibrated && button("maintain:uncalibrate", text("maintenance.uncalibrate")),
        ),
      ],
    loops.length > 0 && loopTable(loops),
  );
}

/** @param {Loop[]} loops */
function loopTable(loops) {
  const axes = [...new Set(loops.map(({ axis }) => axis))];
  return h(
    "table",
    { class: "list", id: "loops" },
    h("caption", {}, text("maintenance.loops")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        [
          "maintenance.loop",
          "maintenance.strength",
          "maintenance.read",
          "maintenance.gain",
          "maintenance.state",
        ].map((each) => h("th", { scope: "col" }, text(each))),
      ),
    ),
    axes.map((axis) =>
      h(
        "tbody",
        {},
        h("tr", {}, h("th", { scope: "rowgroup", colspan: 5 }, text(`maintenance.axis.${axis}`))),
        loops.filter((loop) => loop.axis === axis).map(loopRow),
      ),
    ),
  );
}

/** @param {Loop} loop */
function loopRow({ loop, strongest, tags, gain, gain_drift: drift, is_broken: isBroken }) {
  const isOff = Math.abs(drift ?? 0) > 5;
  const state = isBroken
    ? text("maintenance.loop.broken")
    : isOff
      ? text("maintenance.loop.drift", { n: Math.round(drift ?? 0) })
      : text(tags ? "maintenance.loop.fine" : "maintenance.loop.quiet");
  return h(
    "tr",
    { "data-loop": loop, class: isBroken || isOff ? "bad" : null },
    h("th", { scope: "row" }, loop),
    h("td", {}, bar(strongest)),
    h("td", {}, tags),
    h("td", {}, gain === null ? "–" : `${decibels(gain)} dB`),
    h("td", {}, state),
  );
}

/**
 * Every tag on the board: its piece, place and certainty, and the loops that read it best.
 * @param {Tag[]} tags
 */
export function tagTable(tags) {
  if (!tags.length) return null;
  return card(
    "tags",
    "maintenance.tags",
    h(
      "table",
      { class: "list" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [
            "maintenance.thing",
            "maintenance.where",
            "maintenance.sure",
            "maintenance.strength",
          ].map((each) => h("th", { scope: "col" }, text(each))),
        ),
      ),
      h("tbody", {}, tags.map(tagRow)),
    ),
  );
}

/** @param {Tag} tag */
function tagRow({ uid, thing, cell, near, turn, odds, strengths }) {
  const loud = Object.entries(strengths)
    .filter(([, strength]) => strength)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4);
  const name = thing
    ? thingName(thing)
    : text("maintenance.stranger", { uid: `…${uid.slice(-6)}` });
  return h(
    "tr",
    { "data-tag": thing ?? uid, class: cell ? null : "unsure" },
    h("th", { scope: "row" }, name),
    h(
      "td",
      { translate: "no" },
      cell ?? text("maintenance.maybe", { cells: near.slice(0, 3).join(" ") }),
      turn !== null && cell ? ` ${turn}°` : "",
    ),
    h("td", {}, certainty(odds)),
    h("td", { translate: "no" }, loud.map(([loop, strength]) => `${loop}:${strength}`).join(" ")),
  );
}

/**
 * Odds against, converted to certainty: never 100 %.
 * @param {number} odds
 */
function certainty(odds) {
  const share = 100 * (1 - odds);
  return share > 99.99 ? "> 99.99 %" : `${share.toFixed(share > 99 ? 2 : 0)} %`;
}

/** @param {number} strength */
const bar = (strength) =>
  h(
    "meter",
    { min: 0, max: STRONGEST, value: strength, "aria-label": text("maintenance.strength") },
    String(strength),
  );
/** @param {number} value */
const decibels = (value) => `${value > 0 ? "+" : ""}${value.toFixed(1)}`;
/**
 * @param {any[]} each
 * @param {(one: any) => number} count
 */
const sum = (each, count) => each.reduce((total, one) => total + count(one), 0);
