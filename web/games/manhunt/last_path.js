/** The fugitive's path on a page, once the game is over and proved. */
import { placeName } from "./board.js";
import { cellsOf } from "./index.js";
import { text } from "../../core/i18n.js";
import { known, recallPath } from "../../proof/whole_path.js";

/**
 * The places of the last night in a row; none before they are known. A sealed path begins where
 * the one before ended.
 * @returns {string[]}
 */
export function lastPath() {
  const nights = known.proof?.nights ?? [];
  const night = nights.at(-1)?.when?.night;
  return nights
    .filter(({ when }) => when?.night === night)
    .flatMap(({ path }) => cellsOf(path))
    .filter((cell, index, cells) => cell !== cells[index - 1]);
}

/**
 * A phone's page that fetches the path once the game is over, and then draws it.
 * @template {{update: (snapshot: any, secret: any) => any, draw: () => unknown}} Page
 * @param {Page} page @returns {Page}
 */
export const withPath = (page) => ({
  ...page,
  update(snapshot, secret) {
    const drawn = page.update(snapshot, secret);
    recallPath(snapshot, page.draw);
    return drawn;
  },
});

/**
 * Why the game is over, and where the fugitive was, if its path is known.
 * @param {{outcome: any}} snapshot @param {string[]} path
 */
export const overWords = ({ outcome: { reason } }, path) => [
  text(`end.reason.${reason}`),
  path.length > 0 && [" ", text("end.here", { place: placeName(path.at(-1) ?? "") })],
];
