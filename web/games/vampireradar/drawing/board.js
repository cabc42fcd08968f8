/**
 * The field as an SVG, a pure function of a view and of this page's marks.
 * One tile is 100 units with its gap; the shot's line depends on what all see alone: shooter, direction, walls and, by an option, pawns.
 */
import {
  at,
  CELLS,
  COLUMNS,
  distanceOf,
  isWalled,
  neighbour,
  pawnsByCell,
  shotCells,
  STEPS,
  symbolAt,
} from "./field.js";
import { shape } from "../../../core/icons.js";
import { letterOf, seatOf } from "../../../core/i18n.js";
import {
  BRICKS,
  diamonds,
  frame,
  paving,
  pawnShape,
  ripples,
  shade,
  SYMBOLS,
  VAMPIRE,
} from "./symbols.js";
import { actionAttrs } from "../../../core/controls.js";
import { h } from "../../../core/dom.js";
import { memoizeOne } from "./memoize_one.js";

const PITCH = 100;
const ORIGIN = 90;
/** The size of a letter on its pawn, and the least one in the field: 14 pixels of 325. */
const LETTER = 28;
const LEAST_LETTER = 27;
/** The middle of a tile in the picture. @param {string} cell */
export const centre = (cell) => at(cell).map((step) => ORIGIN + step * PITCH);
/** @param {number[]} place */
const move = ([x, y], scale = 1) =>
  `translate(${round(x)} ${round(y)})${scale === 1 ? "" : ` scale(${round(scale)})`}`;
/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

/**
 * Draw the field. With a label it is a grid for screen readers, whose rows and columns have headers
 * and whose cells take the keys; without one the whole is one picture with its title.
 * @param {RadarDrawn} view @param {RadarLook & {steps?: any}} [look]
 */
export function drawField(view, look = {}) {
  const standing = pawnsByCell(view.pawns);
  const isGrid = Boolean(look.label);
  const [around, columns, numbers] = (look.compact ? COMPACT : FRAMED)[isGrid ? 1 : 0];
  return h(
    "svg",
    {
      role: isGrid ? "grid" : "img",
      id: "field",
      class: "field",
      "aria-label": look.title,
      "aria-describedby": look.describedBy,
      viewBox: look.compact ? "12 12 634 634" : `0 0 650 ${look.caption ? 692 : 650}`,
    },
    around,
    columns,
    numbers.map((number, row) =>
      h(
        "g",
        { role: isGrid && "row" },
        number,
        cellsOf(row).map((cell) => tile(cell, view, look)),
      ),
    ),
    look.under,
    view.walls.map(wall),
    look.trail?.length > 1 && trail(look.trail),
    look.shot && shotLine(look.shot, view),
    look.steps &&
      h(
        "g.sheet",
        CELLS.map(
          (cell) => look.steps[cell] && h("g", { transform: move(centre(cell)) }, look.steps[cell]),
        ),
      ),
    h(
      "g.standing",
      { "aria-hidden": "true" },
      CELLS.map((cell) => upon(cell, view, standing[cell] ?? [], look)),
    ),
    look.ripple && ripples(centre(look.ripple)),
    (look.arrows ?? []).map(arrow),
    look.path?.length && wholeGame(look.path),
    look.over,
    look.caption && h("text.caption", { x: 340, y: 678 }, look.caption),
  );
}

/** @param {number} row counted from 0 */
const cellsOf = (row) => CELLS.slice(6 * row, 6 * row + 6);

/**
 * The frame, the row of its letters, and its numbers, of which each stands before its row's tiles.
 * @param {boolean} compact @param {boolean} isGrid @returns {[Child, Child, VNode[]]}
 */
function edge(compact, isGrid) {
  const [near, down] = compact ? [28, 36] : [22, 31];
  const look = compact ? "label small" : "label";
  /** @param {string} role @param {Child} text @param {number} x @param {number} y */
  const one = (role, text, x, y) =>
    h("text", { class: look, x, y, role: isGrid && role, "aria-hidden": !isGrid && "true" }, text);
  const middles = [0, 1, 2, 3, 4, 5].map((step) => ORIGIN + step * PITCH);
  return [
    compact ? frame(13, 645) : frame(3, 647),
    h(
      "g",
      { role: isGrid && "row" },
      isGrid && h("g", { role: "gridcell" }),
      middles.map((x, step) => one("columnheader", COLUMNS[step], x, down)),
    ),
    middles.map((y, step) => one("rowheader", step + 1, near, y + (compact ? 7 : 11))),
  ];
}

