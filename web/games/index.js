/**
 * The one list of games. Each folder beside this file holds what its game brings: `index.js` (facts that lobbies,
 * overlays and dashboards need), `phone.js`, `table.js`, `sounds.js`, `replay.js` and `rules.js`, found by these names.
 */
export const GAMES = [
  "vampireradar",
  "nosferatu",
  "shisogari",
  "vampire_empire",
  "vwars",
  "manhunt",
];

/** Load the chapters of a game's rules, and its options with their values. */
export const loadRules = (name) => import(`./${name}/rules.js`);

/** Load the six pictures that show how a game is played: [name, drawing()]. */
export const loadSteps = (name) => import(`./${name}/steps.js`);

const sounds = new Map();

/** Return a game's sounds and spoken sentences; nothing before it is loaded. */
export const soundsOf = (name) => sounds.get(name) ?? {};

/** Load a game's sounds and spoken sentences, once. */
export async function loadSounds(name) {
  if (!sounds.has(name)) sounds.set(name, await import(`./${name}/sounds.js`));
}

/** Load a game's part of the demo. */
export const loadDemo = (name) => import(`./${name}/demo.js`);

const known = new Map();

/** Take what a game brings. */
const useGame = (name, facts) => known.set(name, facts);

/** Return what a loaded game brings; nothing before it is loaded. */
export const gameOf = (name) => known.get(name) ?? {};

/** Load what a game brings, once; nothing for a name that is not on the list. */
export async function loadGame(name) {
  if (!known.has(name) && GAMES.includes(name))
    useGame(name, (await import(`./${name}/index.js`)).game);
  return gameOf(name);
}

/** The seats as they are listed: the one that answers on its own phone comes last. */
export function listedSeats({ game, seats }) {
  const { secretSeat } = gameOf(game);
  const isLast = ({ seat }) => Number(seat === secretSeat);
  return [...seats].sort((one, other) => isLast(one) - isLast(other));
}
