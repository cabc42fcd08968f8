/** How Shisogari is played, in six pictures: backs, faces and a ribbon between hands. */
import { card, disc, dots, drawing, figure, line, path, sign, words } from "../../core/drawing.js";

const [WHITE, BLACK, EDGE, GOLD, RED] = ["#f0e4cf", "#2b2233", "#c79a58", "#f0c674", "#ff6b7a"];
/** @param {...Child} shapes */
const table = (...shapes) => drawing(disc(60, 62, 56, "#4a1430"), shapes);
/** @param {number} x @param {number} y @param {number} turn @param {string} fill */
const back = (x, y, turn, fill) => card(x, y, turn, fill, EDGE);
const cross = path("M-3-16H3V-6H12V0H3V18H-3V0H-12V-6H-3Z", "#5b1830");
/** @param {number} x @param {number} y @param {number} turn @param {Child} drawn */
const face = (x, y, turn, drawn) => card(x, y, turn, WHITE, EDGE, drawn);

export const steps = {
  roles: () =>
    table(
      figure(30, 62, GOLD),
      figure(60, 48, GOLD),
      figure(90, 62, GOLD),
      sign("fang", 60, 92, 24, RED),
    ),
  backs: () => table(back(34, 66, -14, WHITE), back(60, 60, 0, BLACK), back(86, 66, 14, WHITE)),
  take: () =>
    table(
      back(28, 70, -8, WHITE),
      back(92, 70, 8, WHITE),
      dots("M34 40Q60 8 86 40", GOLD),
      line("M78 30L88 42 92 27", GOLD),
    ),
  pair: () =>
    table(face(44, 62, -6, cross), face(78, 62, 6, cross), sign("check", 60, 102, 24, GOLD)),
  bite: () => table(face(42, 62, -8, sign("fang", 0, 0, 26, "#d8344e")), figure(84, 66, RED)),
  accuse: () =>
    table(
      figure(84, 64, RED),
      line("M20 62H58M46 50L59 62 46 74", GOLD, 6),
      words(60, 112, 20, GOLD, "5 ✓"),
    ),
};