/** For a display and a phone, as picture and grid: made once, so that `render` compares it once. */
const [FRAMED, COMPACT] = [false, true].map((compact) => [
  edge(compact, false),
  edge(compact, true),
]);
const HIT = h("rect.hit", { x: -50, y: -50, width: 100, height: 100 });
const GROUND = h("rect.ground", { x: -47, y: -47, width: 94, height: 94, rx: 6 });

/**
 * A function of a cell and further arguments that keeps its last result for each cell: `render`
 * skips the tiles that a press does not change.
 * @param {(cell: string, ...args: any[]) => VNode} make
 */
function memoizeEach(make) {
  const cells = Object.fromEntries(
    CELLS.map((cell) => [cell, memoizeOne((...args) => make(cell, ...args))]),
  );
  /** @param {string} cell @param {...any} args */
  return (cell, ...args) => cells[cell](...args);
}

/** @param {string} cell @param {RadarDrawn} view @param {RadarLook} look */
function tile(cell, view, look) {
  const isButton = Boolean(look.label);
  const isLive = isButton && (!look.pressable || look.pressable.includes(cell));
  return drawTile(
    cell,
    symbolAt(cell, view),
    isButton,
    isLive,
    isButton && !isLive ? look.whyNot?.(cell) : null,
    cell === (look.focus ?? "A1"),
    look.label?.(cell),
    look.rings?.[cell],
  );
}

const drawTile = memoizeEach(
  /**
   * @param {string} cell @param {keyof typeof SYMBOLS | null} symbol @param {boolean} isButton
   * @param {boolean} isLive @param {string | null | undefined} whyNot @param {boolean} isFocus
   * @param {string | undefined} label @param {string | undefined} ring
   */
  (cell, symbol, isButton, isLive, whyNot, isFocus, label, ring) => {
    const attrs = isButton
      ? {
          "data-cell": cell,
          role: "gridcell",
          tabindex: isLive || isFocus ? 0 : -1,
          "aria-label": label,
          "aria-disabled": isLive ? null : "true",
          "aria-selected": ring === "chosen" ? "true" : null,
          "data-why-not": whyNot,
          translate: "no",
        }
      : {};
    return h(
      "g",
      {
        ...attrs,
        class: `tile ${symbol ?? "bare"}${isLive ? " live" : ""}`,
        transform: move(centre(cell)),
      },
      HIT,
      GROUND,
      paving(at(cell)),
      ring && h("rect", { class: `ring ${ring}`, x: -43, y: -43, width: 86, height: 86, rx: 7 }),
    );
  },
);

/**
 * The pieces on a tile, and its symbol, which moves to a corner for them. They are above lines and
 * take no presses.
 * @param {string} cell @param {RadarDrawn} view @param {string[]} pawns @param {RadarLook} look
 */
function upon(cell, view, pawns, look) {
  const pieces = look.rings?.[cell] === "me" ? [...pawns, "V"] : pawns;
  return drawUpon(
    cell,
    symbolAt(cell, view),
    pieces.join(" "),
    look.isInset,
    Boolean(look.steps),
    look.marks?.[cell],
    look.badges?.[cell],
  );
}

const drawUpon = memoizeEach(
  /**
   * @param {string} cell @param {keyof typeof SYMBOLS | null} symbol @param {string} names
   * @param {boolean | undefined} isInset @param {boolean} hasSteps @param {string | undefined} sign
   * @param {any} answer
   */
  (cell, symbol, names, isInset, hasSteps, sign, answer) => {
    const pieces = names ? names.split(" ") : [];
    return h(
      "g",
      { transform: move(centre(cell)) + (isInset ? " translate(-7 -9) scale(.8)" : "") },
      symbol &&
        !pieces.length &&
        h("g", { class: symbol, transform: hasSteps ? "scale(.6)" : null }, SYMBOLS[symbol]),
      places(pieces.length, Boolean(symbol), Boolean(sign)).map((place, index) =>
        piece(pieces[index], place),
      ),
      symbol &&
        pieces.length > 0 &&
        h(
          "g",
          { class: symbol, transform: move([-31, -32], pieces.length > 1 ? 0.3 : 0.4) },
          SYMBOLS[symbol],
        ),
      sign && mark(sign, pieces.length > 1),
      (answer || answer === 0) &&
        h("g.badge", { transform: badgePlace(answer, pieces.length > 0) }, badge(answer)),
    );
  },
);

