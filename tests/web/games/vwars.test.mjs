/** V-Wars's map: where regions lie, and what is within reach. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gameWords, sharedWords } from "../catalogues.mjs";
import { renderToString } from "../markup.mjs";
import { test } from "node:test";
import {
  choices,
  isRioting,
  pressed,
  reachable,
  taskWords,
  waitWords,
} from "../../../web/games/vwars/board.js";
import { useWords, useWordsOf } from "../../../web/core/i18n.js";
import { chart } from "../../../web/games/vwars/drawings.js";

const SAMPLE = readFileSync(
  new URL("../../../companion/games/vwars/sample.toml", import.meta.url),
  "utf8",
);
const REGIONS = Object.fromEntries(
  [...SAMPLE.matchAll(/\[\[region\]\]\nid = "(\w+)"\nname = "[^"]*"\nadjacent = (\[.*\])/g)].map(
    ([, id, adjacent]) => [id, { adjacent: JSON.parse(adjacent) }],
  ),
);

const isBeside = ([x, y], [x2, y2]) => Math.hypot(x - x2, y - y2) < 1.5;

test("each region has a place of its own, beside those that it touches", () => {
  const { wide, tall, roads } = chart(REGIONS);
  assert.equal(10, roads.length);
  for (const places of [wide, tall]) {
    assert.deepEqual(Object.keys(REGIONS).sort(), Object.keys(places).sort());
    assert.equal(8, new Set(Object.values(places).map(String)).size);
    const long = roads.filter(([one, other]) => !isBeside(places[one], places[other]));
    assert.ok(long.length <= 2, "more roads than the two chords lead past a third region");
  }
  assert.ok(!Object.values(wide).some(([x, y]) => x === 1 && y === 1), "the compass is covered");
});

test("however regions are listed, most that touch lie beside each other", () => {
  const ids = Object.keys(REGIONS);
  for (let step = 1; step < ids.length; step += 2) {
    const listed = ids.map((_, at) => ids[(at * step * 3 + (at % 2) * 4) % ids.length]);
    const order = [...new Set([...listed, ...ids])];
    const { wide, roads } = chart(Object.fromEntries(order.map((id) => [id, REGIONS[id]])));
    const far = roads.filter(([one, other]) => !isBeside(wide[one], wide[other]));
    assert.ok(far.length <= 3, `${order}: ${far.join(" ")}`);
  }
});

test("any number of regions has places, and a map that nobody typed has no roads", () => {
  for (let count = 1; count <= 12; count++) {
    const ids = Array.from({ length: count }, (_, at) => `r${at}`);
    const touching = (id) => ids.filter((other) => other !== id);
    const regions = Object.fromEntries(ids.map((id) => [id, { adjacent: touching(id) }]));
    const { wide, tall, roads } = chart(regions);
    assert.deepEqual([], roads);
    for (const places of [wide, tall])
      assert.equal(count, new Set(Object.values(places).map(String)).size);
  }
});

test("a press means the action on its button, whatever else is offered by then", () => {
  const riot = { type: "riot" };
  const view = { step: "riot", options: { factions: "phones" } };
  const [, name] = /data-action="do" data-arg="([^"]*)"/.exec(
    choices(view, [riot], {}).filter(Boolean).map(renderToString),
  );
  const press = (legal) => pressed(legal).do({}, name).submit;
  assert.equal(riot, press([{ type: "end" }, riot]));
  assert.equal(undefined, press([{ type: "end" }]));
});

const VIEW = {
  step: "turn",
  turn: "P1",
  actions_left: 2,
  regions: { a: { adjacent: ["b"] }, b: { adjacent: ["a", "c"] }, c: { adjacent: ["b"] } },
  cities: {
    a1: { region: "a" },
    a2: { region: "a", martial: true },
    b1: { region: "b" },
    c1: { region: "c" },
  },
  players: { P1: { city: "a1", vampire: false } },
};

test("within reach are the own region and those beside it; martial law keeps known vampires out", () => {
  assert.deepEqual(["a2", "b1"], reachable(VIEW));
  const turned = { ...VIEW, players: { P1: { city: "a1", vampire: true } } };
  assert.deepEqual(["b1"], reachable(turned));
  assert.deepEqual([], reachable({ ...VIEW, actions_left: 0 }));
  assert.deepEqual([], reachable({ ...VIEW, step: "event" }));
});

test("a riot is looked at till somebody does something after it", () => {
  const riot = { city: "a1", turned: [] };
  const log = (...names) => names.map((event) => ({ event: { event } }));
  const at = (step, ...names) =>
    isRioting({ view: { riot, step }, phase: "play", log: log(...names) });
  assert.ok(at("discard", "riot_ended"));
  assert.ok(at("turn", "moved", "riot_ended", "turn_started"));
  assert.ok(!at("turn", "riot_ended", "turn_started", "moved"));
  assert.ok(!at("soon", "riot_ended", "box_asked"));
  assert.ok(!isRioting({ view: { riot: null, step: "turn" }, phase: "play", log: [] }));
});

test("only who types how the box begins is told to press a city", () => {
  useWords("en", sharedWords("en"), { vwars: gameWords("en", "vwars") });
  useWordsOf("vwars");
  const to_type = [{ what: "start", seat: "P1" }];
  const snapshot = { to_move: "P3", legal: [], view: { step: "setup", to_type } };
  assert.match(taskWords(snapshot), /^Press the start city of /);
  assert.match(waitWords(snapshot), /types on a phone how the box begins/);
});
