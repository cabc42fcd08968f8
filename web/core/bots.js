/** Bots on the display and the host's page: which there are, and what the button of a seat asks. */

/** The bots that people may choose in each game, the weakest first, by the names of the table (companion/bots). */
const LEVELS = {
  vampireradar: ["greedy", "heuristic", "search", "deep"],
  nosferatu: ["random", "greedy", "search"],
  shisogari: ["random", "greedy", "heuristic"],
  vampire_empire: ["random", "greedy"],
  vwars: ["random", "greedy"],
};

/** Whether the game that is played or proposed is played with real cards. */
export const isReal = ({ lobby }) =>
  lobby?.options?.content === "box" || lobby?.options?.hands === "cards";

/** Whether there are bots for the game that is played or proposed: none hold real cards. */
export const hasBots = (picture) => picture.game in LEVELS && !isReal(picture);

/** What the button of a seat asks next: the levels one after another, the household's programs, then a free seat again. */
export const nextBot = ({ game, programs = [] }, { seat, bot }) => {
  const levels = [...LEVELS[game], ...(game === "vampireradar" ? programs : [])];
  const level = levels[levels.indexOf(bot) + 1];
  return level ? ["give", { seat, level }] : ["free", { seat }];
};