/**
 * A badge's corner; a claw mark is as large as its tile where nothing stands.
 * @param {any} sign @param {boolean} isTaken
 */
function badgePlace(sign, isTaken) {
  if (sign !== "claw") return move([30, -30], 0.44);
  return isTaken ? move([28, -22], 0.44) : move([0, 0], 0.8);
}

/** A number or a symbol on a disc; a claw mark without one. @param {any} sign */
const badge = (sign) =>
  sign === "claw"
    ? h("path.claw", { d: "M-34-40Q-30 4-44 44M-4-46Q2 2-12 52M28-40Q36 4 20 44" })
    : [h("circle", { r: 40 }), typeof sign === "number" ? h("text", { y: 19 }, sign) : shape(sign)];

/**
 * Return the places of a tile's pieces as [x, y, scale]; a symbol's or mark's corner stays free.
 * @param {number} count @param {boolean} besideSymbol @param {boolean} [besideMark]
 */
export function places(count, besideSymbol, besideMark = false) {
  if (count === 0) return [];
  if (count === 1) return [besideSymbol ? [5, 6, 1.1] : [0, 0, 1.3]];
  const columns = count <= 4 ? 2 : 3;
  const side = 88 - (besideSymbol ? 12 : 0) - (besideMark ? 14 : 0);
  const step = side / columns;
  const rows = Math.ceil(count / columns);
  const shift = (besideSymbol ? 6 : 0) - (besideMark ? 7 : 0);
  return Array.from({ length: count }, (_, index) => [
    shift + ((index % columns) - (columns - 1) / 2) * step,
    shift + (Math.floor(index / columns) - (rows - 1) / 2) * step,
    step / 58,
  ]);
}

/** @param {string} pawn @param {number[]} place */
function piece(pawn, [x, y, scale]) {
  if (pawn === "V") return h("g.vampire", { transform: move([x, y], scale * 0.8) }, VAMPIRE);
  const seat = seatOf(pawn);
  return h(
    "g",
    { class: `piece ${seat}`, "data-pawn": pawn, transform: move([x, y], scale) },
    pawnShape(seat),
    letter(pawn, scale),
  );
}

/**
 * A pawn's letter, which does not get smaller than 14 pixels on a phone, however small its pawn is.
 * @param {string} pawn @param {number} scale
 */
function letter(pawn, scale) {
  const size = Math.max(LETTER, Math.round(LEAST_LETTER / scale));
  const drop = seatOf(pawn) === "H1" ? 5 : 0;
  return h("text.letter", { y: Math.round(size * 0.32) + drop, "--letter": size }, letterOf(pawn));
}

/** @param {any} sign @param {boolean} isCrowded */
function mark(sign, isCrowded) {
  const drawn = sign === "x" ? shape("cross") : h("text.query", { y: 24 }, "?");
  return h("g.mark", { transform: isCrowded ? move([36, 36], 0.3) : move([30, 30], 0.42) }, drawn);
}

/** @param {string} name */
function wall(name) {
  const [first, second] = name.split("-");
  const [[x, y], [x2, y2]] = [centre(first), centre(second)];
  const [midX, midY] = [(x + x2) / 2, (y + y2) / 2];
  const turn = y === y2 ? " rotate(90)" : "";
  return h("g.wall", { transform: move([midX, midY]) + turn }, BRICKS);
}

/** @param {RadarShot} shot @param {RadarDrawn} view */
function shotLine({ cell, direction, isFired, isBurning, isPast }, view) {
  /** @type {any[]} */
  const cells = shotCells(cell, direction, view);
  const [x, y] = centre(cell);
  const [right, down] = STEPS[direction];
  const length = (cells.length - 1) * PITCH + 44;
  const [endX, endY] = [x + right * length, y + down * length];
  return h(
    "g",
    { class: ["shot", isFired && "fired", isBurning && "burning", isPast && "past"] },
    (isFired || isBurning) && shade([x, y], centre(cells.at(-1))),
    isBurning &&
      ["flame", "glow"].map((kind) => h("line", { class: kind, x1: x, y1: y, x2: endX, y2: endY })),
    h("line", { x1: x, y1: y, x2: endX, y2: endY }),
    h("line.stop", {
      x1: endX - down * 26,
      y1: endY - right * 26,
      x2: endX + down * 26,
      y2: endY + right * 26,
    }),
  );
}

