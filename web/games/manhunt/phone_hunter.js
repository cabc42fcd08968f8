/** A hunter's phone. It shows public data only; the display can do everything that it can. */
import "./names.js";
import { centring, firstZoom } from "./board.js";
import { card } from "./card.js";
import { withPath } from "./last_path.js";
import {
  ACTIONS,
  clues,
  counts,
  endClass,
  endWords,
  offers,
  tapped,
  task,
  travels,
} from "./turn.js";
import { field, finale } from "./table.js";
import { openBoardPhone } from "../../core/board_phone.js";
import { button, whyNot, narrowButton } from "../../core/controls.js";
import { isLookedUp, lookUp } from "../../core/reference.js";
import { phaseOf } from "../../core/snapshot.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";
import { lastEntries } from "../../core/phone.js";

/** Open the page. @param {SeatPage} context */
export const open = (context) =>
  withPath(
    openBoardPhone(
      { ...context, show: centring(context.show) },
      {
        display: { ACTIONS: { ...ACTIONS, zoom }, tapped, task, finale },
        name: "manhunt-phone",
        ui: { pawn: null, sheet: null, aim: null, isArresting: false, zoom: null },
        resetOnMove: { sheet: null, aim: null, isArresting: false },
        isReady: isLookedUp,
        ready: lookUp,
        body: ({ seat, snapshot, ui }, isMine) => [
          field({ seat, snapshot, ui: zoomed(ui), canControl: isMine }),
          isMine && h("div#choices.row", offers(snapshot, ui)),
          travels(snapshot.view, 5),
          counts(snapshot.view, snapshot.to_move),
          lastEntries(clues(snapshot.log)),
          card(),
        ],
        foot: ({ snapshot, ui }, isMine) => [
          isMine && endButton(snapshot),
          snapshot.view &&
            narrowButton("zoom", `${zoomed(ui).zoom}×`, text("zoom", { n: zoomed(ui).zoom })),
        ],
        waits: waitWords,
      },
    ),
  );

/** A page's choices, with the first zoom until one is chosen. @param {Record<string, any>} ui */
const zoomed = (ui) => ({ ...ui, zoom: ui.zoom ?? firstZoom() });

/** @type {ManhuntPress} */
const zoom = (phone, argument) => ACTIONS.zoom({ ...phone, ui: zoomed(phone.ui) }, argument);

/** @param {ManhuntSnapshot} snapshot */
function endButton(snapshot) {
  const canEnd = snapshot.legal.some(({ type }) => type === "look");
  return button("look", endWords(snapshot.view), {
    class: endClass(snapshot),
    ...whyNot(!canEnd && text("must_move")),
  });
}

/** @param {ManhuntSnapshot} snapshot */
function waitWords(snapshot) {
  const now = phaseOf(snapshot);
  if (now === "choosing") return text("fugitive.hides");
  if (now === "night") return text("fugitive.moves");
  return text("turn.theirs", { seat: snapshot.to_move });
}
