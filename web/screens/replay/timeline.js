/** A game from its first to its last moment as a picture: how many tiles were possible, and what happened when. Pure. */
import { isTelling } from "./story.js";
import { h } from "../../core/dom.js";

/** The strip that the marks have for themselves, and what is left below the floor. */
const [TOP, SILL] = [24, 6];
/** Half the thumb of the slider above: the middle of the first and the last moment. */
export const EDGE = 13;
const MOST = 36;
/** The most people that are alive. */
const [HUMANS, VAMPIRES] = [6, 3];
/** What is needed where a view does not say it. */
const TRACK = 16;
const round = (value) => Math.round(value * 10) / 10;

const placeOf = (moments, width) => {
  const step = (width - 2 * EDGE) / Math.max(1, moments.length - 1);
  return (index) => round(EDGE + index * step);
};

/** The nights as dark bands, and a mark for each answer and deed. */
export function band(moments, { width, height: full }) {
  const place = placeOf(moments, width);
  const nights = moments.flatMap((moment, index) =>
    (moment.isSecret && !moment.hands) ||
    moment.said.code === "said.night_fell" ||
    moment.view.turn === "vampire"
      ? [index]
      : [],
  );
  const half = (place(1) - place(0)) / 2 || 1;
  return [
    h(
      "g",
      { class: "nights" },
      nights.map((index) =>
        h("rect", { x: round(place(index) - half), y: 0, width: round(2 * half), height: full }),
      ),
    ),
    h(
      "g",
      { class: "marks" },
      moments.flatMap((moment, index) =>
        isTelling(moment) ? [mark(moment, place(index), full)] : [],
      ),
    ),
  ];
}

const MARKS = {
  radar_called: (x) => h("circle", { class: "radar", cx: x, cy: 11, r: 6 }),
  shot_fired: (x, { said }) =>
    h("path", {
      class: said.code === "said.shot_hit" ? "hit" : "miss",
      d:
        said.code === "said.shot_hit"
          ? `M${x} 2L${round(x + 8)} 11 ${x} 20 ${round(x - 8)} 11Z`
          : `M${round(x - 5)} 6L${round(x + 5)} 16M${round(x + 5)} 6L${round(x - 5)} 16`,
    }),
  pawns_killed: (x) =>
    h("path", { class: "kill", d: `M${round(x - 7)} 4H${round(x + 7)}L${x} 19Z` }),
  bat_eaten: (x) => h("rect", { class: "kill", x: round(x - 4), y: 7, width: 8, height: 8 }),
  piece_jumped: (x) =>
    h("path", { class: "kill", d: `M${round(x - 7)} 4H${round(x + 7)}L${x} 19Z` }),
  pair_laid: (x, { said: { code } }) =>
    h("rect", {
      class: code === "said.pair_up" ? "hit" : "radar",
      x: round(x - 5),
      y: 5,
      width: 10,
      height: 13,
      rx: 2,
    }),
  card_placed: (x) =>
    h("path", {
      class: "kill",
      d: `M${x} 2Q${round(x + 9)} 13 ${round(x + 7)} 17A7 6 0 0 1 ${round(x - 7)} 17Q${round(x - 9)} 13 ${x} 2Z`,
    }),
  character_died: (x, { said: { code } }) =>
    h("path", {
      class: code.endsWith("vampire") ? "hit" : "kill",
      d: `M${round(x - 7)} 4H${round(x + 7)}L${x} 19Z`,
    }),
  vampire_revealed: (x) =>
    h("path", { class: "kill", d: `M${x} 2L${round(x + 8)} 11 ${x} 20 ${round(x - 8)} 11Z` }),
  holy_water_answered: (x) => h("circle", { class: "radar", cx: x, cy: 11, r: 6 }),
  support_played: (x) =>
    h("rect", { class: "miss", x: round(x - 5), y: 5, width: 10, height: 13, rx: 2 }),
  turned_public: (x) =>
    h("path", {
      class: "kill",
      d: `M${x} 2Q${round(x + 9)} 13 ${round(x + 7)} 17A7 6 0 0 1 ${round(x - 7)} 17Q${round(x - 9)} 13 ${x} 2Z`,
    }),
  investigated: (x) => h("circle", { class: "radar", cx: x, cy: 11, r: 6 }),
  awakened: (x) => h("circle", { class: "radar", cx: x, cy: 11, r: 3 }),
  election_held: (x) => h("rect", { class: "radar", x: round(x - 5), y: 6, width: 10, height: 10 }),
  riot_ended: (x, { view }) =>
    h("path", {
      class: view.riot.winner === "human" ? "human" : view.riot.winner ? "kill" : "miss",
      d: `M${round(x - 7)} 4H${round(x + 7)}L${x} 19Z`,
    }),
  martial_law: (x) =>
    h("rect", { class: "hit", x: round(x - 4), y: 4, width: 8, height: 14, rx: 2 }),
  accused: (x) => h("path", { class: "kill", d: `M${round(x - 7)} 4H${round(x + 7)}L${x} 19Z` }),
  game_over: (x, moment, full) => h("path", { class: "end", d: `M${x} 0V${full - SILL}` }),
};

