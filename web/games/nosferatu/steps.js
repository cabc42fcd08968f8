/** How Nosferatu is played, in six pictures: a few tiles of the board each. */
import { disc, dots, drawing, line, path, sign } from "../../core/drawing.js";

const [TILE, VILLAGER, VAMPIRE, GOLD] = ["#34424f", "#e7d7b0", "#ff6b7a", "#f0c674"];
const PLACES = [
  [60, 60],
  [60, 22],
  [60, 98],
  [27, 41],
  [93, 41],
  [27, 79],
  [93, 79],
];

/** @param {number[]} pair */
const tile = ([x, y]) =>
  path(
    `M${x - 21} ${y}L${x - 11} ${y - 18}H${x + 11}L${x + 21} ${y} ${x + 11} ${y + 18}H${x - 11}Z`,
    TILE,
  );

/** @param {...Child} shapes */
const board = (...shapes) => drawing(PLACES.map(tile), shapes);
/** @param {number} x @param {number} y */
const villager = (x, y) => disc(x, y, 12, VILLAGER);
/** @param {number} x @param {number} y */
const vampire = (x, y) => sign("fang", x, y, 26, VAMPIRE);
/** @param {number} x @param {number} y */
const nosferatu = (x, y) => sign("bat", x, y, 36, VAMPIRE);

export const steps = {
  sides: () => board(nosferatu(60, 60), vampire(27, 41), villager(93, 79), villager(60, 98)),
  enter: () => board(villager(60, 60), line("M60 4V36M48 26L60 38 72 26", GOLD)),
  capture: () =>
    board(
      vampire(27, 79),
      villager(60, 60),
      dots("M34 62Q58 18 88 36", GOLD),
      sign("check", 93, 41, 22, GOLD),
    ),
  must: () =>
    board(
      vampire(27, 79),
      villager(60, 60),
      disc(27, 79, 20, "none"),
      dots("M27 99A20 20 0 1 1 28 99", GOLD),
    ),
  convert: () =>
    board(
      nosferatu(60, 22),
      dots("M60 36V90", GOLD),
      villager(48, 62),
      line("M62 62H74", GOLD),
      vampire(86, 64),
    ),
  end: () => board(nosferatu(60, 60), sign("cross", 60, 60, 48, VILLAGER)),
};
