/** A map as its file: what is saved, and what is read of one. */
import { parse, stringify } from "../../../core/vendor/smol-toml/index.js";

/** The largest file that a table takes. */
const MOST_BYTES = 65_536;

/** Only what says something: what a place or way is not stays out of the file. */
const said = (entry) =>
  Object.fromEntries(
    Object.entries(entry).filter(
      ([, value]) => value !== false && value !== undefined && String(value) !== "",
    ),
  );

/** The text of a map's file. */
export function written(map) {
  const { places, ways, rules, ...head } = map;
  const { size, translations, ...plain } = head;
  return stringify({
    ...plain,
    size,
    places: places.map(said),
    ways: ways.map(said),
    ...(rules && Object.keys(rules).length && { rules }),
    ...(translations && { translations }),
  });
}

const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isPlace = ({ number, name, x, y }) =>
  [number, x, y].every(Number.isInteger) && typeof name === "string";
const isWay = ({ between, from, to }) =>
  (Array.isArray(between) ? between : [from, to]).every(Number.isInteger);

/** The map of a file's text, or {refused: {code, params}}: the first thing that makes it no map, with its line or field. */
export function read(text) {
  if (new TextEncoder().encode(text).length > MOST_BYTES)
    return { refused: { code: "content.too_big", params: { most: MOST_BYTES } } };
  let found;
  try {
    found = parse(text);
  } catch (error) {
    return {
      refused: {
        code: "edit.not_toml",
        params: { line: error.line ?? 1, column: error.column ?? 1 },
      },
    };
  }
  if (found.game !== "manhunt") return { refused: { code: "edit.no_map", params: {} } };
  const size = { width: 1000, height: 700, ...found.size };
  const map = { rules: {}, ...found, size, places: found.places ?? [], ways: found.ways ?? [] };
  for (const [table, isRight] of Object.entries({ places: isPlace, ways: isWay })) {
    const index = Array.isArray(map[table])
      ? map[table].findIndex((entry) => !isRecord(entry) || !isRight(entry))
      : 0;
    if (index >= 0)
      return { refused: { code: "edit.bad_entry", params: { field: `${table}[${index + 1}]` } } };
  }
  return { map };
}
