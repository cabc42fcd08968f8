/**
 * The screen for a player's new phone: the code contains the table's key, but does not give a free
 * seat. Nobody can type it, so the address alone is not shown.
 */
import { button, CLOSES } from "../../core/controls.js";
import { listedSeats } from "../../games/index.js";
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { message, seatName, shapeOf, text } from "../../core/i18n.js";

/** Describe the screen. `table`: {snapshot, join}. @param {TableState} table */
export function returnScreen({ snapshot, join }) {
  const last = snapshot.log.at(-1);
  const tried = last?.event.event === "recovery_tried" && last.message;
  return h(
    "main.lobby",
    h(
      "section.seating",
      h("h1", text("return")),
      h("p.sentence", text("return.how")),
      h(
        "ul",
        { class: snapshot.seats.length > 4 ? "seats many" : "seats" },
        listedSeats(snapshot).map(({ seat, taken, bot }) =>
          h(
            "li",
            { "data-seat": seat },
            icon(shapeOf(seat), seat),
            h("span.who", h("span.seat", { translate: "no" }, seatName(seat))),
            h("span.muted", text(bot ? "bot" : taken ? "seat.taken" : "seat.free")),
          ),
        ),
      ),
      h(
        "div.state",
        tried ? h("p#tried", { role: "alert" }, message(tried)) : h("p", text("return.told")),
      ),
    ),
    h(
      "section.card",
      { "aria-label": text("return") },
      h("img#qr", { src: join.image, alt: text("return.scan") }),
      h("p", text("return.scan")),
    ),
    h("div.menu", button("return", text("back"), { class: "prime", ...CLOSES })),
  );
}
