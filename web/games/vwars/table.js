/** The table display of V-Wars: the map, the tracks, what is now and soon, the riot; beside the box, the riot desk. Pure. */
import { button, halted, undoButton } from "../../core/controls.js";
import { nameThings } from "../../core/reference.js";
import { scene } from "../../core/snapshot.js";
import { closeByKey, readFocus, texts, textsButton } from "./texts.js";
import {
  consent,
  infoButton,
  logList,
  panel,
  seatHeading,
  warning,
} from "../../screens/table/play.js";
import { h } from "../../core/dom.js";
import { truthList } from "../../proof/verdict.js";
import {
  choices,
  cityAction,
  cityKind,
  coming,
  dutyWords,
  isRioting,
  map,
  people,
  pressed,
  riot,
  told,
  tracks,
} from "./board.js";
import { chart } from "./drawings.js";
import { endingOf, fetchEnding } from "../../screens/replay/ending.js";
import { message, text } from "../../core/i18n.js";

export { isLookedUp as isReady, lookUp as ready } from "../../core/reference.js";
closeByKey();

/** Parts of a view of which a replay has only the entries that changed. */
const NESTED = ["cities", "players"];

/** What a hand at the display may choose: only where factions are real cards does no phone do it. */
const openTo = ({ picture, ui, can }) =>
  can && !ui.info && !picture.undo?.asked && scene(picture) === "turn" ? picture.legal : [];

/** Describe the whole screen of the table. */
export function playScreen(table) {
  const { picture, ui } = table;
  const { view } = picture;
  nameThings(view);
  const isOver = scene(picture) === "over";
  const proved = isOver && !ui.info && table.truth;
  const legal = openTo(table);
  const shown = choosing(table, legal, isOver);
  const isRiot =
    isRioting(picture) &&
    !(view.step === "turn" && legal.length) &&
    !ui.info &&
    !ui.texts &&
    ui.riot !== riotKey(picture);
  return h(
    "main",
    {
      class: `play warplay${isRiot ? " desk" : ""}${shown.length ? " choosing" : ""}${ui.info ? " reading" : ""}`,
      "data-position": picture.position,
    },
    h(
      "div",
      { class: "land" },
      ui.texts ? texts(view) : map(view, cityAction(legal, cityKind(legal, ui.mode)), ui.zoom),
    ),
    h(
      "div",
      { class: "side" },
      heading(picture, table.notice),
      ui.info
        ? []
        : [
            tracks(view),
            !isOver && coming(view),
            people(view, isOver ? null : picture.to_move, endingOf(picture)?.hands),
            !isOver && riot(view),
            isUntyped(view) && h("p", { class: "muted note" }, text("vw.numbered")),
          ],
      proved
        ? truthList(proved)
        : ui.info || isOver
          ? []
          : logList(told(picture, 2), view.riot || shown.length > 2 ? 1 : 2),
      h(
        "div",
        { class: "lower" },
        h("div", { class: "choices", id: "choices" }, shown),
        h("div", { class: "row bar", id: "bar" }, isRiot && seeMap(view), bar(table, isOver)),
      ),
    ),
  );
}

/** The heading: who is to move, what everybody is asked, how it ended. */
function heading(picture, notice) {
  const isOver = scene(picture) === "over";
  const question = halted(picture);
  if (question && !isOver) return warning(question);
  if (isOver)
    return h(
      "header",
      {
        id: "banner",
        class: `banner ${picture.outcome.winner === "draw" ? "dusk" : picture.outcome.winner}`,
      },
      h("h1", {}, text(`end.winner.${picture.outcome.winner}`)),
      h("p", {}, text(`end.reason.${picture.outcome.reason}`)),
    );
  return h(
    "header",
    { id: "banner", class: `banner ${picture.to_move}` },
    h("h1", {}, seatHeading(picture.to_move)),
    h("p", {}, notice ? message(notice) : dutyWords(picture)),
  );
}

/** Whether the places that are typed now are numbers, since nobody typed the map of the box. */
const isUntyped = ({ step, regions }) => step === "setup" && !chart(regions).roads.length;

/** The riot that everybody looks at, so that the one after it is looked at too. */
const riotKey = ({ view }) => `${view.turns} ${view.riot.city} ${view.step}`;

/** The way back from the riot to the map; a city that has to be pressed is there anyway. */
const seeMap = ({ step }) => step !== "turning" && button("map", text("vw.map"));

function choosing({ picture, ui, can, truth }, legal, isOver) {
  if (ui.info) return panel(picture, ui, null);
  if (!can) return [];
  if (picture.undo?.asked) return picture.legal.length ? consent(picture) : [];
  if (isOver)
    return [
      h(
        "div",
        { class: "row" },
        !truth && picture.seal && button("reveal", text("end.truth")),
        button("replay", text("replay"), { class: "prime" }),
        button("again", text("end.again")),
      ),
    ];
  return legal.length ? choices(picture.view, legal, ui, true) : [];
}

function bar({ picture, ui, can }, isOver) {
  if (ui.info) return [];
  const more = infoButton();
  const read = textsButton(picture.view, ui.texts);
  if (!can || isOver || !picture.legal.length) return [read, more];
  return [undoButton(picture), read, more];
}

const act = (name) => (table, argument) => ({
  zoom: null,
  ...pressed(table.picture.legal)[name](table, argument),
});
export const ACTIONS = {
  do: act("do"),
  mode: act("mode"),
  texts: ({ ui }, where) => {
    readFocus(!ui.texts, where);
    return { texts: !ui.texts };
  },
  map: ({ picture }) => ({ riot: riotKey(picture) }),
  zoom: (_, region) => ({ zoom: region ? Number(region) : null }),
};

/** After the end everybody sees all hands. */
export const follow = ({ picture }, draw) => fetchEnding(picture, { nested: NESTED }, draw);
