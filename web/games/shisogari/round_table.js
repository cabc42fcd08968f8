/**
 * The round table: seats around it clockwise, a candle, the ribbon between two hands with the named item in its seal, and the
 * card that was picked. It draws public data only: no duration and no moment depends on a hand.
 */
import { card, drawing, giverOf, pickerOf, players } from "./cards.js";
import { h } from "../../core/dom.js";
import { text, winnerWords } from "../../core/i18n.js";
import { game } from "./index.js";

/** Where the seats are in a square of 100, by their number. @type {Record<number, number[][]>} */
const PLACES = {
  4: [
    [22, 19],
    [78, 19],
    [78, 81],
    [22, 81],
  ],
  5: [
    [22, 15],
    [78, 15],
    [81, 50],
    [50, 85],
    [19, 50],
  ],
};
const MIDDLE = 50;
/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

/**
 * Where a ribbon between two places is at `part` of its way: a bow through the middle of the table.
 * @param {number[][]} ends
 * @param {number} part 0 to 1
 */
export function along([one, other], part) {
  return [0, 1].map((axis) => {
    const pull = 2 * MIDDLE - (one[axis] + other[axis]) / 2;
    const rest = 1 - part;
    return round(rest * rest * one[axis] + 2 * rest * part * pull + part * part * other[axis]);
  });
}

/**
 * Describe the table of a view: who is to move, what `more(seat)` adds to a seat, and after the end
 * who turned whom.
 * @param {ShisogariRound} view @param {string | null} mover @param {(seat: string) => any} more
 * @param {{by: string, seat: string}[]} bites
 */
export function roundTable(view, mover, more = (_seat) => null, bites = []) {
  const seats = Object.keys(view.backs);
  /** @param {string} seat */
  const place = (seat) => PLACES[seats.length][seats.indexOf(seat)];
  const link = linked(view);
  const ends = link && [place(link.from), place(link.to)];
  return h(
    "div.round-table",
    h(
      "svg.cloth",
      { viewBox: "0 0 100 100", "aria-hidden": "true" },
      h("circle.board", { cx: 50, cy: 50, r: 49.5 }),
      h("circle", { cx: 50, cy: 50, r: 46.5, fill: "var(--velvet)" }),
      h("circle.hem", { cx: 50, cy: 50, r: 44.5 }),
      h("circle", { cx: 50, cy: 50, r: 30, fill: "#ffb85c", opacity: 0.16 }),
      bites.map(({ by, seat }) => ribbon([place(by), place(seat)], "accusing bite")),
      ends && ribbon(ends, link.kind),
      candle(view, "translate(42.5 50) scale(.11)"),
      link && seal(link.sign),
      lying(view),
      ends && view.transfer?.colour && !view.outcome && travelling(ends, view.transfer.colour),
    ),
    players(view, mover, more),
  );
}

/** The table on a wall. @param {ShisogariView} view @param {{mover: string | null}} look */
export const drawTable = (view, { mover }) => roundTable(view, mover);

/**
 * Between whom the ribbon lies, from where to where, and what its seal shows; null before a partner is chosen.
 * @param {ShisogariRound} view
 */
function linked({ transfer, accused, outcome }) {
  if (accused) return { kind: "accusing", from: accused.seat, to: accused.suspect, sign: "bat" };
  if (!transfer || outcome) return null;
  return { kind: "", from: giverOf(transfer), to: pickerOf(transfer), sign: transfer.item };
}

/** A ribbon with two marks of its direction. @param {number[][]} ends @param {string} kind */
function ribbon(ends, kind) {
  const [[x1, y1], [x2, y2]] = ends;
  const [pullX, pullY] = [0, 1].map((axis) =>
    round(2 * MIDDLE - (ends[0][axis] + ends[1][axis]) / 2),
  );
  const d = `M${x1} ${y1}Q${pullX} ${pullY} ${x2} ${y2}`;
  return h(
    "g",
    { id: `ribbon-${ends.flat().join("-")}`, class: `ribbon ${kind}`.trim() },
    h("path", { d, stroke: "var(--hem)", "stroke-width": 4.4 }),
    h("path", { d }),
    [0.34, 0.66].map((part) => {
      const [x, y] = along(ends, part);
      const [nextX, nextY] = along(ends, part + 0.02);
      const turn = round((Math.atan2(nextY - y, nextX - x) * 180) / Math.PI);
      return h("path", {
        d: "M-1.3-1.6 1.5 0-1.3 1.6-.6 0Z",
        fill: "var(--hem)",
        stroke: "none",
        transform: `translate(${x} ${y}) rotate(${turn})`,
      });
    }),
  );
}

