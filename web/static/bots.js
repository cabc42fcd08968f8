/** Bots on the display and the host's page: which there are, and what the button of a seat asks. */

/** The bots that people may choose, the weakest first, by the names of the table (companion/bots/levels.py). */
const LEVELS = ["greedy", "heuristic", "search", "deep"];

/** Whether there are bots for the game that is played or proposed. */
export const hasBots = ({ game }) => game === "vampireradar";

/** What the button of a seat asks next: the levels one after another, the household's programs, then a free seat again. */
export const nextBot = ({ seat, bot }, programs = []) => {
  const levels = [...LEVELS, ...programs];
  const level = levels[levels.indexOf(bot) + 1];
  return level ? ["give", { seat, level }] : ["free", { seat }];
};
