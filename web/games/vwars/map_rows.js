/** The board of a box as people type it: rows of regions with their cities, and the content file that they make. Pure. */

export const MOST_REGIONS = 16;
const REGIONS = 8;
const CITIES = 4;

/** @param {VWarsRow[]} rows */
const ids = (rows) => rows.flatMap(({ id, cities }) => [id, ...cities.map((city) => city.id)]);

/** An id that no row has: a letter and a number. @param {VWarsRow[]} rows @param {string} letter */
function fresh(rows, letter) {
  const taken = ids(rows);
  for (let number = 1; ; number += 1)
    if (!taken.includes(`${letter}${number}`)) return `${letter}${number}`;
}

/** @param {VWarsRow[]} rows @param {number} at */
export const withCity = (rows, at) =>
  rows.map((row, index) =>
    index === at ? { ...row, cities: [...row.cities, { id: fresh(rows, "c"), name: "" }] } : row,
  );

/** @param {VWarsRow[]} rows */
export function withRegion(rows) {
  let more = [...rows, { id: fresh(rows, "r"), name: "", touches: [], cities: [] }];
  for (let count = 0; count < CITIES; count += 1) more = withCity(more, rows.length);
  return more;
}

/** The empty rows: one for each region of the box. */
export function blank() {
  /** @type {VWarsRow[]} */
  let rows = [];
  for (let count = 0; count < REGIONS; count += 1) rows = withRegion(rows);
  return rows;
}

/**
 * The rows of a kept map, `{id: {name, adjacent, cities}}`.
 * @param {Record<string, {name: string, adjacent: string[], cities: Record<string, string>}>} map
 */
export const rowsOf = (map) =>
  Object.entries(map).map(([id, { name, adjacent, cities }]) => ({
    id,
    name,
    touches: adjacent,
    cities: Object.entries(cities).map(([city, called]) => ({ id: city, name: called })),
  }));

/** @param {VWarsRow[]} rows @param {number} at @param {string} name */
export const named = (rows, at, name) =>
  rows.map((row, index) => (index === at ? { ...row, name } : row));
/** @param {VWarsRow[]} rows @param {number} at @param {number} city @param {string} name */
export const cityNamed = (rows, at, city, name) =>
  rows.map((row, index) =>
    index === at
      ? {
          ...row,
          cities: row.cities.map((each, number) => (number === city ? { ...each, name } : each)),
        }
      : row,
  );

/**
 * Two regions touch each other, or no longer do: in both entries, so that no map can be one-sided.
 * @param {VWarsRow[]} rows @param {number} one @param {number} other
 */
export function touching(rows, one, other) {
  /** @param {VWarsRow} row @param {string} id */
  const toggled = (row, id) => ({
    ...row,
    touches: row.touches.includes(id)
      ? row.touches.filter((each) => each !== id)
      : [...row.touches, id],
  });
  return rows.map((row, index) =>
    index === one
      ? toggled(row, rows[other].id)
      : index === other
        ? toggled(row, rows[one].id)
        : row,
  );
}

/** @param {VWarsRow} row */
const isTyped = ({ name, cities }) =>
  Boolean(name.trim() || cities.some((city) => city.name.trim()));

/** The rows for a file with their places in the form. @param {VWarsRow[]} rows */
export function written(rows) {
  const regions = rows.flatMap((row, at) =>
    isTyped(row) ? [{ ...row, at, name: row.name.trim() }] : [],
  );
  const cities = regions.flatMap(({ id, at, cities: all }) =>
    all.flatMap((city, number) =>
      city.name.trim() ? [{ ...city, name: city.name.trim(), region: id, at, number }] : [],
    ),
  );
  const known = regions.map(({ id }) => id);
  return {
    regions: regions.map((row) => ({
      ...row,
      touches: row.touches.filter((id) => known.includes(id)),
    })),
    cities,
  };
}

/** A text as TOML has it. @param {string} value */
const quoted = (value) => JSON.stringify(value.replace(/\p{Cc}/gu, " "));
/** @param {string} table @param {Record<string, string | string[]>} fields */
const entry = (table, fields) => [
  `[[${table}]]`,
  ...Object.entries(fields).map(
    ([key, value]) =>
      `${key} = ${Array.isArray(value) ? `[${value.map(quoted).join(", ")}]` : quoted(value)}`,
  ),
  "",
];

/**
 * The rows as a content file (docs/content-files.md): its head, the regions, the cities.
 * @param {VWarsRow[]} rows @param {{title: string, language: string}} head
 */
export function toml(rows, { title, language }) {
  const { regions, cities } = written(rows);
  return [
    "format = 1",
    'game = "vwars"',
    `title = ${quoted(title)}`,
    `language = ${quoted(language)}`,
    "sample = false",
    "",
    ...regions.flatMap(({ id, name, touches }) => entry("region", { id, name, adjacent: touches })),
    ...cities.flatMap(({ id, name, region }) => entry("city", { id, name, region })),
  ].join("\n");
}

/**
 * Where each finding of the table belongs: {"0": region, "0.2": city, "": none of the rows} to its sentences.
 * @param {VWarsFinding[]} findings @param {VWarsRow[]} rows
 */
export function placed(findings, rows) {
  const { regions, cities } = written(rows);
  /** @param {string} field */
  const place = (field) => {
    const [, table, number] = /^(region|city)\[(\d+)\]/.exec(field) ?? [];
    /** @type {any} */
    const place = (table === "region" ? regions : cities)[Number(number) - 1];
    return place ? (table === "region" ? `${place.at}` : `${place.at}.${place.number}`) : "";
  };
  const names = Object.fromEntries(regions.map(({ id, name }) => [id, name]));
  /** @type {Record<string, VWarsFinding[]>} */
  const wrong = {};
  for (const { field, message } of findings) {
    /** @type {any} */
    const id = message.params?.id;
    (wrong[place(field)] ??= []).push({
      field,
      message: id in names ? { ...message, params: { ...message.params, id: names[id] } } : message,
    });
  }
  return wrong;
}
