/**
 * The one list of games. Each folder beside this file holds what its game brings: `index.js` (facts that lobbies,
 * overlays and dashboards need), `phone.js`, `table.js`, `replay.js` and `rules.js`, found by these names.
 */
export const GAMES = ["vampireradar", "nosferatu", "shisogari", "vampire_empire", "vwars"];

/** Load the chapters of a game's rules, and its options with their values. */
export const loadRules = (name) => import(`./${name}/rules.js`);

const known = new Map();

/** Take what a game brings. */
export const useGame = (name, facts) => known.set(name, facts);

/** Return what a loaded game brings; nothing before it is loaded. */
export const gameOf = (name) => known.get(name) ?? {};

/** Load what a game brings, once; nothing for a name that is not on the list. */
export async function loadGame(name) {
  if (!known.has(name) && GAMES.includes(name))
    useGame(name, (await import(`./${name}/index.js`)).game);
  return gameOf(name);
}
