/**
 * Check a map like the table does: `faults` are errors, `warnings` are unusual values. Each is {path,
 * code, params}; the paths count from 0. `companion/games/manhunt/map_file.py` has the same checks
 * in the same order, and a test compares both. Pure.
 */
import { endsOf } from "../city.js";

export const MOST_PLACES = 500;
export const MOST_WAYS = 2000;
export const MOST_KINDS = 8;
export const LONGEST_NAME = 40;
const MOST_HUNTERS = 5;
const NEAR_START = 2;
/** @type {ManhuntRuleCard} */
const RULES = { hunters: 3, rounds: 24, shows: [], announce: "kind", questions: [], targets: 0 };
const ENDS = ["caught", "rounds"];

/** @param {string} name */
const lettersOf = (name) => [...name].length;
/** @param {(string | number)[]} path @param {string} code @param {Params} [params] */
const finding = (path, code, params = {}) => ({ path, code: `content.${code}`, params });

/**
 * The places one way from each place, for a side.
 * @param {ManhuntMap} map @param {string} side @returns {Map<number, any>}
 */
function neighbours({ places, ways }, side) {
  /** @type {Map<number, any>} */
  const near = new Map(places.map(({ number }) => [number, new Set()]));
  for (const way of ways) {
    const [from, to] = endsOf(way);
    if ((way.fugitive_only && side === "hunter") || !near.has(from) || !near.has(to)) continue;
    near.get(from).add(to);
    if (way.between) near.get(to).add(from);
  }
  return near;
}

/** @param {ManhuntMap} map @param {string} side */
function startsOf({ places }, side) {
  const marked = places.filter(({ starts = [] }) => starts.includes(side));
  return (marked.length ? marked : places).map(({ number }) => number);
}

/**
 * The places that can be reached from `starts`, each with its fewest steps.
 * @param {Map<number, any>} near @param {number[]} starts
 */
function reached(near, starts) {
  /** @type {Map<number, any>} */
  const steps = new Map(starts.map((number) => [number, 0]));
  const ahead = [...steps.keys()];
  for (const here of ahead)
    for (const to of near.get(here) ?? [])
      if (!steps.has(to)) {
        steps.set(to, steps.get(here) + 1);
        ahead.push(to);
      }
  return steps;
}

/** @param {ManhuntMap} map */
export const kindsOf = ({ ways }) => [...new Set(ways.map(({ kind = "street" }) => kind))];

/** The map's errors. @param {ManhuntMap} map */
export function faults(map) {
  const few = [
    ["places", map.places.length, 4],
    ["ways", map.ways.length, 3],
  ].flatMap(([key, count, least]) =>
    count < least ? [finding([key], "too_few", { key, found: count, least })] : [],
  );
  if (few.length) return few;
  return [...placeFaults(map), ...wayFaults(map), ...ruleFaults(map), ...unreached(map)];
}

/** @param {ManhuntMap} map */
function placeFaults({ background = "", size, places }) {
  const all = /[/\\]/.test(background) ? [finding(["background"], "map.background")] : [];
  const numbers = new Set();
  const names = new Set();
  places.forEach(({ number, name, x, y }, index) => {
    const at = ["places", index];
    if (numbers.has(number)) all.push(finding([...at, "number"], "map.number_twice", { number }));
    if (names.has(name)) all.push(finding([...at, "name"], "name_twice"));
    if (lettersOf(name) > LONGEST_NAME)
      all.push(finding([...at, "name"], "too_long", { most: LONGEST_NAME }));
    if (x > size.width) all.push(finding([...at, "x"], "at_most", { found: x, most: size.width }));
    if (y > size.height)
      all.push(finding([...at, "y"], "at_most", { found: y, most: size.height }));
    numbers.add(number);
    names.add(name);
  });
  return all;
}

/** @param {ManhuntMap} map */
function wayFaults(map) {
  const all = [];
  const numbers = new Set(map.places.map(({ number }) => number));
  const known = new Set();
  map.ways.forEach((way, index) => {
    const at = ["ways", index];
    const kind = way.kind ?? "street";
    const [from, to] = endsOf(way);
    const fields = way.between ? ["between", "between"] : ["from", "to"];
    if (Boolean(way.between) === Boolean(way.from || way.to) || !from || !to) {
      all.push(finding(at, "map.way_ends"));
      return;
    }
    [from, to].forEach((number, end) => {
      if (!numbers.has(number)) all.push(finding([...at, fields[end]], "map.no_place", { number }));
    });
    if (from === to) all.push(finding([...at, fields[1]], "map.way_to_itself"));
    const steps = [JSON.stringify([from, to, kind])];
    if (way.between) steps.push(JSON.stringify([to, from, kind]));
    if (steps.some((step) => known.has(step)))
      all.push(finding(at, "map.way_twice", { a: from, b: to }));
    for (const step of steps) known.add(step);
    if (lettersOf(kind) > LONGEST_NAME)
      all.push(finding([...at, "kind"], "too_long", { most: LONGEST_NAME }));
  });
  if (kindsOf(map).length > MOST_KINDS)
    all.push(finding(["ways"], "map.kinds", { most: MOST_KINDS }));
  return all;
}

