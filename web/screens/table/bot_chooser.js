/**
 * Choose the bot of a seat, on the display before a game, and on the host's page. Loaded on
 * request.
 */
import { button, CLOSES } from "../../core/controls.js";
import { botsFor, AUTO_LEVEL } from "./seating.js";
import { h } from "../../core/dom.js";
import { message, text } from "../../core/i18n.js";

/**
 * The facts about a level: people's results against it here, and for even odds the rule.
 * @param {Snapshot} snapshot @param {string} seat @param {string} level
 */
function known({ lobby }, seat, level) {
  if (level === AUTO_LEVEL) return text("bot.auto.why");
  const count = lobby.measured?.[seat]?.[level];
  return count && text("bot.measured", count);
}

/**
 * Describe a button for each bot that may play a seat, and one that frees it from a bot.
 * @param {Snapshot} snapshot @param {Seat} place
 */
export const botList = (snapshot, { seat, bot }) =>
  h(
    "ul.entries.bots",
    botsFor(snapshot).map((level) => {
      const more = known(snapshot, seat, level);
      return h(
        "li",
        button(["bot", level], [h("b", text("bot.plays", { level })), more && h("small", more)], {
          "aria-pressed": String(level === bot),
        }),
      );
    }),
    bot && h("li", button("nobody", text("seat.free_it"))),
  );

/** @param {Snapshot} snapshot @param {string} name @returns {any} */
const placeOf = (snapshot, name) => snapshot.seats.find(({ seat }) => seat === name);

/** The display's screen on which the bot of a seat is chosen. @param {TableState} table */
export const botsScreen = ({ snapshot, ui, notice }) =>
  h(
    "main.chooser",
    h(
      "div.line",
      h("h1#bots-head", text("bot.give", { seat: ui.botSeat })),
      button("seats", text("back"), CLOSES),
    ),
    notice && h("p#notice.bad", message(notice)),
    botList(snapshot, placeOf(snapshot, ui.botSeat)),
  );
