/** The table display of V-Wars: the map, the tracks, what is now and soon, the riot; with real cards, the riot desk. Pure. */
import { button, endButtons, halted, undoButton, whyWait } from "../../core/controls.js";
import { nameThings } from "../../core/reference.js";
import { phaseOf } from "../../core/snapshot.js";
import { readFocus, texts, textsButton } from "./texts.js";
import {
  display,
  infoButton,
  logList,
  panel,
  seatHeading,
  voteButtons,
  warning,
} from "../../screens/table/play.js";
import { h } from "../../core/dom.js";
import { proofList } from "../../proof/verdict.js";
import {
  choices,
  cityAction,
  cityKind,
  coming,
  finale,
  taskWords,
  waitWords,
  isRioting,
  map,
  people,
  pressed,
  riot,
  publicEntries,
  tracks,
} from "./board.js";
import { chart } from "./drawings.js";
import { factList, fetchEnding, lastHands, pastMoments } from "../../screens/table/ending.js";
import { message, seatName, text } from "../../core/i18n.js";

export { isLookedUp as isReady, lookUp as ready } from "../../core/reference.js";

/** The parts of a view that a replay stores by changed entries. */
const FORMAT = { nested: ["cities", "players"] };

/** @type {[string, (params: any) => Child, string][]} */
const FACTS = [
  ["figure.vwars.vampire.hidden", ({ seat }) => seatName(seat), "fact.hidden"],
  ["figure.vwars.vampire.public", ({ seat }) => seatName(seat), "fact.public"],
  ["figure.vwars.riots", (params) => text("fact.riots", params), "fact.won"],
  ["figure.vwars.given", ({ n, of }) => `${n} / ${of}`, "fact.given"],
];

/** The choices at the display, where no phone makes them. @param {VWarsTable} table */
const openTo = ({ snapshot, ui, canControl }) =>
  canControl && !ui.info && !snapshot.vote && phaseOf(snapshot) === "turn" ? snapshot.legal : [];

/**
 * Why a city that nothing is offered for does nothing: it is not the display's turn, or something
 * else is to be chosen first.
 * @param {VWarsTable} table
 */
const whyNotThere = ({ snapshot, canControl }) =>
  whyWait(snapshot, canControl ? snapshot.to_move : null) ??
  (snapshot.legal.length
    ? taskWords(snapshot)
    : text("vwars.on_phone", { seat: snapshot.to_move }));

/** The winners of the riots in each city; none before they are loaded. */
function pastRiots() {
  /** @type {Record<string, (string | null)[]>} */
  const winners = {};
  for (const { event, message: words } of pastMoments(FORMAT)) {
    /** @type {Record<string, any>} */
    const { city, winner = null } = words.params ?? {};
    if (event === "riot_ended") (winners[city] ??= []).push(winner);
  }
  return winners;
}

/** Describe the whole screen of the table. @param {VWarsTable} table */
export function playScreen(table) {
  const { snapshot, ui } = table;
  const { view } = snapshot;
  nameThings(view);
  const isOver = phaseOf(snapshot) === "over";
  const proof = isOver && !ui.info && table.truth;
  const legal = openTo(table);
  const buttons = choosing(table, legal, isOver);
  const isRiot =
    isRioting(snapshot) &&
    !(view.step === "turn" && legal.length) &&
    !ui.info &&
    !ui.texts &&
    ui.riot !== riotKey(snapshot);
  return display(table, {
    looks: ["vwars-table", isRiot && "desk"],
    attrs: { "data-position": snapshot.position },
    land: ui.texts
      ? texts(view)
      : map(
          isOver ? { ...view, riots: pastRiots() } : view,
          cityAction(legal, cityKind(legal, ui.mode)),
          ui.zoom,
          undefined,
          whyNotThere(table),
        ),
    banner: heading(snapshot, table.notice),
    body: [
      !ui.info && [
        tracks(view),
        !isOver && coming(view),
        people(view, isOver ? null : snapshot.to_move, isOver ? lastHands(FORMAT) : null),
        !isOver && riot(view),
        isUntyped(view) && h("p.muted.note", text("numbered.places")),
      ],
      proof
        ? proofList(proof)
        : !ui.info &&
          (isOver
            ? factList(snapshot, FACTS)
            : logList(publicEntries(snapshot, 2), view.riot || buttons.length > 2 ? 1 : 2)),
    ],
    choices: buttons,
    isRow: false,
    bar: [isRiot && seeMap(view), bar(table, isOver)],
  });
}

/**
 * The heading: the seat to move, a pause or vote, or the result.
 * @param {VWarsSnapshot} snapshot @param {Message | null} notice
 */
function heading(snapshot, notice) {
  const isOver = phaseOf(snapshot) === "over";
  const halt = halted(snapshot);
  if (halt && !isOver) return warning(halt);
  if (isOver) return finale(snapshot.outcome, "banner");
  // A seat with a phone types the box's beginning there: no city can be pressed here.
  const words = snapshot.view.step === "setup" && !snapshot.legal.length ? waitWords : taskWords;
  return h(
    "header#banner",
    { class: `banner ${snapshot.to_move}` },
    h("h1", seatHeading(snapshot.to_move)),
    h("p", notice ? message(notice) : words(snapshot)),
  );
}

/** Whether places are numbers: nobody typed the map of the box. @param {VWarsView} view */
const isUntyped = ({ step, regions }) => step === "setup" && !chart(regions).roads.length;

/**
 * The riot that is shown, so that the next one is shown too.
 * @param {VWarsSnapshot & {view: {riot: any}}} snapshot
 */
const riotKey = ({ view }) => `${view.turns} ${view.riot.city} ${view.step}`;

/** The way back to the map, where no city has to be pressed. @param {VWarsView} view */
const seeMap = ({ step }) => step !== "turning" && button("map", text("vwars.map"));

/** @param {VWarsTable} table @param {VWarsAction[]} legal @param {boolean} isOver */
function choosing({ snapshot, ui, canControl, truth }, legal, isOver) {
  if (ui.info) return panel(snapshot, ui, null);
  if (!canControl) return [];
  if (snapshot.vote) return snapshot.legal.length ? voteButtons(snapshot) : [];
  if (isOver) return [h("div.row", endButtons(!truth && Boolean(snapshot.seal)))];
  return legal.length ? choices(snapshot.view, legal, ui, true) : [];
}

/** @param {VWarsTable} table @param {boolean} isOver */
function bar({ snapshot, ui, canControl }, isOver) {
  if (ui.info) return [];
  const more = infoButton();
  const read = textsButton(snapshot.view, ui.texts);
  if (!canControl || isOver || !snapshot.legal.length) return [read, more];
  return [undoButton(snapshot), read, more];
}

/** @param {string} name @returns {GameActions["act"]} */
const act = (name) => (table, argument) => ({
  zoom: null,
  ...pressed(table.snapshot.legal)[name](table, argument),
});
/** @type {GameActions<VWarsTable>} */
export const ACTIONS = {
  do: act("do"),
  mode: act("mode"),
  texts: ({ ui }, where) => {
    if (!ui.texts) readFocus(where);
    return { texts: !ui.texts };
  },
  map: ({ snapshot }) => ({ riot: riotKey(snapshot) }),
  zoom: (_, region) => ({ zoom: region ? Number(region) : null }),
};

/** After the end everybody sees all hands. @param {VWarsTable} table @param {() => unknown} draw */
export const follow = ({ snapshot }, draw) => fetchEnding(snapshot, draw);
