/** A story (`/replay.json`) unfolded: every moment in full, and what a person asks of it. Pure. */

/** What is worth stopping at: answers, deeds and the end. */
const TELLING = [
  "radar_called",
  "shot_fired",
  "pawns_killed",
  "bat_eaten",
  "piece_jumped",
  "pair_laid",
  "accused",
  "character_died",
  "vampire_revealed",
  "holy_water_answered",
  "support_played",
  "turned_public",
  "investigated",
  "awakened",
  "election_held",
  "riot_ended",
  "martial_law",
  "game_over",
];
const BITES = ["secret.bitten", "secret.turned"];

export const isTelling = ({ event, said }) => TELLING.includes(event) || BITES.includes(said.code);

const isMap = (value) => typeof value === "object" && value !== null;

/** `nested`: parts of a view that are told by their entries that changed. */
function merged(before, nested, change = {}) {
  const entries = nested
    .filter((name) => isMap(before[name]) && isMap(change[name]))
    .map((name) => [name, { ...before[name], ...change[name] }]);
  return { ...before, ...change, ...Object.fromEntries(entries) };
}

/** Return every moment in full: {said, event, seat, view, truth, odds, hands, piles, sum, city, alive, tiles, share}; `tiles` is how
 * many are possible, `sum` how far somebody has come, `share` the chance on the true tile in thousandths, null where
 * nobody could know or nothing is hidden. */
export function unfold({ moments }, { sum = null, nested = [] } = {}) {
  let full = {
    view: {},
    truth: null,
    odds: null,
    hands: null,
    piles: null,
    sum: null,
    city: null,
    alive: null,
  };
  return moments.map((moment) => {
    const parts = Object.fromEntries(
      ["hands", "piles"].map((part) => [
        part,
        moment[part] ? { ...full[part], ...moment[part] } : full[part],
      ]),
    );
    full = { ...full, ...moment, ...parts, view: merged(full.view, nested, moment.view) };
    if (sum) full.sum = sum(full.view);
    const tiles = full.odds ? Object.keys(full.odds).length : 0;
    const isSecret = full.said.code.startsWith("secret.");
    return {
      ...full,
      tiles,
      isSecret,
      share: tiles && full.truth && !isSecret ? (full.odds[full.truth] ?? 0) : null,
    };
  });
}

/** The moment to stop at next, on in time (1) or back (-1); the first or last one where there is none. */
export function telling(moments, index, way) {
  for (let next = index + way; next > 0 && next < moments.length - 1; next += way)
    if (isTelling(moments[next])) return next;
  return way > 0 ? moments.length - 1 : 0;
}

/** Where the vampire stood at the end of each night up to a moment, the start being night 0: [{night, cell}], oldest first. */
export function path(moments, index) {
  const ends = [];
  moments.slice(0, index + 1).forEach(({ truth, said }) => {
    if (!truth) return;
    if (!ends.length) ends.push({ night: 0, cell: truth });
    else if (said.code === "said.night_over") ends.push({ night: ends.length, cell: truth });
  });
  const now = moments[index].truth;
  return now && ends.at(-1)?.cell !== now ? [...ends, { night: ends.length, cell: now }] : ends;
}

/** The tiles that were possible before a moment and after it, where it told something. */
export function cut(moments, index) {
  const [before, after] = [moments[index - 1]?.tiles ?? 0, moments[index].tiles];
  return ["radar_called", "shot_fired"].includes(moments[index].event) ? { before, after } : null;
}