/** @param {ManhuntMap} map */
function ruleFaults(map) {
  /** @type {ManhuntRuleCard} */
  const rules = { ...RULES, ...map.rules };
  /** @type {string[]} */
  const ends = rules.ends ?? ENDS;
  const kinds = kindsOf(map);
  const tickets = rules.tickets ?? {};
  const all = rules.shows.flatMap((round, index) =>
    round > rules.rounds
      ? [finding(["rules", "shows", index], "at_most", { found: round, most: rules.rounds })]
      : [],
  );
  for (const side of ["hunter", "fugitive"])
    for (const kind of Object.keys(tickets[side] ?? {}))
      if (!kinds.includes(kind))
        all.push(
          finding(["rules", "tickets", side, kind], "choice", {
            found: kind,
            allowed: kinds.join(", "),
          }),
        );
  if (Object.keys(tickets.fugitive ?? {}).length && rules.announce !== "kind")
    all.push(finding(["rules", "announce"], "map.tickets_announced"));
  const targets = map.places.filter(({ target }) => target).length;
  if (ends.includes("hideout") && !map.places.some(({ hideout }) => hideout))
    all.push(finding(["rules", "ends"], "map.no_hideout"));
  if (ends.includes("targets") && !targets) all.push(finding(["rules", "ends"], "map.no_target"));
  if (rules.targets > targets)
    all.push(finding(["rules", "targets"], "at_most", { found: rules.targets, most: targets }));
  if (!ends.some((end) => ["rounds", "hideout", "targets"].includes(end)))
    all.push(finding(["rules", "ends"], "map.no_escape"));
  const own = new Set(startsOf(map, "fugitive"));
  const hunters = new Set(startsOf(map, "hunter"));
  if (startsOf(map, "fugitive").length <= MOST_HUNTERS && [...own].every((at) => hunters.has(at)))
    all.push(finding(["places"], "map.no_start_left"));
  return all;
}

/** The first place out of the fugitive's reach, and the first dead end. @param {ManhuntMap} map */
function unreached(map) {
  const near = neighbours(map, "fugitive");
  const steps = reached(near, startsOf(map, "fugitive"));
  /** @param {(number: number) => boolean} isWrong @param {string} code */
  const first = (isWrong, code) => {
    const index = map.places.findIndex(({ number }) => isWrong(number));
    return index < 0
      ? []
      : [finding(["places", index], code, { number: map.places[index].number })];
  };
  return [
    ...first((number) => !steps.has(number), "map.unreached"),
    ...first((number) => !near.get(number).size, "map.no_way_out"),
  ];
}

/** The map's unusual values. @param {ManhuntMap} map */
export function warnings(map) {
  const near = neighbours(map, "hunter");
  const marked = map.places.filter(({ starts = [] }) => starts.includes("hunter"));
  const steps = reached(
    near,
    marked.map(({ number }) => number),
  );
  const all = map.places.flatMap(({ number, starts = [] }, index) =>
    starts.includes("fugitive") && (steps.get(number) ?? NEAR_START) < NEAR_START
      ? [finding(["places", index, "starts"], "map.near_start", { least: NEAR_START })]
      : [],
  );
  const everywhere = reached(near, startsOf(map, "hunter"));
  map.places.forEach(({ number }, index) => {
    if (!everywhere.has(number))
      all.push(finding(["places", index], "map.unreached_hunters", { number }));
  });
  const { announce, shows, questions } = { ...RULES, ...map.rules };
  if (announce === "nothing" && !shows.length && !questions.length)
    all.push(finding(["rules"], "map.nothing_announced"));
  return all;
}

/**
 * The number of the place that a finding is about; null for one about the whole map.
 * @param {{path: any[]}} finding @param {ManhuntMap} map
 */
export function placeOf({ path: [table, index] }, { places, ways }) {
  if (table === "places" && index !== undefined) return places[index].number;
  if (table === "ways" && index !== undefined) return endsOf(ways[index])[0];
  return null;
}
