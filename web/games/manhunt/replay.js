/** Manhunt in the replay: the map with the places that were possible, and the true path. Pure. */
import "./names.js";
import { drawMap, legend, placeList, placeName } from "./board.js";
import { counts } from "./turn.js";
import { button } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";
import { mapOf } from "../../core/reference.js";
import { box, circle, cross, diamond, triangle } from "../../screens/replay/marks.js";

const drawMoment = ({ heat, isTrue, cell: chosen }, now) =>
  drawMap(now.view, {
    title: text("field"),
    odds: heat === "off" ? {} : (now.odds ?? {}),
    me: isTrue ? now.truth : null,
    trail: isTrue ? now.trail : [],
    focus: chosen,
    rings: chosen ? { [chosen]: "chosen" } : {},
    label: (cell) => inWords(cell, now, isTrue),
  });

/** A place in words: whether it was possible, and the truth. */
const inWords = (cell, now, isTrue) =>
  [
    placeName(cell),
    now.odds && text(now.odds[cell] ? "replay.possible" : "replay.impossible"),
    isTrue && cell === now.truth && text("replay.here"),
  ]
    .filter(Boolean)
    .join(", ");

/** The possible places at this moment. */
function stood(_, now) {
  const count = Object.keys(now.odds ?? {}).length;
  return h(
    "p",
    { class: "count" },
    count
      ? [h("b", { id: "tiles" }, count), " ", text("replay.places", { n: count })]
      : text("replay.hiding"),
  );
}

const looks = ({ heat, isTrue, cell, moments, index }) => [
  h(
    "div",
    { class: "row looks" },
    button("heat", text(heat === "off" ? "replay.heat.off" : "replay.heat.on"), {
      "aria-pressed": String(heat !== "off"),
    }),
    button("truth", [icon("moon"), text("replay.truth")], { "aria-pressed": String(isTrue) }),
  ),
  cell
    ? h("p", { class: "tile muted", id: "tile" }, inWords(cell, moments[index], isTrue))
    : legend(),
];

/** The moments to stop at. */
const MARKS = {
  fugitive_shown: (x) => circle(x, "radar"),
  question_answered: (x, { message: sentence }) =>
    sentence.code.endsWith(".yes") ? diamond(x, "hit") : cross(x, "miss"),
  arrest_missed: (x) => cross(x, "miss"),
  target_reached: (x) => box(x, "kill", [7, 8, 8]),
  hideout_reached: (x) => box(x, "kill", [7, 8, 8]),
  fugitive_caught: (x) => triangle(x, "kill"),
};

export const replay = {
  className: "manhunt-replay",
  marks: MARKS,
  get most() {
    return mapOf()?.places.length ?? 1;
  },
  curve: "replay.curve",
  land: (replayed, now) => [drawMoment(replayed, now), placeList(now.view)],
  state: stood,
  more: (_, now) => counts(now.view),
  looks,
  actions: (replayed) => ({
    heat: () => {
      replayed.heat = replayed.heat === "off" ? "likely" : "off";
    },
  }),
};
