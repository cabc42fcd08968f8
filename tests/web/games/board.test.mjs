import assert from "node:assert/strict";
import test from "node:test";
import { describe, drawField, places } from "../../../web/games/vampireradar/drawing/board.js";
import { CELLS } from "../../../web/games/vampireradar/drawing/field.js";
import { renderToString } from "../markup.mjs";
import { HOUSE, view } from "../views.mjs";

const text = (code, params = {}) => [code, ...Object.values(params)].join(" ");
const count = (tree, part) => renderToString(tree).split(part).length - 1;

test("every tile is drawn once, every piece once, every wall once", () => {
  const markup = drawField(view({ pawns: { H1a: "A1", H2a: "A1", H3a: "F6" } }), {
    title: "field",
  });
  assert.equal(count(markup, 'class="ground"'), 36);
  assert.equal(count(markup, "data-pawn="), 3);
  assert.equal(count(markup, 'class="wall"'), HOUSE.walls.length);
});

test("nine pieces fit on one tile without touching its neighbours or each other", () => {
  for (const [besideSymbol, besideMark] of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ]) {
    for (let pieces = 1; pieces <= 9; pieces += 1) {
      const all = places(pieces, besideSymbol, besideMark);
      assert.equal(all.length, pieces);
      for (const [x, y, scale] of all)
        assert.ok(
          Math.abs(x) + 26 * scale <= 50 && Math.abs(y) + 27 * scale <= 50,
          `${pieces}: ${x} ${y}`,
        );
      for (const [index, [x, y, scale]] of all.entries()) {
        for (const [x2, y2] of all.slice(index + 1))
          assert.ok(Math.hypot(x - x2, y - y2) >= 40 * scale);
      }
    }
  }
});

test("the shot's line is the same for every game with these walls: hit or miss cannot be seen in it", () => {
  const shot = { cell: "C2", direction: "S" };
  const line = (known) =>
    renderToString(drawField(known, { title: "field", shot })).match(/<g class="shot">.*?<\/g>/)[0];
  const base = line(view());
  assert.equal(line(view({ hp: 1, own: { cell: "C3", actions_left: 2, trail: [] } })), base);
  assert.equal(line(view({ pawns: { H1a: "C3" } })), base);
});

test("a line ends at a wall, at the border, or at once when it leaves the field", () => {
  const end = (cell, direction) =>
    Number(
      /y2="(-?[\d.]+)"/.exec(
        renderToString(drawField(view(), { shot: { cell, direction } })).split('class="shot"')[1],
      )[1],
    );
  assert.equal(end("C2", "S"), 90 + 300 + 44);
  assert.equal(end("A1", "S"), 90 + 300 + 44);
  assert.equal(end("A1", "N"), 90 - 44);
});

test("a field without names is one picture, one with names a grid of 36 cells", () => {
  const snapshot = renderToString(drawField(view(), { title: "field" }));
  assert.match(snapshot, /role="img"/);
  assert.doesNotMatch(snapshot, /data-cell/);
  assert.doesNotMatch(snapshot, /role="(row|columnheader|rowheader|gridcell)"/);
  const grid = renderToString(drawField(view(), { title: "field", label: (cell) => cell }));
  for (const cell of CELLS) assert.ok(grid.includes(`data-cell="${cell}"`));
});

test("the tab key goes to the tiles that can be pressed, and to one where there are none", () => {
  const stops = (pressable) =>
    [
      ...renderToString(drawField(view(), { label: (cell) => cell, pressable })).matchAll(
        /data-cell="(..)" role="gridcell" tabindex="0"/g,
      ),
    ].map(([, cell]) => cell);
  assert.deepEqual(stops(["C3", "D3"]), ["A1", "C3", "D3"]);
  assert.deepEqual(stops([]), ["A1"]);
});

test("a tile that cannot be pressed is disabled", () => {
  const markup = renderToString(drawField(view(), { label: (cell) => cell, pressable: ["C3"] }));
  assert.equal(markup.split('aria-disabled="true"').length - 1, 35);
});

test("a press describes again only the tiles that it changes", () => {
  const look = { label: (cell) => cell };
  const tiles = (more) =>
    drawField(view(), { ...look, ...more }).children.flatMap(({ children }) =>
      children.filter(isTile),
    );
  const isTile = ({ attrs }) => attrs?.class?.startsWith("tile");
  const before = tiles({});
  const changed = tiles({ rings: { C3: "chosen" } }).filter((tile, at) => tile !== before[at]);
  assert.deepEqual(
    changed.map(({ attrs }) => attrs["data-cell"]),
    ["C3"],
  );
});

test("a radar's answer stands on its tile, zero too", () => {
  for (const distance of [0, 7]) {
    const markup = renderToString(drawField(view(), { badges: { C2: distance } }));
    assert.match(markup, new RegExp(`<g [^>]*class="badge".*?<text y="19">${distance}</text>`));
  }
});

test("a tile's words name its symbol, pawns, walls and mark", () => {
  const words = describe("A4", view({ pawns: { H1a: "A4" } }), text, { A4: "?" });
  assert.equal(words, "A4, tile.bat, pawn H1a, tile.walled S, mark.maybe");
});

test("a field with names has a header for every row and column, each row as many cells", () => {
  const { children } = drawField(view(), { label: (cell) => cell });
  const rows = children.filter(({ attrs }) => attrs?.role === "row");
  const roles = rows.map((row) => row.children.map(({ attrs }) => attrs.role));
  const line = (first, other) => [first, ...Array(6).fill(other)];
  const row = line("rowheader", "gridcell");
  assert.deepEqual(roles, [line("gridcell", "columnheader"), ...Array(6).fill(row)]);
});

test("names are written, never run", () => {
  assert.equal(
    renderToString({ tag: "p", attrs: { title: '"<' }, children: ["<b>"] }),
    '<p title="&quot;&lt;">&lt;b&gt;</p>',
  );
});
