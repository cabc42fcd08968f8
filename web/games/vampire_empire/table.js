/** The table display of Vampire Empire: the castle above the town, the fight or the town, the piles by the moat, whose turn it is. */
import {
  answerWords,
  arithmetic,
  castle,
  isAsked,
  logged,
  nameOf,
  steps,
  stepWords,
  stock,
  town,
  waitWords,
} from "./characters.js";
import { wall, water } from "./figures.js";
import { endButtons, halted } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { phaseOf } from "../../core/snapshot.js";
import {
  display,
  infoButton,
  logList,
  panel,
  seatHeading,
  warning,
} from "../../screens/table/play.js";
import { factList, fetchEnding, lastHands } from "../../screens/table/ending.js";
import { proofList } from "../../proof/verdict.js";
import { h } from "../../core/dom.js";
import { message, text, winnerWords } from "../../core/i18n.js";
import { game } from "./index.js";

const { winners } = game;

export { isLookedUp as isReady, lookUp as ready } from "../../core/reference.js";

/** @type {[string, (params: any) => Child, string][]} */
const FACTS = [
  ["figure.vampire_empire.unknown", ({ character }) => nameOf(character), "fact.unknown"],
  ["figure.vampire_empire.shown", ({ character }) => nameOf(character), "fact.shown"],
  ["figure.vampire_empire.fights", (params) => text("fact.fights", params), "fact.deaths"],
  ["figure.vampire_empire.water", ({ n, hits }) => `${hits} / ${n}`, "fact.water"],
  ["figure.vampire_empire.died", ({ character }) => nameOf(character), "fact.died"],
];

/** Describe the whole screen of the table. @param {EmpireTable} table */
export function playScreen(table) {
  const { snapshot, ui } = table;
  const { view } = snapshot;
  const isOver = phaseOf(snapshot) === "over";
  const answer = answerWords(view);
  return display(table, {
    looks: ["vampire-empire-table", view.turn === "human" ? "day" : "dark", isOver && "ended"],
    land: [
      h("div.keep", wall(), castle(view)),
      arithmetic(view) ?? (answer ? h("p#answer.result", answer) : town(view)),
      h("div.ditch", water(), stock(view, isOver ? lastHands() : null)),
    ],
    banner: banner(table, isOver),
    body: [
      ui.info || isOver ? [] : steps(view),
      ui.info
        ? panel(snapshot, ui, null)
        : !isOver
          ? logList(logged(snapshot.log), 5)
          : table.truth
            ? proofList(table.truth)
            : factList(snapshot, FACTS),
    ],
    bar: bar(table, isOver),
  });
}

/** @param {EmpireTable & {snapshot: {view: {window: any}}}} table @param {boolean} isOver */
function banner({ snapshot, notice }, isOver) {
  const { view } = snapshot;
  const words = halted(snapshot);
  if (words && !isOver) return warning(words);
  if (isOver) {
    const { reason } = snapshot.outcome;
    return h(
      "header#banner.banner.finale",
      h("h1", winnerWords(snapshot.outcome, winners)),
      h("p", text(`end.reason.${reason}`)),
      reason === "points" && h("p", text("vampire_empire.points", view.points)),
    );
  }
  // A question for a support card is mostly answered with none: the banner stays calm.
  const seat = isAsked(view) ? view.turn : view.acting;
  const isWait = isAsked(view) && view.window.asked !== view.turn;
  return h(
    "header#banner",
    { class: `banner ${seat}` },
    h(
      "h1",
      seatHeading(seat),
      icon(view.turn === "human" ? "sun" : "moon", "time"),
      h("span.vh", text(view.turn === "human" ? "vampire_empire.day" : "vampire_empire.night")),
    ),
    h("p", notice ? message(notice) : isWait ? waitWords(snapshot) : stepWords(view)),
  );
}

/** @param {EmpireTable} table @param {boolean} isOver */
function bar({ ui, canControl, truth }, isOver) {
  if (ui.info) return [];
  const more = infoButton();
  return isOver && canControl ? [endButtons(!truth), more] : [more];
}

/** @type {GameActions} */
export const ACTIONS = {};

/** After the end both hands are open. @param {EmpireTable} table @param {() => unknown} draw */
export const follow = ({ snapshot }, draw) => fetchEnding(snapshot, draw);
