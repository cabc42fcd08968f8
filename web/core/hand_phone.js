/** Common parts of the phones of players with a hand, beside `secretPhone`. */
import { button, deviceButtons, drawButton, seatButtons, undoButton } from "./controls.js";
import { canStart, scene } from "./snapshot.js";
import { h } from "./dom.js";
import { text } from "./i18n.js";

/**
 * The proof of a game that is over, or the button that asks for it.
 * @param {{truth: (() => Child) | null}} phone
 */
export const proof = ({ truth }) => truth?.() ?? button("truth", text("end.truth"));

/**
 * The buttons that a phone with a hand always has: start, undo and a draw, another game after
 * `atEnd`; its language, and in a game the rules.
 * @param {{snapshot: Snapshot, isSure?: boolean}} phone
 * @param {...Child} atEnd
 */
export function footButtons({ snapshot, isSure = false }, ...atEnd) {
  const now = scene(snapshot);
  return [
    now === "lobby"
      ? button("start", text("start"), {
          class: "prime",
          "aria-disabled": canStart(snapshot) ? null : "true",
        })
      : now === "over"
        ? [atEnd, button("again", text("end.again"))]
        : [undoButton(snapshot, true), drawButton(snapshot, isSure)],
    h("div.row", now === "lobby" || now === "over" ? deviceButtons() : seatButtons()),
  ];
}

/**
 * The same on the open page.
 * @param {{snapshot: Snapshot, isSure?: boolean}} phone
 * @param {...Child} atEnd
 */
export const openStack = (phone, ...atEnd) =>
  h("div.stack", h("div.row", footButtons(phone, ...atEnd)));
