import assert from "node:assert/strict";
import test from "node:test";
import {
  blank,
  cityNamed,
  named,
  placed,
  rowsOf,
  toml,
  touching,
  withCity,
  withRegion,
  written,
} from "../../../web/games/vwars/map_rows.js";

const HEAD = { title: 'Our "box"', language: "en" };
/** Two regions that touch, an empty one between them, three cities. */
function small() {
  let rows = named(named(blank().slice(0, 3), 0, "North"), 2, "South");
  for (const [at, city, name] of [
    [0, 0, "Ape"],
    [0, 2, " Bee "],
    [2, 1, "Cat\\\t"],
  ])
    rows = cityNamed(rows, at, city, name);
  return touching(rows, 0, 2);
}

test("at first there is room for the box's eight regions, with ids of their own", () => {
  const rows = withCity(withRegion(blank()), 0);
  const ids = rows.flatMap(({ id, cities }) => [id, ...cities.map((city) => city.id)]);
  assert.equal(rows.length, 9);
  assert.equal(new Set(ids).size, 9 + 9 * 4 + 1);
});

test("regions touch each other by one press, and part again", () => {
  const rows = small();
  assert.deepEqual(
    rows.map(({ touches }) => touches),
    [["r3"], [], ["r1"]],
  );
  assert.deepEqual(
    touching(rows, 2, 0).map(({ touches }) => touches),
    [[], [], []],
  );
});

test("what is typed is a content file; empty rows are left out, and who touched them", () => {
  const rows = touching(small(), 0, 1);
  const { regions, cities } = written(rows);
  assert.deepEqual(
    regions.map(({ id, at, touches }) => [id, at, touches]),
    [
      ["r1", 0, ["r3"]],
      ["r3", 2, ["r1"]],
    ],
  );
  assert.deepEqual(
    cities.map(({ name, at, number }) => [name, at, number]),
    [
      ["Ape", 0, 0],
      ["Bee", 0, 2],
      ["Cat\\", 2, 1],
    ],
  );
  assert.deepEqual(toml(rows, HEAD).split("\n"), [
    "format = 1",
    'game = "vwars"',
    'title = "Our \\"box\\""',
    'language = "en"',
    "sample = false",
    "",
    "[[region]]",
    'id = "r1"',
    'name = "North"',
    'adjacent = ["r3"]',
    "",
    "[[region]]",
    'id = "r3"',
    'name = "South"',
    'adjacent = ["r1"]',
    "",
    "[[city]]",
    'id = "c1"',
    'name = "Ape"',
    'region = "r1"',
    "",
    "[[city]]",
    'id = "c3"',
    'name = "Bee"',
    'region = "r1"',
    "",
    "[[city]]",
    `id = "${rows[2].cities[1].id}"`,
    'name = "Cat\\\\"',
    'region = "r3"',
    "",
  ]);
});

test("a kept map becomes rows that make the same map", () => {
  const map = {
    x: { name: "X", adjacent: ["y"], cities: { a: "A", b: "B" } },
    y: { name: "Y", adjacent: ["x"], cities: {} },
  };
  assert.deepEqual(rowsOf(map), [
    {
      id: "x",
      name: "X",
      touches: ["y"],
      cities: [
        { id: "a", name: "A" },
        { id: "b", name: "B" },
      ],
    },
    { id: "y", name: "Y", touches: ["x"], cities: [] },
  ]);
});

test("each finding stands at the field that it is about, and calls regions by their names", () => {
  const message = (code, params = {}) => ({ code, params });
  const findings = [
    {
      line: 12,
      field: "region[2].adjacent",
      message: message("content.disconnected", { id: "r3" }),
    },
    { line: 25, field: "city[3].name", message: message("content.empty") },
    {
      line: 1,
      field: "city",
      message: message("content.too_few", { key: "city", least: 10, found: 9 }),
    },
  ];
  assert.deepEqual(placed(findings, small()), {
    2: [{ field: "region[2].adjacent", message: message("content.disconnected", { id: "South" }) }],
    2.1: [{ field: "city[3].name", message: message("content.empty") }],
    "": [
      { field: "city", message: message("content.too_few", { key: "city", least: 10, found: 9 }) },
    ],
  });
});
