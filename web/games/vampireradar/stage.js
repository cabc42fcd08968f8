/**
 * What the display of Vampire Radar shows alone for a while: a radar's ring, a shot's result, a
 * dawn, the vampire's way. Every answer of a kind has the same time and the same frame.
 */
import { h } from "../../core/dom.js";
import { rich, text } from "../../core/i18n.js";
import { heartsImage } from "./drawing/hearts.js";
import { ANNOUNCED, lastNight } from "./snapshot.js";

/** @type {Act} */
const RADAR = { name: "radar", ms: 2000 };
/** @type {Act} */
const SHOT = { name: "shot", ms: 2500 };
/** @type {Act} */
const DAWN = { name: "dawn", ms: 2500, hour: "dawn" };
/** As long as drawing the way (style.css) and a look at it. @type {Act} */
const WAY = { name: "way", ms: 7000 };

/** @param {GameEvent} event */
export const isOfDawn = ({ event, seat }) =>
  ANNOUNCED.includes(event) || (event === "turn_ended" && seat === "V");

/**
 * The acts of the last events, one after the other: a function of their names alone.
 * @param {{event: GameEvent}[]} events @returns {Act[]}
 */
export function actsOf(events) {
  /** @param {string} name */
  const has = (name) => events.some(({ event }) => event.event === name);
  return [
    ...(has("radar_called") ? [RADAR] : []),
    ...(has("shot_fired") ? [SHOT] : []),
    ...(events.some(({ event }) => isOfDawn(event)) ? [DAWN] : []),
    ...(has("game_over") ? [WAY] : []),
  ];
}

/** The result of a shot. @param {any} event @param {RadarView} view */
export const shotStage = ({ hit, cell, pawn, direction }, view) =>
  h(
    "section#answer",
    { class: `stage ${hit ? "hit" : "miss"}` },
    hit ? BROKEN : WIND,
    h("h1", text(hit ? "answer.hit" : "answer.miss")),
    h("p", text(hit ? "stage.groan" : "stage.wind")),
    h("p.muted", rich("answer.shot", { cell, pawn, direction })),
    heartsImage(view, { class: "hearts" }),
  );

/**
 * A picture in two parts, which the browser moves without drawing them again.
 * @param {string[]} parts
 */
const inParts = (...parts) =>
  h(
    "div.big",
    { "aria-hidden": "true" },
    parts.map((d, index) =>
      h("svg", { class: index ? "right" : "left", viewBox: "-42 -32 84 64" }, h("path", { d })),
    ),
  );

/** A heart along its crack. */
const BROKEN = inParts(
  "M0-12C0-18-5-24-13-24-28-24-34 0 0 24L5 15-5 6 5-2-3-7Z",
  "M0-12C0-18 5-24 13-24 28-24 34 0 0 24L5 15-5 6 5-2-3-7Z",
);

const WIND = inParts(
  "M-36-10H10A8 8 0 1 0 2-18M-38 14H0A6 6 0 1 1-6 20",
  "M-28 2H24A9 9 0 1 1 15 11",
);

/** A dawn: what the vampire did, and what hands take off. @param {RadarSnapshot} snapshot */
export function dawnStage({ log }) {
  const { isOver, announced } = lastNight(log) ?? { announced: [] };
  if (!announced.length) return isOver ? [h("h1#dawn", text("night.quiet"))] : [];
  return [
    h(
      "h1#dawn",
      announced.map(({ event }) => h("span", rich(...TOLD[event.event](event)))),
    ),
    h(
      "p#take",
      announced.map(({ event }) => h("span", rich(...TAKEN[event.event](event)))),
    ),
  ];
}

/** @type {Record<string, (event: any) => [string, Params]>} */
const TOLD = {
  pawns_killed: ({ cell }) => ["dawn.attacked", { cell }],
  bat_eaten: ({ cell }) => ["event.bat_eaten", { cell }],
};
/** @type {Record<string, (event: any) => [string, Params]>} */
const TAKEN = {
  pawns_killed: ({ pawns }) => ["dawn.take", { pawns }],
  bat_eaten: ({ cell }) => ["dawn.take_bat", { cell }],
};