/** The named item as a seal of wax; plain before it is named. @param {string | null} sign */
const seal = (sign) =>
  h(
    "g.wax",
    { id: `seal-${sign ?? "plain"}`, transform: "translate(56 50)" },
    h("path", {
      d: "M0-6.6Q2.4-7.4 4-5.4 6.8-5.2 6.4-2.4 8.2 0 6.3 2.2 6.6 5.2 3.8 5.4 2 7.8-.4 6.5-3.4 7.6-4.6 5-7.4 4.4-6.5 1.6-8-1-6-2.8-6-5.8-3.2-5.6-2-7.4 0-6.6Z",
      fill: "#a3142c",
      stroke: "#5e0917",
      "stroke-width": 0.5,
    }),
    h("circle", { r: 5.1, fill: "#8c1026", stroke: "#d8546a", "stroke-width": 0.4 }),
    sign &&
      h("path", {
        fill: "#ffe9cf",
        d: drawing(sign),
        "fill-rule": "evenodd",
        transform: `scale(${sign === "bat" ? 0.14 : 0.12})`,
      }),
  );

/** The last cards that nobody has taken yet, in a row. @param {{step: string, last?: any}} view */
function lying({ last, step }) {
  if (step !== "last_card") return [];
  const left = 48;
  return [...last].map((back, index) =>
    placed(card(back === "w" ? "white" : "black"), [left + index * 7.2 + 6, 50]),
  );
}

/**
 * A card within the drawing.
 * @param {any} drawn
 * @param {number[]} at its middle
 */
const placed = (drawn, [x, y]) => ({
  ...drawn,
  attrs: { ...drawn.attrs, x: x - 3, y: y - 4.2, width: 6, height: 8.4 },
});

/**
 * The picked card before its picker. The outer frame makes the way from the giver one unit long, the inner one takes that
 * back, so that the style moves it by one unit whatever the way.
 * @param {number[][]} ends @param {string} colour
 */
function travelling(ends, colour) {
  const [from, to] = [along(ends, 0.3), along(ends, 0.72)];
  const [right, down] = [to[0] - from[0], to[1] - from[1]];
  const far = right * right + down * down;
  /** @param {...number} values */
  const matrix = (...values) =>
    `matrix(${values.map((each) => Math.round(each * 1e4) / 1e4).join(" ")})`;
  return h(
    "g",
    { transform: matrix(right, down, -down, right, ...to) },
    h(
      "g.travels",
      { id: `card-${to.join("-")}` },
      h(
        "g",
        { transform: matrix(right / far, -down / far, down / far, right / far, 0, 0) },
        placed(card(colour), [0, 0]),
      ),
    ),
  );
}

/**
 * The candle; while a card is placed it burns down, for as long as every placing takes.
 * @param {{step: string, options: Record<string, any>}} view @param {string | null} transform
 */
export function candle({ step, options }, transform = null) {
  const isBurning = step === "place";
  return h(
    "g",
    {
      id: isBurning ? "burning" : "candle",
      class: isBurning ? "candle burning" : "candle",
      "--burns": isBurning && `${options.place_seconds}s`,
      transform,
    },
    h("path", { d: "M-34 44H34L24 56H-24ZM30 46Q46 40 46 50T30 54Z", fill: "#c79a55" }),
    h("path.stick", { d: "M-15-16Q0-24 15-16V46H-15Z", fill: "#efe3cb" }),
    h(
      "g.flame",
      h("path", { d: "M-2-28H2V-18H-2Z", fill: "#2a1a10" }),
      h("path", { d: "M0-66Q20-40 11-30 5-24 0-24-5-24-11-30-20-40 0-66Z", fill: "#ff9d2e" }),
      h("path", { d: "M0-48Q9-36 5-30 0-25-5-30-9-36 0-48Z", fill: "#fff3c4" }),
    ),
  );
}

/** The candle by itself, beside words. @param {ShisogariView} view */
export const waitingCandle = (view) =>
  h("svg.waiting", { viewBox: "-50 -70 100 130", "aria-hidden": "true" }, candle(view));

const DARK = "#140a10";
/** @type {Record<string, string>} */
const ORBS = { hunters: "#ffe2a0", draw: "#4a2a3a" };

/**
 * The end: a sunrise over the crucifix for the Hunters, a red moon with a bat for the Vampire's side, a candle for a draw.
 * @param {string} winner
 */
const triumph = (winner) =>
  h(
    "svg.triumph",
    { viewBox: "-160 -60 320 120", "aria-hidden": "true" },
    h("circle", { cy: winner === "hunters" ? 44 : 0, r: 56, fill: ORBS[winner] ?? "#c4203a" }),
    h("path", { d: "M-160 60V34Q-90 20-40 40T60 38 160 30V60Z", fill: DARK }),
    winner === "draw"
      ? candle({ step: "turn", options: {} }, "translate(0 8) scale(.9)")
      : h("path", {
          fill: DARK,
          d: drawing(winner === "hunters" ? "crucifix" : "bat"),
          transform: winner === "hunters" ? "translate(0 0) scale(1.5)" : "scale(1.7)",
        }),
  );

/** The end: who has won, and why. @param {{outcome: any}} snapshot */
export const finale = ({ outcome }) =>
  h(
    "header#banner",
    { class: `banner finale won-${outcome.winner}` },
    triumph(outcome.winner),
    h("h1", winnerWords(outcome, game.winners)),
    h("p", text(`end.reason.${outcome.reason}`)),
  );
