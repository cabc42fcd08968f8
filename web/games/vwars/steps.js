/** How V-Wars is played, in six pictures: the map's cities, the track and the cards of a riot. */
import { card, disc, dots, drawing, figure, line, path, sign, words } from "../../core/drawing.js";

const [PAPER, INK, RED, BLUE, GOLD] = ["#d9c49a", "#2b2118", "#d8344e", "#4d7fd0", "#8a5a12"];
const MAP = "M6 16Q34 8 60 14T114 12V104Q88 112 60 106T6 108Z";
/** @param {...Child} shapes */
const map = (...shapes) => drawing(path(MAP, PAPER), shapes);
/** @param {number} x @param {number} y @param {string} [fill] */
const city = (x, y, fill = "#f4efe6") => [disc(x, y, 13, INK), disc(x, y, 9, fill)];
/** @param {number} x @param {number} value @param {string} color */
const riot = (x, value, color) => card(x, 58, 0, "#f4efe6", color, words(0, 9, 26, color, value));

export const steps = {
  factions: () =>
    map(
      figure(32, 62, INK),
      figure(60, 62, INK),
      figure(88, 62, INK),
      sign("fang", 60, 92, 20, RED),
    ),
  track: () =>
    map(
      line("M18 60H102", "#f4efe6", 16),
      line("M18 60H66", RED, 16),
      words(60, 98, 24, INK, "16"),
    ),
  move: () =>
    map(dots("M34 44Q60 20 86 76", INK), city(34, 44), city(86, 76), figure(34, 34, BLUE)),
  troops: () =>
    map(
      city(60, 66, BLUE),
      [28, 60, 92].map((x) => disc(x, 32, 8, BLUE)),
      dots("M60 92V102", INK),
      sign("fang", 30, 84, 18, RED),
    ),
  riot: () =>
    map(
      riot(34, 3, BLUE),
      riot(86, 4, RED),
      sign("sword", 60, 58, 20, GOLD),
      words(60, 100, 18, INK, "6"),
    ),
  end: () =>
    map(
      city(34, 58, BLUE),
      city(60, 58, BLUE),
      city(86, 58, BLUE),
      sign("check", 60, 90, 24, BLUE),
    ),
};
