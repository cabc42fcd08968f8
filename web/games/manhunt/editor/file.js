/** Write and read map files. */
import { parse, stringify } from "../../../core/vendor/smol-toml/index.js";

/** The largest file that a table takes. */
const MOST_BYTES = 1_000_000;

/** Return a table without its default values. @param {object} entry */
const withoutEmpty = (entry) =>
  Object.fromEntries(
    Object.entries(entry).filter(
      ([, value]) => value !== false && value !== undefined && String(value) !== "",
    ),
  );

/** The text of a map's file. @param {ManhuntMap} map */
export function written(map) {
  const { places, ways, rules, ...head } = map;
  const { size, translations, ...plain } = head;
  return stringify({
    ...plain,
    size,
    places: places.map(withoutEmpty),
    ways: ways.map(withoutEmpty),
    ...(rules && Object.keys(rules).length && { rules }),
    ...(translations && { translations }),
  });
}

/** @param {any} value */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {any} value */
const isText = (value) => typeof value === "string" && value.trim() !== "";
/** @param {any} value */
const isFlag = (value) => typeof value === "boolean";
/** @param {number} least @param {number} [most] @returns {(value: any) => boolean} */
const whole =
  (least, most = Infinity) =>
  (value) =>
    Number.isInteger(value) && value >= least && value <= most;
/** @param {...any} choices @returns {(value: any) => boolean} */
const among =
  (...choices) =>
  (value) =>
    choices.includes(value);
/**
 * @param {(value: any) => boolean} isRight @param {number} [most]
 * @returns {(value: any) => boolean}
 */
const list =
  (isRight, most = Infinity) =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(isRight);
const isNumber = whole(1, 9999);
/** @param {any} value */
const isTickets = (value) => isRecord(value) && Object.values(value).every(whole(0, 99));

/**
 * The type of each field of a table, as in `map_file.py`; inner tables are checked separately.
 * @type {Record<string, Record<string, (value: any) => boolean>>}
 */
const FIELDS = {
  "": {
    format: among(1),
    game: isText,
    title: isText,
    language: isText,
    sample: isFlag,
    background: isText,
    size: isRecord,
    places: list(isRecord, 500),
    ways: list(isRecord, 2000),
    rules: isRecord,
    translations: isRecord,
  },
  size: { width: whole(100, 100_000), height: whole(100, 100_000) },
  place: {
    number: isNumber,
    name: isText,
    x: whole(0, 100_000),
    y: whole(0, 100_000),
    kind: isText,
    starts: list(among("hunter", "fugitive"), 2),
    hideout: isFlag,
    target: isFlag,
  },
  way: {
    between: (value) => list(isNumber, 2)(value) && value.length === 2,
    from: isNumber,
    to: isNumber,
    kind: isText,
    fugitive_only: isFlag,
  },
  rules: {
    hunters: whole(1, 5),
    fugitive_moves: whole(1, 3),
    hunter_moves: whole(1, 3),
    may_stay: list(among("hunter", "fugitive"), 2),
    rounds: whole(1, 60),
    shows: list(whole(1, 60)),
    announce: among("nothing", "kind", "distance", "direction"),
    questions: list(among("was_here", "is_here", "within", "which_of")),
    within: whole(1, 9),
    arrest: among("enter", "announce"),
    ends: list(among("caught", "rounds", "hideout", "targets")),
    targets: whole(0, 20),
    double_moves: whole(0, 20),
    unseen_moves: whole(0, 60),
    nights: whole(1, 9),
    paid_to: among("box", "fugitive"),
    tickets: isRecord,
  },
  tickets: { hunter: isTickets, fugitive: isTickets },
};
/** @type {Record<string, string[]>} */
const NEEDED = {
  "": ["game", "title", "language", "sample", "places", "ways"],
  place: ["number", "name", "x", "y"],
};

/**
 * The first field of a table that is unknown, missing or invalid; null if there is none.
 * @param {string} kind @param {Record<string, any>} table @param {string} at
 */
function wrongField(kind, table, at) {
  const known = FIELDS[kind];
  /** @param {string} key */
  const dotted = (key) => (at ? `${at}.${key}` : key);
  const missing = (NEEDED[kind] ?? []).find((key) => !Object.hasOwn(table, key));
  if (missing) return dotted(missing);
  const wrong = Object.keys(table).find(
    (key) => !Object.hasOwn(known, key) || !known[key](table[key]),
  );
  return wrong === undefined ? null : dotted(wrong);
}

/** @param {any} content */
function firstWrong(content) {
  const { size = {}, places, ways, rules = {} } = content;
  return (
    wrongField("", content, "") ??
    wrongField("size", size, "size") ??
    firstOf("place", places, "places") ??
    firstOf("way", ways, "ways") ??
    wrongField("rules", rules, "rules") ??
    wrongField("tickets", rules.tickets ?? {}, "rules.tickets")
  );
}

/** @param {string} kind @param {Record<string, any>[]} entries @param {string} table */
function firstOf(kind, entries, table) {
  for (const [index, entry] of entries.entries()) {
    const field = wrongField(kind, entry, `${table}[${index + 1}]`);
    if (field !== null) return field;
  }
  return null;
}

/** The map of a file, or {refused: {code, params}}: its first error. @param {string} text */
export function read(text) {
  if (new TextEncoder().encode(text).length > MOST_BYTES)
    return { refused: { code: "content.too_big", params: { most: MOST_BYTES } } };
  let content;
  try {
    content = parse(text);
  } catch (error) {
    const { line = 1, column = 1 } = error;
    return { refused: { code: "edit.not_toml", params: { line, column } } };
  }
  if (content.game !== "manhunt") return { refused: { code: "edit.no_map", params: {} } };
  const field = firstWrong(content);
  if (field !== null) return { refused: { code: "edit.bad_entry", params: { field } } };
  return { map: { rules: {}, ...content, size: { width: 1000, height: 700, ...content.size } } };
}
