/**
 * Ask on the display and on phones who plays the vampire, or the fugitive, in the next game, before
 * the table opens for it.
 */
import { button } from "../../core/controls.js";
import { gameOf, loadGame } from "../../games/index.js";
import { h } from "../../core/dom.js";
import { loadWords, plainName, seatChip, text } from "../../core/i18n.js";

/**
 * Load the question's requirements; return whether the game has such a seat: in others sides are
 * dealt.
 * @param {string} game
 */
export async function readyNextGame(game) {
  await Promise.all([loadGame(game), loadWords(null, "host")]);
  return Boolean(gameOf(game).vampireSeat);
}

/**
 * The number of seats by which everybody moves so that each seat's holder plays the vampire:
 * [place, by].
 * @param {Seat[]} seats
 * @param {string | undefined} vampireSeat
 * @returns {[Seat, number][]}
 */
export const movesTo = (seats, vampireSeat) => {
  const to = seats.findIndex(({ seat }) => seat === vampireSeat);
  return seats.map((place, at) => [place, (at - to + seats.length) % seats.length]);
};

/**
 * Describe the question. Its actions are again-BY and again-no.
 * @param {{game: string, seats: Seat[]}} snapshot
 */
export function nextGameScreen({ game, seats }) {
  /** @type {any} */
  const { vampireSeat } = gameOf(game);
  return h(
    "main.dialog.next",
    h("h1", text("again.who", { side: plainName(vampireSeat) })),
    h("p.muted", text("again.moves")),
    movesTo(seats, vampireSeat).map(([{ seat, taken, bot }, by]) =>
      button(
        ["again", by],
        [
          seatChip(seat),
          h(
            "span.muted",
            plainName(seat),
            " · ",
            text(bot ? "bot.plays" : taken ? "seat.taken" : "seat.free", { level: bot }),
          ),
        ],
      ),
    ),
    button(["again", "no"], text("back")),
  );
}
