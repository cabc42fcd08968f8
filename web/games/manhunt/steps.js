/** How Manhunt is played, in six pictures: a few places and ways each. */
import { disc, dots, drawing, figure, line, sign, words } from "../../core/drawing.js";

const [WAY, PLACE, HUNTER, GOLD, RED] = ["#5d6b73", "#e9dfc8", "#57b4ff", "#f0c674", "#ff6b7a"];
const PLACES = [
  [24, 30],
  [60, 20],
  [96, 34],
  [30, 74],
  [66, 66],
  [98, 86],
  [58, 104],
];
const WAYS =
  "M24 30L60 20 96 34 98 86 58 104 30 74 24 30M60 20L66 66 30 74M66 66L96 34M66 66L98 86";
/** @param {...Child} shapes */
const map = (...shapes) =>
  drawing(
    line(WAYS, WAY),
    PLACES.map(([x, y]) => disc(x, y, 9, PLACE)),
    shapes,
  );

export const steps = {
  hide: () => map(sign("moon", 66, 66, 26, RED), figure(24, 22, HUNTER), figure(98, 78, HUNTER)),
  walk: () => map(dots("M66 66L60 20", RED), sign("moon", 60, 20, 26, RED)),
  announce: () => map(line(WAYS.slice(0, 13), GOLD, 7), words(78, 58, 30, GOLD, "?")),
  hunt: () => map(figure(30, 66, HUNTER), line("M34 72L56 68M50 62L57 68 50 74", HUNTER, 5)),
  ask: () => map(figure(66, 58, HUNTER), words(66, 30, 34, GOLD, "?"), disc(30, 74, 12, GOLD)),
  catch: () =>
    map(sign("moon", 66, 66, 24, RED), figure(66, 44, HUNTER), sign("check", 96, 34, 30, GOLD)),
};
