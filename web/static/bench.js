/** The workbench of a board, as descriptions: pieces and their tags, calibration, loops and tags as they are heard now. */
import { button } from "./choices.js";
import { icon } from "./icons.js";
import { el } from "./tree.js";
import { pawnChip, said, text } from "./words.js";

const KINDS = ["pawn", "token", "tile"];
const STRONGEST = 8;
const card = (id, title, ...content) =>
  el("section", { class: "card", id }, el("h2", {}, text(title)), content);

/** What is under way: what to do now, large, and the ways to leave it out or to stop. */
export function underWay({ study, said: told }, may) {
  if (!study)
    return told
      ? el("section", { class: "card now", id: "told" }, el("p", { role: "status" }, said(told)))
      : null;
  const words =
    study.what === "register" ? said(study.said) : text("bench.hearing", { loop: study.loop });
  return el(
    "section",
    { class: "card now", id: "now" },
    el("p", { class: "task", role: "status", id: "task" }, words),
    study.what === "register" && el("p", { class: "muted" }, text("bench.left", { n: study.left })),
    study.thing?.startsWith("pawn:") &&
      el("p", { class: "muted", id: "digits" }, text("bench.digits")),
    may &&
      el(
        "div",
        { class: "row" },
        study.what === "register" && [
          study.may_insist && button("bench:insist", text("bench.insist")),
          button("bench:skip", text("bench.skip")),
        ],
        button("bench:stop", text("bench.stop")),
      ),
  );
}

/** Pieces by kind: how many are known, each one to register again or to forget. `chosen` is the one that was pressed. */
export function pieces({ things, study }, may, chosen) {
  const can = may && !study;
  return card(
    "pieces",
    "bench.pieces",
    KINDS.map((kind) => {
      const own = things.filter(({ name }) => name.startsWith(`${kind}:`));
      const [known, of] = [sum(own, "known"), sum(own, "of")];
      return (
        own.length > 0 &&
        el(
          "section",
          { class: "kind", "data-kind": kind },
          el(
            "div",
            { class: "line" },
            el("h3", {}, text(`bench.${kind}`)),
            el("span", { class: "muted" }, text("bench.known", { n: known, of })),
          ),
          can && known < of && button(`bench:register:${kind}`, text("bench.missing")),
          el(
            "ul",
            { class: "things" },
            own.map((thing) => el("li", {}, piece(thing, can, chosen))),
          ),
          can &&
            own.some(({ name }) => name === chosen) &&
            el(
              "div",
              { class: "row" },
              button(`bench:register:${chosen}`, text("bench.again")),
              button(`bench:forget:${chosen}`, text("bench.forget")),
            ),
        )
      );
    }),
  );
}

function piece({ name, known, of }, can, chosen) {
  const isKnown = known >= of;
  const label = [
    thingName(name),
    of > 1 ? ` ${known}/${of}` : "",
    " ",
    icon(isKnown ? "check" : "more"),
    el("span", { class: "vh" }, text(isKnown ? "bench.yes" : "bench.no")),
  ];
  return button(`choose:${name}`, label, {
    class: "thing",
    "aria-pressed": String(name === chosen),
    "aria-disabled": can ? null : "true",
  });
}

/** A thing as people name it: "pawn:H1a" as shape and letter. */
export function thingName(name) {
  const [kind, which] = name.split(":");
  if (kind === "pawn") return pawnChip(which);
  return kind === "tile" ? text("bench.tile.name", { tile: which }) : text(`tile.${which}`);
}

