// The wall's cards: as large as can be, in the order in which people count, each saying what is going on.
import assert from "node:assert/strict";
import { gameWords, sharedWords } from "../catalogues.mjs";
import test from "node:test";

import { h } from "../../../web/core/dom.js";
import { renderToString } from "../markup.mjs";
import {
  columnsFor,
  grouped,
  inOrder,
  stateOf,
  wallScreen,
} from "../../../web/screens/dashboard/cards.js";
import { useWords } from "../../../web/core/i18n.js";

const english = { ...sharedWords("en", "host", "club"), ...gameWords("en", "vampireradar") };
useWords("en", english);

const card = (more = {}) => ({
  name: "Table 7",
  game: "vampireradar",
  phase: "play",
  position: 5,
  players: [{ seat: "H1", name: "Ana", taken: true, bot: "" }],
  to_move: "H1",
  mover: "Ana",
  night: false,
  paused: false,
  round: 2,
  turn: null,
  announcements: [],
  outcome: null,
  view: null,
  lost: false,
  ...more,
});
const words = (tree) =>
  renderToString(tree)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
const wall = (cards, isUp = true) => words(wallScreen(cards, isUp));

test("cards go into as many columns as leave each the largest", () => {
  assert.equal(columnsFor(1, 1920, 1016), 1);
  assert.equal(columnsFor(4, 1920, 1016), 2);
  assert.equal(columnsFor(2, 1920, 1016), 2);
  assert.equal(columnsFor(3, 400, 2000), 1);
  assert.equal(columnsFor(0, 1920, 1016), 1);
  for (let count = 1; count <= 100; count += 1) {
    const columns = columnsFor(count, 1280, 656);
    assert.ok(columns >= 1 && columns <= count);
  }
});

test("names of a content are shown in the wall's own language, where the table sent them", () => {
  const announcements = [
    {
      position: 3,
      code: "event.moved",
      params: { seat: "H1", city: "Silkhaven" },
      translations: { nl: { Silkhaven: "Zijdehaven" } },
    },
  ];
  const words = { "event.moved": "{seat} → {city}" };
  useWords("nl", { ...english, ...words });
  assert.match(wall({ a: card({ announcements }) }), /Ana → Zijdehaven/);
  useWords("ja", { ...english, ...words });
  assert.match(wall({ a: card({ announcements }) }), /Ana → Silkhaven/);
  useWords("nl", { ...english, ...words });
  assert.match(
    wall({ a: card({ announcements: [{ ...announcements[0], translations: undefined }] }) }),
    /Ana → Silkhaven/,
  );
  useWords("en", english);
});

test("tables stand in the order in which people count, and equal names keep theirs", () => {
  const cards = {
    c: card({ name: "Table 10" }),
    b: card({ name: "Table 2" }),
    a: card({ name: "Table 2" }),
  };
  assert.deepEqual(
    inOrder(cards).map(([id]) => id),
    ["a", "b", "c"],
  );
});

test("a card shows game, round, whose turn it is, and the last messages, newest first", () => {
  const announcements = [
    { position: 3, code: "event.turn_started", params: { seat: "H1" } },
    { position: 4, code: "event.radar_called", params: { cell: "C3", pawn: "H1a", distance: 4 } },
  ];
  const markup = wall({ a: card({ announcements }) });
  assert.match(
    markup,
    /1 table .* Table 7 Vampire Radar · Round 2 Ana .*Radar at C3.*: 4\. .*Ana is to move\./,
  );
});

test("a card of invented content is marked, any other is not", () => {
  assert.match(
    wall({ a: card({ game: "vwars", sample: true }) }),
    /V-Wars · Round 2 SAMPLE CONTENT, not from the box/,
  );
  assert.doesNotMatch(wall({ a: card({ sample: false }) }), /SAMPLE/);
});

test("a card shows night, pause, the end, the lobby, and a lost connection instead", () => {
  assert.match(wall({ a: card({ night: true }) }), /Round 2 Night/);
  assert.match(wall({ a: card({ paused: true }) }), /Paused/);
  assert.match(
    wall({ a: card({ phase: "over", outcome: { winner: "humans", reason: "vampire_dead" } }) }),
    /The village lives/,
  );
  assert.match(
    wall({ a: card({ phase: "lobby", to_move: null }) }),
    /Vampire Radar Not started yet/,
  );
  const markup = wall({ a: card({ lost: true }) });
  assert.match(markup, /Connection lost/);
  assert.doesNotMatch(markup, / Ana /);
});

test("an empty wall shows what to do, one without a broker that it may be old", () => {
  assert.match(wall({}), /No table has sent anything yet/);
  assert.match(wall({ a: card() }, false), /The broker is out of reach/);
});

test("a view that cannot be drawn costs the drawing and nothing else", () => {
  for (const view of [
    { tiles: 7 },
    { tiles: ["<b>"] },
    { rows: "x" },
    { rows: [["a1"]], pawns: null },
  ]) {
    const markup = renderToString(wallScreen({ a: card({ view, name: "<script>" }) }, true));
    assert.match(markup, /&lt;script&gt;/);
    assert.doesNotMatch(markup, /<script>|<svg[^>]*id="field"/);
  }
});

test("a drawing has no ids, tips or actions, and one that is larger than any table is left out", () => {
  const seat = { id: "P1", title: "P1", "data-action": "take", class: "seat" };
  const draw = (view, { mover }) =>
    h(
      "div",
      { id: "board" },
      Array.from({ length: view.seats }, () => h("b", seat, mover)),
    );
  const shown = (seats) =>
    renderToString(
      wallScreen({ a: card({ view: { seats } }) }, true, null, { vampireradar: draw }),
    );
  assert.match(shown(2), /<div><b class="seat">H1<\/b><b class="seat">H1<\/b><\/div>/);
  assert.match(shown(1000), /class="place/);
  assert.doesNotMatch(shown(10000), /class="place|<b /);
});

test("views of card games that no table sends are not drawn", async () => {
  const { drawTable: castle } = await import("../../../web/games/vampire_empire/characters.js");
  const { drawMap } = await import("../../../web/games/vwars/board.js");
  const { drawTable: round } = await import("../../../web/games/shisogari/round_table.js");
  const regions = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [at, {}]));
  for (const [draw, view] of [
    [castle, { city: 1e9 }],
    [drawMap, { regions }],
    [round, { backs: { P1: "wb" }, pairs: {} }],
  ])
    assert.throws(() => draw(view, { mover: "P1" }));
});

test("many tables are grouped by their states, who needs a hand first, each group by names", () => {
  const states = [
    { phase: "lobby" },
    { phase: "over" },
    { night: true },
    { paused: true },
    { lost: true },
    {},
  ];
  const order = ["lost", "halted", "playing", "over", "waiting"];
  const tables = (count) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `t${n}`,
        card({ name: `Table ${n}`, ...states[n % states.length] }),
      ]),
    );
  const many = grouped(tables(100));
  const ranks = many.map(([, each]) => order.indexOf(stateOf(each)));
  assert.equal(100, many.length);
  assert.deepEqual(
    ranks,
    [...ranks].sort((one, other) => one - other),
  );
  for (const rank of order.keys()) {
    const names = many.filter((_, at) => ranks[at] === rank).map(([, { name }]) => name);
    assert.deepEqual(
      names,
      [...names].sort((one, other) => one.localeCompare(other, undefined, { numeric: true })),
    );
  }
  assert.deepEqual(
    grouped(tables(20)).map(([id]) => id),
    Object.keys(tables(20)),
  );
});
