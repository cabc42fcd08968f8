/** How Vampire Empire is played, in six pictures: the castle, its people and the cards of a fight. */
import { card, disc, drawing, figure, line, path, sign, words } from "../../core/drawing.js";

const [STONE, LIGHT, WHITE, RED, GOLD] = ["#5d5472", "#ffd27a", "#f0e4cf", "#ff6b7a", "#f0c674"];
const CASTLE = "M18 116V50L30 32 42 50V64H50V38L60 18 70 38V64H78V50L90 32 102 50V116Z";
const house = () => path(CASTLE, STONE);
/** @param {...Child} shapes */
const phaseOf = (...shapes) => drawing(disc(98, 20, 14, "#f3e6bd"), house(), shapes);
/** @param {number} x @param {number} y @param {number} value @param {string} [color] */
const paper = (x, y, value, color = WHITE) =>
  card(x, y, 0, color, "#1d1828", words(0, 9, 26, "#1d1828", value));

export const steps = {
  secret: () =>
    phaseOf(
      [36, 60, 84].map((x) => figure(x, 92, "#1d1828")),
      words(60, 98, 26, LIGHT, "?"),
    ),
  castle: () => phaseOf([30, 60, 90].map((x) => figure(x, 88, LIGHT))),
  turn: () =>
    drawing(
      card(44, 62, -12, WHITE, STONE),
      card(60, 58, 0, WHITE, STONE),
      card(76, 62, 12, WHITE, STONE),
      line("M24 104H96M84 94L97 104 84 114", GOLD),
    ),
  fight: () =>
    drawing(
      paper(30, 56, 5),
      sign("sword", 60, 56, 28, GOLD),
      paper(90, 56, 3, RED),
      words(60, 112, 22, GOLD, "5 > 3"),
    ),
  water: () =>
    drawing(
      path("M60 14Q88 54 88 74A28 28 0 0 1 32 74Q32 54 60 14Z", "#4d9bff"),
      words(60, 88, 40, WHITE, "?"),
    ),
  end: () => phaseOf([36, 60, 84].map((x) => sign("fang", x, 90, 22, RED))),
};
