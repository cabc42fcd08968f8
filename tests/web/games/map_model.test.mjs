import assert from "node:assert/strict";
import test from "node:test";
import { shownPart } from "../../../web/games/manhunt/editor/fingers.js";
import * as model from "../../../web/games/manhunt/editor/model.js";

/** Three places in a row and a way between the first two. */
function small() {
  let map = model.blank({ title: "Small", language: "en" });
  for (const x of [100, 300, 500]) ({ map } = model.addPlace(map, { x, y: 200.4 }));
  return model.addWay(map, 1, 2, "street").map;
}

test("places are numbered in the order of taps, on whole units; a free number is taken again", () => {
  const map = small();
  assert.deepEqual(
    map.places.map(({ number, name, x, y }) => [number, name, x, y]),
    [
      [1, "1", 100, 200],
      [2, "2", 300, 200],
      [3, "3", 500, 200],
    ],
  );
  const again = model.addPlace(model.removePlace(map, 2).map, { x: 5, y: 5 });
  assert.equal(again.selected, 2);
});

test("a place that goes takes its ways along; another number keeps them", () => {
  assert.deepEqual(model.removePlace(small(), 1).map.ways, []);
  assert.deepEqual(model.numberPlace(small(), 1, 9).map.ways, [
    { between: [9, 2], kind: "street" },
  ]);
});

test("what cannot be is refused at the spot, and changes nothing", () => {
  const map = small();
  const refused = [
    model.addPlace(map, { x: -3, y: 10 }),
    model.addWay(map, 2, 1, "street"),
    model.addWay(map, 3, 3, "street"),
    model.namePlace(map, 1, " "),
    model.namePlace(map, 1, "2"),
    model.numberPlace(map, 1, 3),
    model.numberPlace(map, 1, 0),
    model.numberPlace(map, 1, 1.5),
  ];
  assert.deepEqual(
    refused.map((answer) => answer.refused?.code),
    [
      "edit.outside",
      "content.map.way_twice",
      "content.map.way_to_itself",
      "content.empty",
      "content.name_twice",
      "content.map.number_twice",
      "content.at_least",
      "content.at_least",
    ],
  );
  assert.ok(refused.every(({ at, map: changed }) => at && changed === undefined));
  assert.ok(model.addWay(map, 1, 2, "water").map, "another kind may lie beside it");
});

test("nine kinds are one too many", () => {
  let map = small();
  for (const kind of "abcdefg") ({ map } = model.addWay(map, 2, 3, kind));
  assert.equal(model.addWay(map, 2, 3, "h").refused.code, "content.map.kinds");
});

test("a way turns: both ways, there, back, both ways again", () => {
  let map = small();
  const directions = [];
  for (let turn = 0; turn < 3; turn += 1) {
    ({ map } = model.turnWay(map, 0));
    const { between, from, to } = map.ways[0];
    directions.push(between ?? `${from}>${to}`);
  }
  assert.deepEqual(directions, ["1>2", "2>1", [1, 2]]);
});

test("a picture makes an empty map as high as it, and leaves a drawn one", () => {
  const empty = model.blank({ title: "Small", language: "en" });
  const photo = { width: 4000, height: 3000 };
  assert.deepEqual(model.overPicture(empty, "photos/a.jpg", photo).map.size, {
    width: 1000,
    height: 750,
  });
  assert.equal(model.overPicture(empty, "photos/a.jpg", photo).map.background, "a.jpg");
  assert.equal(model.overPicture(small(), "a.jpg", photo).map.size.height, 700);
});

test("a moved place and a moved view stay on the map", () => {
  const { x, y } = model.movePlace(small(), 1, { x: 2000, y: -5 }).map.places[0];
  assert.deepEqual([x, y], [1000, 0]);
  assert.deepEqual(
    shownPart({ map: small(), view: { x: 990, y: 5, zoom: 2 } }),
    [500, 0, 500, 350],
  );
});
