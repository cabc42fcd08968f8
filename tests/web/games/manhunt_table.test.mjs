/** Manhunt's display: whose turn it names, the rounds, the tickets, and what stands on the map. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { useWords, useWordsOf } from "../../../web/core/i18n.js";
import { useReference } from "../../../web/core/reference.js";
import { drawMap, firstZoom } from "../../../web/games/manhunt/board.js";
import { cityOf } from "../../../web/games/manhunt/city.js";
import { read } from "../../../web/games/manhunt/editor/file.js";
import { PAWN_GROWTH, pawnSpots } from "../../../web/games/manhunt/pawn_spots.js";
import { playScreen } from "../../../web/games/manhunt/table.js";
import { counts } from "../../../web/games/manhunt/turn.js";
import { gameWords, sharedWords } from "../catalogues.mjs";
import { renderToString } from "../markup.mjs";

const MAPS = new URL("../../../companion/games/manhunt/maps/", import.meta.url);
/** @param {string} name */
const shipped = (name) => read(readFileSync(new URL(`${name}.toml`, MAPS), "utf8")).map;
const tickets = { street: 11, water: 5, rail: 4 };
const view = {
  pawns: { H1a: "41", H2a: "46" },
  tickets: { H1a: tickets, H2a: { ...tickets, water: 3 } },
  fugitive_tickets: {},
  doubles: 0,
  unseen: 0,
  placed: true,
  night: 1,
  nights: 1,
  round: 2,
  rounds: 22,
  shows: [3, 8],
  announced: [{ night: 1, round: 2, ways: ["water"] }],
  answers: [],
};
const walk = { type: "walk", pawn: "H1a", to: "43", kind: "street" };

/** The display in a hunter's turn. */
function screen(changes = {}, legal = [walk, { type: "look" }]) {
  useWords("en", sharedWords("en"), { manhunt: gameWords("en", "manhunt") });
  useWordsOf("manhunt");
  useReference({ map: shipped("town") });
  const snapshot = {
    game: "manhunt",
    phase: "play",
    seats: ["F", "H1", "H2"].map((seat) => ({ seat, name: seat, bot: null })),
    to_move: "H1",
    view: { ...view, ...changes },
    legal,
    log: [],
    settings: {},
    board: null,
    lobby: { options: {} },
  };
  return renderToString(playScreen({ snapshot, ui: {}, canControl: true }));
}

test("before the first round the fugitive is named, no pawn is lit, and Begin is the main button", () => {
  const page = screen({ round: 0, announced: [] }, [{ type: "look" }]);
  assert.match(page, /<header id="banner" class="banner F">/);
  assert.match(page, /class="prime"[^>]*>Begin</);
  assert.doesNotMatch(page, /class="place[^"]* live|pawn H1 moving/);
});

test("in a hunter's turn the bar has the mover's colour and its places are lit", () => {
  const page = screen();
  assert.match(page, /<header id="banner" class="banner H1">/);
  assert.match(page, /data-cell="43"[^>]*class="place[^"]* live/);
  assert.match(page, /pawn H1 moving/);
});

test("the rounds are a strip: past ones, the present one, and those in which it shows itself", () => {
  screen();
  const strip = renderToString(counts(view)).match(/<i[^>]*>/g) ?? [];
  assert.equal(22, strip.length);
  assert.deepEqual(
    ['<i class="past">', '<i class="present">', '<i class="shows">', "<i>"],
    strip.slice(0, 4),
  );
  assert.equal(2, strip.filter((each) => each.includes("shows")).length);
});

test("tickets are counted in a table, by pawn and kind, in the catalogue's words", () => {
  screen();
  const table = renderToString(counts(view, "H1")).match(/<table.*<\/table>/)?.[0] ?? "";
  const heads = [...table.matchAll(/<\/svg>(\w+)<\/th>/g)].map(([, word]) => word);
  const cells = [...table.matchAll(/<b class="(\w+)">(\d+)</g)].map(([, look, n]) => [look, n]);
  assert.deepEqual(["street", "boat", "train"], heads);
  assert.deepEqual(
    [
      ["plain", "11"],
      ["wave", "5"],
      ["rail", "4"],
      ["plain", "11"],
      ["wave", "3"],
      ["rail", "4"],
    ],
    cells,
  );
});

test("the announcements have a heading, the newest first", () => {
  assert.match(screen(), /<h2>The fugitive so far<\/h2><ol><li><small>2: <\/small>boat/);
});

test("a name that a pawn would cover in part is left out", () => {
  const map = shipped("town");
  const names = (pawns) => renderToString(drawMap({ pawns }, {}, map)).match(/>Candle Street</g);
  assert.equal(1, names({})?.length);
  assert.equal(null, names({ H1a: "11" }));
});

test("a pawn covers no number of another place, on displays and on phones", () => {
  for (const [name, most] of [
    ["town", 1.7],
    ["ship", 1.5],
    ["quarter", 1.72],
  ]) {
    const map = shipped(name);
    const places = new Map(map.places.map((place) => [String(place.number), place]));
    const city = cityOf(
      map,
      map.places.map(({ name: each }) => each),
    );
    const [left, top, width, height] = city.view;
    for (const scale of [1, 1.4, most])
      for (const [cell, own] of places) {
        const laid = { places, radius: city.radius, city, stops: new Map() };
        const [right, down] = pawnSpots({ H1a: cell }, laid, scale).get("H1a");
        for (const enlarged of [1, scale]) {
          const by = Math.max(1, enlarged * PAWN_GROWTH);
          const [x, y] = [own.x + right * by, own.y + down * by];
          const half = city.radius * by;
          const covered = map.places.filter(
            (place) =>
              place !== own &&
              Math.abs(place.x - x) < half + 0.75 * city.radius * enlarged &&
              Math.abs(place.y - y) < half + 0.45 * city.radius * enlarged,
          );
          assert.deepEqual([], covered, `${name} ${cell}`);
          assert.ok(x - half >= left && x + half <= left + width, `${name} ${cell}`);
          assert.ok(y - half >= top && y + half <= top + height, `${name} ${cell}`);
        }
      }
  }
});

test("pawns at one place stand apart", () => {
  const svg = renderToString(drawMap({ pawns: { H1a: "48", H2a: "48" } }, {}, shipped("town")));
  const [one, other] = [...svg.matchAll(/"sign"><g transform="translate\(([^)]*)\)/g)].map(
    ([, spot]) => spot.split(" ").map(Number),
  );
  const radius = Number(svg.match(/--radius="([^"]*)"/)[1]);
  assert.ok(Math.hypot(one[0] - other[0], one[1] - other[1]) > 2 * radius);
});

test("a phone shows a map at once at a size at which each number can be read", () => {
  assert.deepEqual([1, 2, 1], ["town", "quarter", "ship"].map(shipped).map(firstZoom));
});
