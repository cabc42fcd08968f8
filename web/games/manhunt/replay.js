/** Manhunt in the replay: the map with the places that were possible, and the true path. Pure. */
import "./names.js";
import { drawMap, legend, placeName, placeWords } from "./board.js";
import { counts } from "./turn.js";
import { button } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";
import { mapOf } from "../../core/reference.js";
import { box, circle, cross, diamond, triangle } from "../../screens/replay/marks.js";

/** @param {ReplayState} replayState @param {ManhuntMoment} now */
const drawMoment = ({ heat, isTrue, cell: chosen }, now) =>
  drawMap(now.view, {
    title: text("field"),
    odds: heat === "off" ? {} : (now.odds ?? {}),
    me: isTrue ? now.truth : null,
    trail: isTrue ? now.trail : [],
    focus: chosen,
    rings: chosen ? { [chosen]: "chosen" } : {},
    label: (cell) => inWords(placeWords(now.view, cell), cell, now, isTrue),
  });

/**
 * A place in words: its name, whether it was possible, and the truth.
 * @param {string} name @param {string} cell @param {ManhuntMoment} now @param {boolean} isTrue
 */
const inWords = (name, cell, now, isTrue) =>
  [
    name,
    now.odds && text(now.odds[cell] ? "replay.possible" : "replay.impossible"),
    isTrue && cell === now.truth && text("replay.here"),
  ]
    .filter(Boolean)
    .join(", ");

/** The possible places at this moment. @param {unknown} _ @param {ManhuntMoment} now */
function stood(_, now) {
  const count = Object.keys(now.odds ?? {}).length;
  return h(
    "p.count",
    count ? [h("b#tiles", count), " ", text("replay.places", { n: count })] : text("replay.hiding"),
  );
}

/** @param {ReplayState & {moments: any[]}} replayState */
const looks = ({ heat, isTrue, cell, moments, index }) => [
  h(
    "div.row.looks",
    button("heat", text(heat === "off" ? "replay.heat.off" : "replay.heat.on"), {
      "aria-pressed": String(heat !== "off"),
    }),
    button("truth", [icon("moon"), text("replay.truth")], { "aria-pressed": String(isTrue) }),
  ),
  cell ? h("p#tile.tile.muted", inWords(placeName(cell), cell, moments[index], isTrue)) : legend(),
];

/** The moments to stop at. @type {Record<string, Mark>} */
const MARKS = {
  fugitive_shown: (x) => circle(x, "radar"),
  question_answered: (x, { message: sentence }) =>
    sentence.code.endsWith(".yes") ? diamond(x, "hit") : cross(x, "miss"),
  arrest_missed: (x) => cross(x, "miss"),
  target_reached: (x) => box(x, "kill", [7, 8, 8]),
  hideout_reached: (x) => box(x, "kill", [7, 8, 8]),
  fugitive_caught: (x) => triangle(x, "kill"),
};

/** @type {ReplayFormat} */
export const replay = {
  className: "manhunt-replay",
  marks: MARKS,
  get most() {
    return mapOf()?.places.length ?? 1;
  },
  curve: "replay.curve",
  /** @param {ReplayState} replayed @param {ManhuntMoment} now */
  land: drawMoment,
  state: stood,
  /** @param {unknown} _ @param {ManhuntMoment} now */
  more: (_, now) => counts(now.view),
  looks,
  /** @param {ReplayState} replayed */
  actions: (replayed) => ({
    heat: () => {
      replayed.heat = replayed.heat === "off" ? "odds" : "off";
    },
  }),
};
