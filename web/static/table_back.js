/** The way back for a player with another phone, as a description: the code holds the table's key, and nothing that gives a free seat. */
import { button } from "./choices.js";
import { humansFirst } from "./names.js";
import { el } from "./tree.js";
import { seatChip, text } from "./words.js";

/** Describe the screen. `table`: {picture, join}. */
export function returnScreen({ picture, join }) {
  return el(
    "main",
    { class: "lobby" },
    el(
      "section",
      { class: "card", "aria-label": text("return") },
      el("img", { id: "qr", src: join.image, alt: text("return.scan") }),
      el("p", {}, text("return.scan")),
      el("small", { translate: "no" }, join.address),
    ),
    el(
      "section",
      { class: "column" },
      el("h1", {}, text("return")),
      el("p", {}, text("return.how")),
      el(
        "ul",
        { class: "seats" },
        [...picture.seats]
          .sort(humansFirst)
          .map(({ seat, taken, bot }) =>
            el(
              "li",
              { class: taken ? "taken" : null, "data-seat": seat },
              seatChip(seat),
              el(
                "span",
                { class: "muted" },
                bot ? text("bot.plays", { level: bot }) : text(taken ? "seat.taken" : "seat.free"),
              ),
            ),
          ),
      ),
      el("p", { class: "muted" }, text("return.told")),
      el("div", { class: "row push" }, button("return", text("back"))),
    ),
  );
}
