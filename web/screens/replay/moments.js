/** Expand a replay (`/replay.json`): every moment in full, and queries. Pure. */

/**
 * Whether people should stop at a moment: those that its game marks, and the end.
 * @param {Moment} moment @param {ReplayFormat} format
 */
const isStop = (moment, { marks = {} }) =>
  moment.event === "game_over" || Boolean(marks[moment.event]?.(0, moment));

/** @param {unknown} value */
const isMap = (value) => typeof value === "object" && value !== null;

/**
 * `nested`: parts of a view of which only the changed entries are sent.
 * @param {any} before @param {string[]} nested @param {any} [change]
 */
function merged(before, nested, change = {}) {
  const entries = nested
    .filter((name) => isMap(before[name]) && isMap(change[name]))
    .map((name) => [name, { ...before[name], ...change[name] }]);
  return { ...before, ...change, ...Object.fromEntries(entries) };
}

/**
 * Return every moment in full: {message, event, seat, view, truth, odds, hands, piles, sum, city,
 * alive, tiles, share}; `tiles` is the number of possible ones, `sum` somebody's progress, `share`
 * the chance of the true tile in thousandths, null without odds or secrets.
 * @param {{moments: any[]}} replay @param {{sum?: any, nested?: string[]}} [format]
 * @returns {Moment[]}
 */
export function unfold({ moments }, { sum = null, nested = [] } = {}) {
  /** @type {any} */
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
    const isSecret = full.message.code.startsWith("secret.");
    return {
      ...full,
      tiles,
      isSecret,
      share: tiles && full.truth && !isSecret ? (full.odds[full.truth] ?? 0) : null,
    };
  });
}

/**
 * Return the next moment to stop at, forward (1) or back (-1); the first or last one without any.
 * @param {Moment[]} moments @param {number} index @param {number} way @param {ReplayFormat} format
 */
export function nextStop(moments, index, way, format) {
  for (let next = index + way; next > 0 && next < moments.length - 1; next += way)
    if (isStop(moments[next], format)) return next;
  return way > 0 ? moments.length - 1 : 0;
}
