/** A field of hexagons as an SVG, a pure function of a view {rows, pawns} and of what this page wants marked on it. */
import { shape } from "../../core/icons.js";
import { h } from "../../core/dom.js";

const WIDTH = 86;
const HEIGHT = WIDTH * 0.866;
const MIDDLE = 325;
const PIECES = { n: ["nosferatu", "bat"], v: ["vampires", "fang"], m: ["villagers", "circle"] };
const round = (value) => Math.round(value * 10) / 10;

/** The kind of a piece: "n", "v" or "m". */
export const kindOf = (pawn) => pawn[0];

/** Where the middle of a cell is in the picture. */
function centre(cell, rows) {
  const row = rows.findIndex((cells) => cells.includes(cell));
  const column = rows[row].indexOf(cell) - (rows[row].length - 1) / 2;
  return [round(MIDDLE + column * WIDTH), round(MIDDLE + (row - (rows.length - 1) / 2) * HEIGHT)];
}

const CORNERS = Array.from({ length: 6 }, (_, index) => Math.PI * (index / 3 + 1 / 6));
const hexagon = (radius) =>
  CORNERS.map((angle) =>
    [Math.cos(angle) * radius, Math.sin(angle) * radius].map(round).join(","),
  ).join(" ");
const GROUND = hexagon(WIDTH * 0.56);
const RING = hexagon(WIDTH * 0.49);

/**
 * Draw the field. `look`: {label(cell) -> string, title, pressable: cells, focus: cell, rings: {cell: class}, last: cells of the
 * last move, shut: cells that are forbidden, arrows: [{from, to}]}. Without `label` nothing can be pressed.
 */
export function drawBoard(view, look = {}) {
  const { rows } = view;
  const standing = Object.fromEntries(
    Object.entries(view.pawns).map(([pawn, cell]) => [cell, pawn]),
  );
  return h(
    "svg",
    {
      role: look.label ? "group" : "img",
      id: "field",
      class: "field hexes",
      "aria-label": look.title,
      viewBox: "0 0 650 650",
    },
    rows.flat().map((cell) => tile(cell, rows, look)),
    (look.arrows ?? []).map((each) => arrow(centre(each.from, rows), centre(each.to, rows))),
    h(
      "g",
      { class: "standing", "aria-hidden": "true" },
      rows.flat().map((cell) => upon(cell, standing[cell], rows, look)),
    ),
  );
}

function tile(cell, rows, look) {
  const isLive = look.label && (!look.pressable || look.pressable.includes(cell));
  const ring = look.rings?.[cell];
  const attrs = look.label
    ? {
        "data-cell": cell,
        role: "button",
        tabindex: cell === (look.focus ?? rows[0][0]) ? 0 : -1,
        "aria-label": look.label(cell),
        "aria-disabled": isLive ? null : "true",
        translate: "no",
      }
    : {};
  return h(
    "g",
    {
      ...attrs,
      class: `tile${isLive ? " live" : ""}${look.shut?.includes(cell) ? " shut" : ""}`,
      transform: `translate(${centre(cell, rows).join(" ")})`,
    },
    h("polygon", { class: "hit ground", points: GROUND }),
    look.last?.includes(cell) && h("polygon", { class: "last", points: RING }),
    ring && h("polygon", { class: `ring ${ring}`, points: RING }),
  );
}

function upon(cell, pawn, rows, look) {
  const [x, y] = centre(cell, rows);
  if (!pawn) {
    return h(
      "g",
      { transform: `translate(${x} ${y})` },
      h("text", { class: "name", y: 7 }, cell),
      look.shut?.includes(cell) && h("g", { class: "forbidden" }, shape("cross")),
    );
  }
  const [kind, drawn] = PIECES[kindOf(pawn)];
  return h(
    "g",
    { class: `piece ${kind}`, "data-pawn": pawn, transform: `translate(${x} ${y})` },
    kind === "nosferatu" && h("circle", { r: 31 }),
    h(
      "g",
      {
        class: "shape",
        transform: `scale(${kind === "vampires" ? 1.05 : kind === "nosferatu" ? 0.85 : 1.1})`,
      },
      shape(drawn),
    ),
  );
}

/**
 * @param {number[]} from
 * @param {number[]} to
 */
function arrow([x1, y1], [x2, y2]) {
  const far = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [right, down] = [(x2 - x1) / far, (y2 - y1) / far];
  const head = [
    [0, 0],
    [-26, 15],
    [-26, -15],
  ].map(([along, aside]) =>
    [x2 - right * 10 + right * along - down * aside, y2 - down * 10 + down * along + right * aside]
      .map(round)
      .join(","),
  );
  return h(
    "g",
    { class: "arrow" },
    h("line", {
      x1: round(x1 + right * 34),
      y1: round(y1 + down * 34),
      x2: round(x2 - right * 26),
      y2: round(y2 - down * 26),
    }),
    h("polygon", { points: head.join(" ") }),
  );
}