/** @param {string[]} cells */
function trail(cells) {
  return h("polyline.trail", { points: cells.map((cell) => centre(cell).join(",")).join(" ") });
}

/**
 * The tiles at a distance from a tile, and the diamonds that count the steps to them.
 * @param {{cell: string, distance: number}} ring
 */
export function litRing({ cell, distance }) {
  const [x, y] = centre(cell);
  return h(
    "g.lit",
    { "aria-hidden": "true" },
    CELLS.filter((other) => distanceOf(cell, other) === distance).map((other) =>
      h("rect", { x: -47, y: -47, width: 94, height: 94, rx: 6, transform: move(centre(other)) }),
    ),
    diamonds([x, y], distance),
  );
}

/** Seconds in which the whole way is drawn. */
const WAY_SECONDS = 4.5;

/** The vampire's way, drawn step by step; then the vampire rises. @param {any[]} cells */
function wholeGame(cells) {
  const [x, y] = centre(cells[0]);
  const steps = cells.slice(1).map((cell, index) => {
    const [[x1, y1], [x2, y2]] = [centre(cells[index]), centre(cell)];
    return { x1, y1, x2, y2, "--step": index };
  });
  return h(
    "g.whole",
    {
      "aria-hidden": "true",
      "--pace": `${WAY_SECONDS / Math.max(1, steps.length)}s`,
      "--step": steps.length,
    },
    ["under", "way"].map((kind) => steps.map((ends) => h("line", { class: kind, ...ends }))),
    h("circle.way", { cx: x, cy: y, r: 9 }),
    h(
      "g",
      { transform: move(centre(cells.at(-1))) },
      h("g.risen", h("circle", { r: 46 }), VAMPIRE),
    ),
  );
}

/**
 * An arrow from tile to tile, a little short of both centres; `label` is a number beside its shaft, `action` makes it pressable.
 * @param {RadarArrow} arrow
 */
function arrow({ from, to, label, action = null }) {
  const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
  const far = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [right, down] = [(x2 - x1) / far, (y2 - y1) / far];
  const [tipX, tipY] = [x2 - right * 18, y2 - down * 18];
  const head = [
    [0, 0],
    [-34, 20],
    [-34, -20],
  ].map(([along, aside]) =>
    [tipX + right * along - down * aside, tipY + down * along + right * aside].map(round).join(","),
  );
  return h(
    "g.arrow",
    action ? actionAttrs(action) : {},
    h("line", {
      x1: round(x1 + right * 20),
      y1: round(y1 + down * 20),
      x2: round(tipX - right * 30),
      y2: round(tipY - down * 30),
    }),
    h("polygon", { points: head.join(" ") }),
    label &&
      h(
        "g",
        { transform: move([x1 + right * 34 + down * 30, y1 + down * 34 - right * 30], 0.8) },
        h("circle", { r: 22 }),
        h("text.letter", { y: 10 }, label),
      ),
  );
}

/**
 * Why no step leads from one tile to another, as a message. Between neighbours without a wall only
 * pawns are in the way, of the vampire alone.
 * @param {RadarField} view @param {string} from @param {string} to @returns {Message}
 */
export function noStep({ walls }, from, to) {
  if (isWalled(from, to, walls)) return { code: "wall_between", params: { a: from, b: to } };
  const isNear = Object.keys(STEPS).some((direction) => neighbour(from, direction) === to);
  return isNear
    ? { code: "may_not_share", params: { cell: to } }
    : { code: "not_neighbours", params: { a: from, b: to } };
}

/**
 * The content of a tile, in words: "C1, radar, Ana a, wall to the east". `text` writes a code and
 * its parameters.
 * @param {string} cell @param {RadarDrawn} view @param {RadarText} text
 * @param {Record<string, string>} [marks]
 */
export function describe(cell, view, text, marks = {}) {
  const symbol = symbolAt(cell, view);
  const pawns = Object.keys(view.pawns).filter((pawn) => view.pawns[pawn] === cell);
  const walled = Object.keys(STEPS).filter((direction) =>
    isWalled(cell, neighbour(cell, direction), view.walls),
  );
  return [
    cell,
    symbol && text(`tile.${symbol}`),
    ...pawns.sort().map((pawn) => text("pawn", { pawn })),
    ...walled.map((direction) => text("tile.walled", { direction })),
    marks[cell] && text(marks[cell] === "x" ? "mark.x" : "mark.maybe"),
  ]
    .filter(Boolean)
    .join(", ");
}
