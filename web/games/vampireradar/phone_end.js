/** A phone after the end: who has won, over the field with the vampire's way. */
import { deviceButtons, votePanel, whyWait } from "../../core/controls.js";
import { h } from "../../core/dom.js";
import { message, text } from "../../core/i18n.js";
import { finalButtons } from "../../core/phone.js";
import { describe, drawField } from "./drawing/board.js";
import { known } from "../../proof/whole_path.js";

/** Describe the page, of public data alone and the same for all seats. @param {Phone} phone */
export function endPage({ seat, snapshot, isLost, notice, truth }) {
  const { outcome, view, marks } = snapshot;
  return h(
    "main",
    { class: "seated ended" },
    h(
      "header#banner.finale",
      h("h1", text(isLost ? "link.again" : `end.winner.${outcome.winner}`)),
      h("p#task", text(`end.reason.${outcome.reason}`)),
    ),
    votePanel(snapshot, seat),
    notice && h("p#notice.bad", { role: "alert" }, message(notice)),
    drawField(view, {
      compact: true,
      title: text("field"),
      marks,
      path: known.cells,
      label: (cell) => describe(cell, view, text, marks),
      pressable: [],
      whyNot: () => whyWait(snapshot, seat),
    }),
    known.cells && h("p.vh", text("end.way", { path: known.cells.join(" → ") })),
    truth?.(),
    h("div.stack", h("div.row", finalButtons({ snapshot, truth })), h("div.row", deviceButtons())),
  );
}