/** Whether the board is calibrated, how to do it, and how each loop hears now. */
export function calibration({ calibrated, study }, loops, may) {
  const date =
    calibrated && new Date(1000 * calibrated.at).toLocaleDateString(document.documentElement.lang);
  return card(
    "calibration",
    "bench.calibration",
    el("p", {}, calibrated ? text("bench.calibrated", { date }) : text("bench.uncalibrated")),
    calibrated?.unheard.length > 0 &&
      el("p", { class: "bad" }, text("calibrate_partly", { loops: calibrated.unheard.join(" ") })),
    may &&
      !study && [
        el("p", { class: "muted" }, text("bench.calibrate.how")),
        el(
          "div",
          { class: "row" },
          button("bench:calibrate", text("bench.calibrate")),
          calibrated && button("bench:uncalibrate", text("bench.uncalibrate")),
        ),
      ],
    loops.length > 0 && loopTable(loops),
  );
}

function loopTable(loops) {
  const axes = [...new Set(loops.map(({ axis }) => axis))];
  return el(
    "table",
    { class: "list", id: "loops" },
    el("caption", {}, text("bench.loops")),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ["bench.loop", "bench.strength", "bench.heard", "bench.gain", "bench.state"].map((each) =>
          el("th", { scope: "col" }, text(each)),
        ),
      ),
    ),
    axes.map((axis) =>
      el(
        "tbody",
        {},
        el("tr", {}, el("th", { scope: "rowgroup", colspan: 5 }, text(`bench.axis.${axis}`))),
        loops.filter((loop) => loop.axis === axis).map(loopRow),
      ),
    ),
  );
}

function loopRow({ loop, strongest, tags, gain, drift, is_broken: isBroken }) {
  const isOff = Math.abs(drift ?? 0) > 5;
  const state = isBroken
    ? text("bench.loop.broken")
    : isOff
      ? text("bench.loop.drift", { n: Math.round(drift) })
      : text(tags ? "bench.loop.fine" : "bench.loop.quiet");
  return el(
    "tr",
    { "data-loop": loop, class: isBroken || isOff ? "bad" : null },
    el("th", { scope: "row" }, loop),
    el("td", {}, bar(strongest)),
    el("td", {}, tags),
    el("td", {}, gain === null ? "–" : `${decibels(gain)} dB`),
    el("td", {}, state),
  );
}

/** Every tag on the board: what it is, where, how sure, and the loops that hear it best. */
export function tagTable(tags) {
  if (!tags.length) return null;
  return card(
    "tags",
    "bench.tags",
    el(
      "table",
      { class: "list" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["bench.thing", "bench.where", "bench.sure", "bench.strength"].map((each) =>
            el("th", { scope: "col" }, text(each)),
          ),
        ),
      ),
      el("tbody", {}, tags.map(tagRow)),
    ),
  );
}

function tagRow({ uid, thing, cell, near, turn, odds, strengths }) {
  const loud = Object.entries(strengths)
    .filter(([, strength]) => strength)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4);
  const name = thing ? thingName(thing) : text("bench.stranger", { uid: `…${uid.slice(-6)}` });
  return el(
    "tr",
    { "data-tag": thing ?? uid, class: cell ? null : "unsure" },
    el("th", { scope: "row" }, name),
    el(
      "td",
      { translate: "no" },
      cell ?? text("bench.maybe", { cells: near.slice(0, 3).join(" ") }),
      turn !== null && cell ? ` ${turn}°` : "",
    ),
    el("td", {}, certainty(odds)),
    el("td", { translate: "no" }, loud.map(([loop, strength]) => `${loop}:${strength}`).join(" ")),
  );
}

/** Odds against as the certainty for it: never 100 %. */
export function certainty(odds) {
  const share = 100 * (1 - odds);
  return share > 99.99 ? "> 99.99 %" : `${share.toFixed(share > 99 ? 2 : 0)} %`;
}

const bar = (strength) =>
  el(
    "meter",
    { min: 0, max: STRONGEST, value: strength, "aria-label": text("bench.strength") },
    String(strength),
  );
const decibels = (value) => `${value > 0 ? "+" : ""}${value.toFixed(1)}`;
const sum = (each, name) => each.reduce((total, one) => total + one[name], 0);
