/** The table display of Vampire Empire: the castle row, city and dead, the fight's arithmetic, whose turn it is. Pure. */
import {
  answerWords,
  arithmetic,
  court,
  graves,
  isAsked,
  isReady,
  logged,
  ready,
  steps,
  stepWords,
  stock,
  waitWords,
} from "./castle.js";
import { button, halted } from "./choices.js";
import { icon } from "./icons.js";
import { SHAPES } from "./names.js";
import { scene } from "./picture.js";
import { logList, panel } from "./table_play.js";
import { truthList } from "./truth.js";
import { el } from "./tree.js";
import { said, seatName, text, winnerWords } from "./words.js";

export { isReady, ready };
export const style = "castle";

/** Describe the whole screen of the table. */
export function playScreen(table) {
  const { picture, ui } = table;
  const { view } = picture;
  const isOver = scene(picture) === "over";
  const answer = answerWords(view);
  return el(
    "main",
    { class: `play castle ${view.turn === "human" ? "day" : "dark"}${ui.info ? " reading" : ""}` },
    el(
      "div",
      { class: "land" },
      court(view),
      arithmetic(view) ??
        el(
          "div",
          { class: "quiet" },
          answer && el("p", { class: "told", id: "answer" }, answer),
          graves(view),
        ),
      view.fight && el("p", { class: "muted small" }, text("castle.city", { n: view.city })),
    ),
    el(
      "div",
      { class: "side" },
      banner(table, isOver),
      ui.info ? [] : [stock(view), steps(view)],
      ui.info
        ? panel(picture, ui, null)
        : isOver && table.truth
          ? truthList(table.truth)
          : logList(logged(picture.log), 5),
      el("div", { class: "lower" }, el("div", { class: "row bar", id: "bar" }, bar(table, isOver))),
    ),
  );
}

function banner({ picture, notice }, isOver) {
  const { view } = picture;
  const words = halted(picture);
  if (words && !isOver)
    return el(
      "header",
      { id: "banner", class: "banner warn" },
      el("h1", {}, words.head),
      words.small && el("p", {}, words.small),
    );
  if (isOver) {
    const { reason } = picture.outcome;
    return el(
      "header",
      { id: "banner", class: "banner dusk" },
      el("h1", {}, winnerWords(picture.game, picture.outcome)),
      el("p", {}, text(`end.reason.${reason}`)),
      reason === "points" && el("p", {}, text("castle.points", view.points)),
    );
  }
  // A question for a support card is mostly answered with none: the banner stays calm.
  const seat = isAsked(view) ? view.turn : view.acting;
  return el(
    "header",
    { id: "banner", class: `banner ${seat}` },
    el("h1", {}, icon(SHAPES[seat]), " ", el("span", { translate: "no" }, seatName(seat))),
    el(
      "p",
      {},
      notice
        ? said(notice)
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
