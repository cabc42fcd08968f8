/**
 * Public choices of seats before a game: on each phone for itself, on the display for any. Loaded
 * if a game has choices.
 */
import { button, CLOSES, whyNot } from "../../core/controls.js";
import { choicesOf, isLookedUp, lookUp } from "../../core/reference.js";
import { h } from "../../core/dom.js";
import { message, seatChip, text, translated } from "../../core/i18n.js";

export const isReady = isLookedUp;
export const ready = lookUp;

const TEXT = "_text";

/**
 * The chosen ids by seat.
 * @param {Record<string, any>} lobby @param {string} what @returns {Record<string, string>}
 */
const chosenIn = (lobby, what) => lobby[what] ?? {};

/** The sides of an entry. @param {any} entry */
const sidesOf = (entry) =>
  Object.keys(entry)
    .filter((name) => name.endsWith(TEXT) && entry[name])
    .map((name) => name.slice(0, -TEXT.length));

/**
 * The entries that a seat may choose: its own is pressed, and pressing it again takes it back;
 * another person's cannot be pressed.
 * @param {Snapshot} snapshot @param {string} what @param {string} seat
 */
export function choiceList({ lobby, seats }, what, seat) {
  const chosen = chosenIn(lobby, what);
  /** @param {string} other */
  const isBot = (other) => seats.some((place) => place.seat === other && place.bot);
  return h(
    "ul.entries",
    { id: `choose-${what}` },
    choicesOf(what).map((entry, at) => {
      const holder = Object.keys(chosen).find((other) => chosen[other] === entry.id);
      const isTaken = holder && holder !== seat && (!isBot(holder) || isBot(seat));
      const why = isTaken && text("choice_taken", { seat: holder });
      return h(
        "li",
        button(
          ["take", at],
          [
            h(
              "span.line",
              h("b", { translate: "no" }, translated(entry.name)),
              holder && seatChip(holder),
            ),
            entry.start && h("small", text("choice.start", { city: translated(entry.start) })),
            sidesOf(entry).map((side) =>
              h("small", text(`choice.as.${side}`), " ", translated(entry[`${side}_text`])),
            ),
          ],
          { "aria-pressed": String(holder === seat), ...whyNot(why) },
        ),
      );
    }),
  );
}

/**
 * Request the entry `at`, or take it back if the seat has it.
 * @param {{lobby: Lobby}} snapshot @param {string} what @param {string} seat @param {number} at
 */
export function choiceAt({ lobby }, what, seat, at) {
  const { id } = choicesOf(what)[at];
  return { what, seat, choice: chosenIn(lobby, what)[seat] === id ? null : id };
}

/** The display's screen for the choices of all seats. @param {TableState} table */
export const chooseScreen = ({ snapshot, ui, notice }) =>
  h(
    "main.chooser",
    h(
      "div.line",
      h("h1#choose-head", text(`choice.${ui.what}`)),
      button("seats", text("back"), CLOSES),
    ),
    h(
      "div.row",
      { role: "group", "aria-labelledby": "choose-head" },
      snapshot.seats.map(({ seat }) =>
        button(["chooser", seat], seatChip(seat), { "aria-pressed": String(seat === ui.chooser) }),
      ),
    ),
    notice && h("p#notice.bad", message(notice)),
    choiceList(snapshot, ui.what, ui.chooser),
  );
