/**
 * The one list of games. Each folder beside this file has the modules of a game: `index.js` (facts
 * for lobbies, overlays and dashboards), `phone.js`, `table.js`, `sounds.js`, `replay.js` and
 * `rules.js`, found by these names.
 */
export const GAMES = [
  "vampireradar",
  "nosferatu",
  "shisogari",
  "vampire_empire",
  "vwars",
  "manhunt",
];

/**
 * Load the chapters of a game's rules, and its options with their values.
 * @param {string} name @returns {Promise<GameRules>}
 */
export const loadRules = (name) => import(`./${name}/rules.js`);

/**
 * Load the six drawings that show how a game is played, by their names.
 * @param {string} name @returns {Promise<{steps: Record<string, () => Child>}>}
 */
export const loadSteps = (name) => import(`./${name}/steps.js`);

/** @type {Map<string, GameSounds>} */
const sounds = new Map();

/**
 * A game's sounds and sentences; none until they are loaded.
 * @param {string} name @returns {GameSounds}
 */
export const soundsOf = (name) => sounds.get(name) ?? {};

/** Load a game's sounds and spoken sentences, once. @param {string} name */
export async function loadSounds(name) {
  if (!sounds.has(name)) sounds.set(name, await import(`./${name}/sounds.js`));
}

/** Load a game's part of the demo. @param {string} name */
export const loadDemo = (name) => import(`./${name}/demo.js`);

/** @type {Map<string, GameFacts>} */
const known = new Map();

/** Store a game's facts. @param {string} name @param {GameFacts} facts */
const useGame = (name, facts) => known.set(name, facts);

/** A loaded game's facts; none before that. @param {string} name @returns {GameFacts} */
export const gameOf = (name) => known.get(name) ?? {};

/** Load a game's facts, once; none for a name that is not on the list. @param {string} name */
export async function loadGame(name) {
  if (!known.has(name) && GAMES.includes(name))
    useGame(name, (await import(`./${name}/index.js`)).game);
  return gameOf(name);
}

/**
 * The seats as they are listed: the one that answers on its own phone comes last.
 * @param {{game: string, seats: Seat[]}} snapshot
 */
export function listedSeats({ game, seats }) {
  const { secretSeat } = gameOf(game);
  /** @param {Seat} place */
  const isLast = ({ seat }) => Number(seat === secretSeat);
  return [...seats].sort((one, other) => isLast(one) - isLast(other));
}
