/** Draw a whole game's timeline: the odds, and the events. Pure. */
import { h } from "../../core/dom.js";

/** The strip for the marks, and the margin below the floor. */
const [TOP, SILL] = [24, 6];
/** Half the thumb of the slider above: the middle of the first and the last moment. */
export const EDGE = 13;
/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {Moment[]} moments @param {number} width */
const placeOf = (moments, width) => {
  const step = (width - 2 * EDGE) / Math.max(1, moments.length - 1);
  /** @param {number} index */
  return (index) => round(EDGE + index * step);
};

/**
 * The nights as dark bands, and a mark for each answer and attack.
 * @param {Moment[]} moments @param {{width: number, height: number}} parts
 * @param {ReplayFormat} format
 */
export function band(moments, { width, height: full }, format) {
  const place = placeOf(moments, width);
  const nights = moments.flatMap((moment, index) =>
    (moment.isSecret && !moment.hands) ||
    moment.message.code === "event.night_fell" ||
    format.isDark?.(moment)
      ? [index]
      : [],
  );
  const half = (place(1) - place(0)) / 2 || 1;
  return [
    h(
      "g.nights",
      nights.map((index) =>
        h("rect", { x: round(place(index) - half), y: 0, width: round(2 * half), height: full }),
      ),
    ),
    h(
      "g.marks",
      moments.flatMap((moment, index) => markOf(moment, place(index), full, format) ?? []),
    ),
  ];
}

/**
 * The mark of a moment by its game, null for none.
 * @param {Moment} moment @param {number} x @param {number} full @param {ReplayFormat} format
 */
const markOf = (moment, x, full, format) =>
  moment.event === "game_over"
    ? h("path.end", { d: `M${x} 0V${full - SILL}` })
    : (format.marks?.[moment.event]?.(x, moment) ?? null);

/**
 * The present moment above the curve. For a secret place: the number of possible ones as an area
 * (`most` is the maximum) and the chance of the true one as a line. For a sum: an area, and the
 * `needed` value as a line. For living people (`mostAlive` of either side): those of one side as an
 * area and those of the other as a line.
 * @param {Moment[]} moments @param {number} index @param {{width: number, height: number}} parts
 * @param {boolean} isTrue @param {ReplayFormat} format
 */
export function curve(moments, index, { width, height: full }, isTrue, format) {
  const { most: mostPlaces, mostAlive, isSumPublic = false } = format;
  const place = placeOf(moments, width);
  const floor = full - SILL;
  /** @param {number} part */
  const height = (part) => round(floor - part * (floor - TOP));
  const known = moments.map(({ tiles }, at) => ({ at, tiles })).filter(({ tiles }) => tiles);
  const steps = known
    .map(({ at, tiles }) => `H${place(at)}V${height(tiles / mostPlaces)}`)
    .join("");
  const shareMoments = moments
    .map(({ share }, at) => ({ at, share }))
    .filter(({ share }) => share !== null);
  const shares = shareMoments
    .map(
      ({ at, share }, count) =>
        `${count ? `H${place(at)}V` : `M${place(at)} `}${height(Number(share) / 1000)}`,
    )
    .join("");
  const x = place(index);
  const { needed = format.needed } = moments[index].view;
  const sums =
    isTrue || isSumPublic ? moments.flatMap(({ sum }) => (sum === null ? [] : [sum])) : [];
  const most = Math.max(needed, ...sums);
  const lives = moments.flatMap(({ alive }) => (alive ? [alive] : []));
  return [
    lives.length > 0 && [
      h("path.tiles", {
        d: `M${place(0)} ${floor}${lives.map(([, second], at) => `H${place(at)}V${height(second / mostAlive[1])}`).join("")}V${floor}Z`,
      }),
      h("path.share", {
        d: lives
          .map(
            ([first], at) =>
              `${at ? `H${place(at)}V` : `M${place(0)} `}${height(first / mostAlive[0])}`,
          )
          .join(""),
      }),
    ],
    sums.length > 0 && [
      h("path.tiles", {
        d: `M${place(0)} ${floor}${sums.map((sum, at) => `H${place(at)}V${height(sum / most)}`).join("")}V${floor}Z`,
      }),
      h("path.share", { d: `M0 ${height(needed / most)}H${width}` }),
    ],
    known.length > 0 &&
      h("path.tiles", {
        d: `M${place(known[0].at)} ${floor}${steps}H${place(known[known.length - 1].at)}V${floor}Z`,
      }),
    isTrue && shareMoments.length > 1 && h("path.share", { d: shares }),
    h("path.floor", { d: `M0 ${floor}H${width}` }),
    h("path.here", { d: `M${x} 0V${full}` }),
  ];
}
