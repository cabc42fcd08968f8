/**
 * VampireRadar in the replay: the field with the chances and the true path, and the public odds.
 * Pure.
 */
import "./snapshot.js";
import { centre, describe, drawField } from "./drawing/board.js";
import { drawOdds, evenly, heatLegend, percent } from "./hints/odds.js";
import { CELLS } from "./drawing/field.js";
import { button } from "../../core/controls.js";
import { h } from "../../core/dom.js";
import { seatChip, text } from "../../core/i18n.js";
import { heartsImage } from "./drawing/hearts.js";
import { icon } from "../../core/icons.js";
import { VAMPIRE } from "./drawing/symbols.js";
import { box, circle, cross, diamond, triangle } from "../../screens/replay/marks.js";

/** How many nights of the path are drawn. */
const NIGHTS = 6;
const HEATS = ["odds", "possible", "off"];

/** The chances shown at a moment. @param {ReplayState} replayState @param {RadarMoment} moment */
const oddsOf = ({ heat }, { odds }) =>
  odds && heat !== "off" ? (heat === "possible" ? evenly(odds) : odds) : {};

/** @param {ReplayState} replay @param {RadarMoment} now */
function drawMoment(replay, now) {
  const { moments, index, heat, isTrue, cell: chosen } = replay;
  const odds = oddsOf(replay, now);
  /** @type {Record<string, any>} */
  const params = now.message.params ?? {};
  return drawField(now.view, {
    title: text("field"),
    isInset: heat !== "off",
    focus: chosen ?? "A1",
    label: (cell) => inWords(cell, now, odds, isTrue),
    under: drawOdds(odds, centre),
    rings: chosen ? { [chosen]: "chosen" } : {},
    shot: now.event === "shot_fired" ? { cell: params.cell, direction: params.direction } : null,
    over: isTrue && now.truth ? trail(path(moments, index).slice(-NIGHTS), now.truth) : null,
  });
}

/**
 * A tile in words: what lies there, its chance, and the truth.
 * @param {string} cell @param {RadarMoment} now @param {Record<string, number>} odds
 * @param {boolean} isTrue
 */