const mark = (moment, x, full) => MARKS[moment.event](x, moment, full);

/** Where we are, above the number of possible tiles as an area with the chance on the true tile as a line; of hidden hands,
 * above real pairs and Hunters as an area with what the Hunters need as a line; of secret characters, above what the living
 * vampires count as an area with what the living humans count as a line; or above a filled track. */
export function curve(moments, index, { width, height: full }, isTrue, isSumPublic = false) {
  const place = placeOf(moments, width);
  const floor = full - SILL;
  const height = (part) => round(floor - part * (floor - TOP));
  const known = moments.map(({ tiles }, at) => ({ at, tiles })).filter(({ tiles }) => tiles);
  const steps = known.map(({ at, tiles }) => `H${place(at)}V${height(tiles / MOST)}`).join("");
  const told = moments
    .map(({ share }, at) => ({ at, share }))
    .filter(({ share }) => share !== null);
  const shares = told
    .map(
      ({ at, share }, count) =>
        `${count ? `H${place(at)}V` : `M${place(at)} `}${height(share / 1000)}`,
    )
    .join("");
  const x = place(index);
  const { needed = TRACK } = moments[index].view;
  const sums =
    isTrue || isSumPublic ? moments.flatMap(({ sum }) => (sum === null ? [] : [sum])) : [];
  const most = Math.max(needed, ...sums);
  const lives = moments.flatMap(({ alive }) => (alive ? [alive] : []));
  return [
    lives.length > 0 && [
      h("path", {
        class: "tiles",
        d: `M${place(0)} ${floor}${lives.map(([, vampires], at) => `H${place(at)}V${height(vampires / VAMPIRES)}`).join("")}V${floor}Z`,
      }),
      h("path", {
        class: "share",
        d: lives
          .map(
            ([humans], at) =>
              `${at ? `H${place(at)}V` : `M${place(0)} `}${height(humans / HUMANS)}`,
          )
          .join(""),
      }),
    ],
    sums.length > 0 && [
      h("path", {
        class: "tiles",
        d: `M${place(0)} ${floor}${sums.map((sum, at) => `H${place(at)}V${height(sum / most)}`).join("")}V${floor}Z`,
      }),
      h("path", { class: "share", d: `M0 ${height(needed / most)}H${width}` }),
    ],
    known.length > 0 &&
      h("path", {
        class: "tiles",
        d: `M${place(known[0].at)} ${floor}${steps}H${place(known.at(-1).at)}V${floor}Z`,
      }),
    isTrue && told.length > 1 && h("path", { class: "share", d: shares }),
    h("path", { class: "floor", d: `M0 ${floor}H${width}` }),
    h("path", { class: "here", d: `M${x} 0V${full}` }),
  ];
}
