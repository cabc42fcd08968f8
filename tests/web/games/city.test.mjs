/** The city that a map file describes: its ways, houses, parks and names. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { cityOf, widthOf } from "../../../web/games/manhunt/city.js";
import { drawCity, drawNames } from "../../../web/games/manhunt/city_drawing.js";
import { meet } from "../../../web/games/manhunt/city_names.js";
import { read } from "../../../web/games/manhunt/editor/file.js";
import { renderToString } from "../markup.mjs";

const MAPS = new URL("../../../companion/games/manhunt/maps/", import.meta.url);
const SHIPPED = ["town", "quarter", "ship"];
const KINDS = ["street", "water", "rail", "alley", "stairs", "shaft", "ferry", "wall"];
/** The random maps that each rule is held to. */
const RANDOM = 20;

/** @param {string} name */
const shipped = (name) => read(readFileSync(new URL(`${name}.toml`, MAPS), "utf8")).map;

/** Numbers from 0 to 1 that follow from a seed. */
function chances(seed) {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A map of any shape: places on each other, ways that cross, one-way and secret ways, kinds that no
 * catalogue knows, long names and none.
 */
function random(seed) {
  const chance = chances(seed);
  const pick = (list) => list[Math.floor(chance() * list.length)];
  const below = (number) => Math.floor(chance() * number);
  const size = { width: 200 + below(3000), height: 200 + below(2000) };
  const places = Array.from({ length: below(70) }, (_, index) => ({
    number: 1 + index * (1 + below(2) * 3),
    name: pick([
      `${index + 1}`,
      "Old Mill",
      "港の古い倉庫",
      "x".repeat(40),
      "Stonemason's Yard",
      "O",
    ]),
    x: below(size.width + 1),
    y: chance() < 0.1 ? 0 : below(size.height + 1),
  }));
  const numbers = [...new Set(places.map(({ number }) => number)), 9999];
  const ways = Array.from({ length: places.length * below(4) }, () => {
    const [from, to] = [pick(numbers), pick(numbers)];
    return {
      ...(chance() < 0.8 ? { between: [from, to] } : { from, to }),
      ...(chance() < 0.9 && { kind: pick(KINDS) }),
      ...(chance() < 0.2 && { fugitive_only: true }),
    };
  });
  return { title: "Any", size, places, ways, rules: {} };
}

const named = (map) => map.places.map(({ name }) => name);
const planned = (map) => cityOf(map, named(map));
const all = () => [
  ...SHIPPED.map(shipped),
  ...Array.from({ length: RANDOM }, (_, seed) => random(seed)),
];

/** The least distance of a point from a line of points. */
function apart({ x, y }, points) {
  const distances = points.map((from, index) => {
    const to = points[Math.min(index + 1, points.length - 1)];
    const [across, down] = [to.x - from.x, to.y - from.y];
    const long = across ** 2 + down ** 2;
    const at = long ? ((x - from.x) * across + (y - from.y) * down) / long : 0;
    const part = Math.min(Math.max(at, 0), 1);
    return Math.hypot(from.x + across * part - x, from.y + down * part - y);
  });
  return Math.min(...distances);
}

/** The corners of a house, its middle and those of its sides. */
const outline = ({ x, y, ahead, aside, width, depth }) =>
  [-0.5, 0, 0.5].flatMap((i) =>
    [-0.5, 0, 0.5].map((j) => ({
      x: x + ahead * i * width - aside * j * depth,
      y: y + aside * i * width + ahead * j * depth,
    })),
  );

test("no house stands in a river, on a street, on a place or outside the view", () => {
  let houses = 0;
  for (const map of all()) {
    const city = planned(map);
    const [left, top, width, height] = city.view;
    houses += city.houses.length;
    for (const house of city.houses) {
      const near = city.ways.filter(
        ({ points }) => apart(house, points) < house.width + widthOf("wave", city.unit),
      );
      for (const point of outline(house)) {
        const isIn = point.x >= left && point.x <= left + width && point.y >= top;
        assert.ok(isIn && point.y <= top + height);
        for (const { points, look } of near)
          assert.ok(apart(point, points) >= widthOf(look, city.unit) / 2, look);
        for (const place of map.places) assert.ok(apart(point, [place]) >= city.radius);
      }
    }
  }
  assert.ok(houses > 1000, String(houses));
});

test("the same file gives the same drawing", () => {
  for (const map of all()) {
    const [one, other] = [structuredClone(map), structuredClone(map)].map((each) =>
      JSON.stringify(drawCity(planned(each))),
    );
    assert.equal(one, other);
  }
});

test("any map is drawn without an error, in numbers, within its view", () => {
  for (const map of all()) {
    const city = planned(map);
    const drawing = [...drawCity(city), drawNames(city)].map(renderToString).join("");
    assert.doesNotMatch(drawing, /NaN|undefined|Infinity/);
    const [left, top, width, height] = city.view;
    assert.ok(width > 0 && height > 0);
    for (const { x, y } of [...map.places, ...city.parks])
      assert.ok(x >= left && x <= left + width && y >= top && y <= top + height);
    for (const { box } of city.names)
      assert.ok(box[0] >= left && box[2] <= left + width && box[3] <= top + height);
  }
});

test("no name lies on another name or on a place", () => {
  for (const map of all()) {
    const { names, radius } = planned(map);
    names.forEach(({ box }, index) => {
      assert.ok(!names.slice(index + 1).some((each) => meet(box, each.box)));
      const [left, top, right, bottom] = box;
      for (const { x, y } of map.places) {
        const [across, down] = [Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0)];
        assert.ok(Math.hypot(across, down) >= radius);
      }
    });
  }
});

test("every place of the shipped maps has its name", () => {
  for (const name of SHIPPED) {
    const map = shipped(name);
    assert.equal(map.places.length, planned(map).names.length, name);
  }
});

test("a river runs in curves through all its places and through no other", () => {
  const map = shipped("town");
  const city = planned(map);
  const river = city.ways.filter(({ look }) => look === "wave");
  assert.equal(6, river.length);
  assert.ok(river.every(({ isCurved }) => isCurved));
  const numbers = new Set(river.flatMap(({ ends }) => ends));
  for (const place of map.places.filter(({ number }) => !numbers.has(number)))
    for (const { points } of river) assert.ok(apart(place, points) > city.radius);
});

test("ways between the same two places lie beside each other", () => {
  const places = [
    { number: 1, name: "1", x: 100, y: 300 },
    { number: 2, name: "2", x: 400, y: 300 },
  ];
  const ways = ["street", "water", "rail"].map((kind, index) => ({
    between: index ? [2, 1] : [1, 2],
    kind,
  }));
  const { ways: drawn } = cityOf({ size: { width: 500, height: 500 }, places, ways }, ["", ""]);
  const middles = drawn.map(({ points }) => points[Math.floor(points.length / 2)].y);
  const sorted = [...middles].sort((a, b) => a - b);
  assert.equal(3, new Set(sorted.map(Math.round)).size);
});

test("houses change only around what is changed", () => {
  const map = shipped("town");
  const [far, near] = [(x) => x > 450, (x) => x <= 450];
  const moved = {
    ...map,
    places: map.places.map((place) =>
      place.number === 8 ? { ...place, x: place.x - 4, y: place.y + 3 } : place,
    ),
  };
  const tones = (each, isIn) =>
    planned(each)
      .houses.filter(({ x }) => isIn(x))
      .map(({ x, y, tone }) => [Math.round(x), Math.round(y), tone].join());
  assert.deepEqual(tones(map, near), tones(moved, near));
  assert.notDeepEqual(tones(map, far), tones(moved, far));
});
