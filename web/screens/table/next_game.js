/**
 * Ask on the display and on phones who plays the vampire, or the fugitive, in the next game, before
 * the table opens for it.
 */
import { button, CLOSES } from "../../core/controls.js";
import { gameOf, loadGame } from "../../games/index.js";
import { h } from "../../core/dom.js";
import { loadWords, plainName, seatChip, seatName, text } from "../../core/i18n.js";

/** Load the question's needs; return whether the game has the seat. @param {string} game */
export async function readyNextGame(game) {
  await Promise.all([loadGame(game), loadWords(null, "host")]);
  return Boolean(gameOf(game).vampireSeat);
}

/**
 * The seats that everybody could move by, and who then has each seat: [by, [seat, its holder]]. Those
 * by which each holder in turn plays the vampire, who comes first in each.
 * @param {Seat[]} seats @param {string | undefined} vampireSeat
 * @returns {[number, [string, Seat][]][]}
 */
export function movesTo(seats, vampireSeat) {
  const to = seats.findIndex(({ seat }) => seat === vampireSeat);
  const turned = [...seats.slice(to), ...seats.slice(0, to)];
  return seats.map((_, at) => {
    const by = (at - to + seats.length) % seats.length;
    return [by, turned.map(({ seat }, index) => [seat, turned[(index + by) % seats.length]])];
  });
}

/** Describe the question, with actions "again". @param {{game: string, seats: Seat[]}} snapshot */
export function nextGameScreen({ game, seats }) {
  /** @type {any} */
  const { vampireSeat } = gameOf(game);
  return h(
    "main.dialog.next",
    h("h1", text("again.who", { side: plainName(vampireSeat) })),
    movesTo(seats, vampireSeat).map(([by, [[, vampire], ...others]]) =>
      button(
        ["again", by],
        [
          seatChip(vampire.seat),
          h(
            "small",
            others.map(([seat, holder], index) => [
              index > 0 && " · ",
              plainName(seat),
              ": ",
              holderWords(holder),
            ]),
          ),
        ],
      ),
    ),
    button(["again", "no"], text("back"), CLOSES),
  );
}

/** @param {Seat} holder */
function holderWords({ seat, taken, bot }) {
  if (bot) return text("bot");
  if (!taken) return text("seat.free");
  return seatName(seat) === plainName(seat) ? text("again.until", { seat }) : seatName(seat);
}
