/** The phone of a side. */
import { openBoardPhone } from "../../core/board_phone.js";
import { announcedEvents } from "../../core/snapshot.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";
import * as display from "./table.js";
import { lastEntries } from "../../core/phone.js";

/** Open the page. @param {SeatPage} context */
export const openPhone = (context) =>
  openBoardPhone(context, {
    display,
    name: "nosferatu-phone",
    ui: { pawn: null, landing: null, focus: null },
    resetOnMove: { pawn: null, landing: null },
    body({ seat, snapshot, ui }, isMine) {
      const table = { seat, snapshot, ui, canControl: isMine };
      return [
        display.field(table),
        display.counts(snapshot.view),
        isMine && h("div#choices.row", display.offers(table)),
        lastEntries(announcedEvents(snapshot.log)),
      ];
    },
    foot: () => null,
    waits: ({ to_move: mover }) => text("turn.wait", { seat: mover }),
  });