function inWords(cell, now, odds, isTrue) {
  const chance =
    !now.odds || !Object.keys(odds).length
      ? null
      : odds[cell]
        ? `${percent(odds[cell])} %`
        : text("replay.impossible");
  return [
    describe(cell, now.view, text),
    chance,
    isTrue && cell === now.truth && text("replay.here"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** The last nights' ends as dots, and the vampire. @param {any[]} ends @param {any} truth */
function trail(ends, truth) {
  const points = ends.map(({ cell }) => centre(cell).join(",")).join(" ");
  const last = new Map(ends.map(({ night, cell }) => [cell, night]));
  last.delete(truth);
  const [x, y] = centre(truth);
  return h(
    "g.truth",
    { "aria-hidden": "true" },
    h("polyline.way", { points }),
    [...last].map(([cell, night]) =>
      h(
        "g.dot",
        {
          transform: `translate(${centre(cell)
            .map((at, axis) => at + (axis ? -29 : 29))
            .join(" ")})`,
        },
        h("circle", { r: 14 }),
        h("text", { y: 6 }, night),
      ),
    ),
    h("rect.place", { x: x - 45, y: y - 45, width: 90, height: 90, rx: 8 }),
    h(
      "g.me",
      { transform: `translate(${x + 24} ${y - 24})` },
      h("circle", { r: 22 }),
      h("g.figure", { transform: "scale(.46)" }, VAMPIRE),
    ),
  );
}

/** The public odds at this moment. @param {ReplayState} replayState @param {RadarMoment} now */
function known({ moments, index, isTrue }, now) {
  if (!now.odds) return h("p.muted", text("replay.hiding"));
  const cutParams = cut(moments, index);
  return [
    h("p.count", h("b#tiles", now.tiles), " ", text("replay.tiles", { n: now.tiles })),
    h(
      "p#share.share",
      now.isSecret
        ? text("replay.private")
        : isTrue && now.share !== null
          ? text("replay.share", { percent: now.share ? `${percent(now.share)} %` : "0 %" })
          : "–",
      cutParams && h("span#cut.cut", " ", text("replay.cut", cutParams)),
    ),
  ];
}

/** @param {RadarView} view */
function counts(view) {
  const { humans, bullets, out } = view;
  return h(
    "section#counts.counts",
    { "aria-label": text("state") },
    heartsImage(view, { class: "hp" }),
    humans.map((seat) =>
      h(
        "span",
        { class: out.includes(seat) ? "out" : null },
        seatChip(seat),
        " ",
        icon("bullet"),
        h("span.vh", text("bullets")),
        " ",
        bullets[seat],
      ),
    ),
  );
}

/** The choices for the odds, and the chosen tile in words. @param {ReplayState} replay */
const looks = (replay) => {
  const { moments, index, heat, isTrue, cell } = replay;
  return [
    h(
      "div.row.looks",
      button("heat", text(`replay.heat.${heat}`), {
        "aria-label": text("replay.heat", { what: text(`replay.heat.${heat}`) }),
      }),
      button("truth", [icon("vampire", "V"), text("replay.truth")], {
        "aria-pressed": String(isTrue),
      }),
    ),
    heatLegend(text("replay.legend")),
    cell
      ? h(
          "p#tile.tile.muted",
          inWords(cell, moments[index], oddsOf(replay, moments[index]), isTrue),
        )
      : signs(),
  ];
};

/** The legend of the timeline's signs and of the line on the field. */
const signs = () =>
  h(
    "ul#signs.tile.signs",
    Object.entries({
      radar: circle(11, "radar"),
      hit: diamond(11, "hit"),
      miss: cross(11, "miss"),
      kill: triangle(11, "kill"),
      bat: box(11, "kill", [7, 8, 8]),
      way: h("path.way", { d: "M1 11H21" }),
    }).map(([name, sign]) =>
      h(
        "li",
        h("svg.icon", { viewBox: "0 0 22 22", "aria-hidden": "true" }, sign),
        " ",
        text(`sign.${name}`),
      ),
    ),
  );

/** The moments to stop at. @type {Record<string, Mark>} */
const MARKS = {
  radar_called: (x) => circle(x, "radar"),
  shot_fired: (x, { message: sentence }) =>
    sentence.code === "event.shot_hit" ? diamond(x, "hit") : cross(x, "miss"),
  pawns_killed: (x) => triangle(x, "kill"),
  bat_eaten: (x) => box(x, "kill", [7, 8, 8]),
};

/**
 * Where the vampire stood at the end of each night up to a moment, the start being night 0: [{night, cell}], oldest first.
 * @param {Moment[]} moments @param {number} index
 */
export function path(moments, index) {
  /** @type {{night: number, cell: string}[]} */
  const ends = [];
  moments.slice(0, index + 1).forEach(({ truth, message: sentence }) => {
    if (!truth) return;
    if (!ends.length) ends.push({ night: 0, cell: truth });
    else if (sentence.code === "event.night_over") ends.push({ night: ends.length, cell: truth });
  });
  const now = moments[index].truth;
  return now && ends.at(-1)?.cell !== now ? [...ends, { night: ends.length, cell: now }] : ends;
}

/**
 * The tiles that were possible before a moment and after it, where it disclosed something.
 * @param {Moment[]} moments @param {number} index
 */
export function cut(moments, index) {
  const [before, after] = [moments[index - 1]?.tiles ?? 0, moments[index].tiles];
  return ["radar_called", "shot_fired"].includes(moments[index].event) ? { before, after } : null;
}

/** @type {ReplayFormat} */
export const replay = {
  className: "vampireradar-replay",
  marks: MARKS,
  most: CELLS.length,
  curve: "replay.curve",
  styles: ["odds"],
  /** @param {ReplayState} replay @param {RadarMoment} now */
  land: (replay, now) => [drawMoment(replay, now)],
  state: known,
  /** @param {unknown} _ @param {RadarMoment} now */
  more: (_, now) => counts(now.view),
  looks,
  /** @param {any} replay */
  actions: (replay) => ({
    heat: () => {
      replay.heat = HEATS[(HEATS.indexOf(replay.heat) + 1) % HEATS.length];
    },
  }),
};
