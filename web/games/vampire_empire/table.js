/** The table display of Vampire Empire: the castle row, city and dead, the fight's arithmetic, whose turn it is. Pure. */
import {
  answerWords,
  arithmetic,
  court,
  graves,
  isAsked,
  logged,
  steps,
  stepWords,
  stock,
  waitWords,
} from "./court.js";
import { button, halted } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { shapeOf } from "../../core/names.js";
import { scene } from "../../core/snapshot.js";
import { logList, panel } from "../../screens/table/play.js";
import { truthList } from "../../proof/verdict.js";
import { h } from "../../core/dom.js";
import { message, seatName, text, winnerWords } from "../../core/i18n.js";
import { game } from "./index.js";

const { winners } = game;

export { isLookedUp as isReady, lookUp as ready } from "../../core/reference.js";

/** Describe the whole screen of the table. */
export function playScreen(table) {
  const { picture, ui } = table;
  const { view } = picture;
  const isOver = scene(picture) === "over";
  const answer = answerWords(view);
  return h(
    "main",
    { class: `play castle ${view.turn === "human" ? "day" : "dark"}${ui.info ? " reading" : ""}` },
    h(
      "div",
      { class: "land" },
      court(view),
      arithmetic(view) ??
        h(
          "div",
          { class: "quiet" },
          answer && h("p", { class: "told", id: "answer" }, answer),
          graves(view),
        ),
      view.fight && h("p", { class: "muted small" }, text("castle.city", { n: view.city })),
    ),
    h(
      "div",
      { class: "side" },
      banner(table, isOver),
      ui.info ? [] : [stock(view), steps(view)],
      ui.info
        ? panel(picture, ui, null)
        : isOver && table.truth
          ? truthList(table.truth)
          : logList(logged(picture.log), 5),
      h("div", { class: "lower" }, h("div", { class: "row bar", id: "bar" }, bar(table, isOver))),
    ),
  );
}

function banner({ picture, notice }, isOver) {
  const { view } = picture;
  const words = halted(picture);
  if (words && !isOver)
    return h(
      "header",
      { id: "banner", class: "banner warn" },
      h("h1", {}, words.head),
      words.small && h("p", {}, words.small),
    );
  if (isOver) {
    const { reason } = picture.outcome;
    return h(
      "header",
      { id: "banner", class: "banner dusk" },
      h("h1", {}, winnerWords(picture.outcome, winners)),
      h("p", {}, text(`end.reason.${reason}`)),
      reason === "points" && h("p", {}, text("castle.points", view.points)),
    );
  }
  // A question for a support card is mostly answered with none: the banner stays calm.
  const seat = isAsked(view) ? view.turn : view.acting;
  return h(
    "header",
    { id: "banner", class: `banner ${seat}` },
    h("h1", {}, icon(shapeOf(seat)), " ", h("span", { translate: "no" }, seatName(seat))),
    h(
      "p",
      {},
      notice
        ? message(notice)
        : [
            text(view.turn === "human" ? "castle.day" : "castle.night"),
            " · ",
            isAsked(view) ? waitWords(picture) : stepWords(view),
          ],
    ),
  );
}

function bar({ ui, can, truth }, isOver) {
  if (ui.info) return [];
  const more = button("info", icon("more"), {
    class: "narrow",
    "aria-label": text("more"),
    "aria-pressed": "false",
  });
  return isOver
    ? [
        can && !truth && button("reveal", text("end.truth")),
        button("replay", text("replay")),
        can && button("again", text("end.again"), { class: "prime" }),
        more,
      ]
    : [more];
}

export const ACTIONS = {};
