import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { gameWords, sharedWords } from "../catalogues.mjs";
import { ACTIONS, playScreen } from "../../../web/games/vampireradar/table.js";
import { renderToString } from "../markup.mjs";
import { useSeats, useWords } from "../../../web/core/i18n.js";
import { fetchSuggestion } from "../../../web/screens/table/suggestion.js";

const TURN = JSON.parse(
  readFileSync(new URL("../../browser/fixtures/turn.json", import.meta.url), "utf-8"),
);
const WALK = { type: "walk", pawn: "H1a", to: "B3" };
const REASON = { code: "suggest.radar_now", params: { cell: "B3", left: 5, tiles: 14 } };

const withHints = (more = {}) => ({
  ...TURN,
  settings: { ...TURN.settings, hints: true },
  ...more,
});

const tableOf = (snapshot, ui = {}, more = {}) => ({
  snapshot,
  ui: { pawn: null, aim: null, ...ui },
  canControl: true,
  pending: null,
  ...more,
});

function drawn(table) {
  useSeats(table.snapshot.seats);
  return renderToString(playScreen(table));
}

const taskOf = (html) => /id="task"[^>]*>(.*?)<\/p>/.exec(html)[1].replaceAll(/<[^>]*>/g, "");

/** Let the table answer a request for a suggestion. */
function answer(found) {
  globalThis.fetch = async (path) => {
    assert.equal(path, "/suggestion.json");
    return { ok: found !== null, json: async () => found };
  };
}

beforeEach(() => useWords("en", { ...sharedWords("en"), ...gameWords("en", "vampireradar") }));

test("only a hunter at a table with hints can ask", () => {
  const asks = (snapshot, more) =>
    drawn(tableOf(snapshot, {}, more)).includes('data-action="suggest"');
  const bots = TURN.seats.map((each) => ({ ...each, bot: "greedy" }));
  assert.ok(asks(withHints()));
  assert.ok(!asks(TURN));
  assert.ok(!asks(withHints({ to_move: "V", secret: true })));
  assert.ok(!asks(withHints({ seats: bots })));
  assert.ok(!asks(withHints(), { canControl: false }));
});

test("a press shows the action with its reason, and an arrow; the next press hides them", async () => {
  const snapshot = withHints();
  answer({ position: snapshot.position, suggestion: { action: WALK, reason: REASON } });
  const plain = drawn(tableOf(snapshot));
  const shown = await ACTIONS.suggest(tableOf(snapshot));
  const html = drawn(tableOf(snapshot, shown));

  assert.match(taskOf(html), /to B3\. A radar on B3 leaves about 5 of 14 tiles\.$/);
  assert.ok(!plain.includes('class="arrow') && html.includes('class="arrow'));
  assert.match(html, /data-action="suggest" aria-pressed="true"/);
  assert.deepEqual({ suggestion: null }, await ACTIONS.suggest(tableOf(snapshot, shown)));
});

test("a suggestion goes with the position, and while a shot is aimed", async () => {
  const snapshot = withHints();
  answer({ position: snapshot.position, suggestion: { action: WALK, reason: REASON } });
  const shown = await ACTIONS.suggest(tableOf(snapshot));
  const later = { ...snapshot, position: snapshot.position + 1 };

  assert.equal(taskOf(drawn(tableOf(later, shown))), "Tap a pawn.");
  assert.equal(
    taskOf(drawn(tableOf(snapshot, { ...shown, pawn: "H1a", aim: "E" }))),
    "Tap it again to shoot.",
  );
});

test("where the answers fit no tile, that is said", async () => {
  const snapshot = withHints();
  answer({ position: snapshot.position, suggestion: null });
  const shown = await ACTIONS.suggest(tableOf(snapshot));

  assert.match(taskOf(drawn(tableOf(snapshot, shown))), /^No suggestion/);
});

test("a suggestion that is computed for another page is asked for again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const replies = [
    new Response("{}", { status: 503, headers: { "Retry-After": "2" } }),
    Response.json({ position: TURN.position, suggestion: { action: WALK, reason: REASON } }),
  ];
  globalThis.fetch = async () => replies.shift();
  const suggestion = fetchSuggestion(TURN);
  await new Promise(setImmediate);
  assert.equal(1, replies.length);
  t.mock.timers.tick(2000);

  assert.deepEqual(WALK, (await suggestion).action);
});

test("a table that has gone on, or is out of reach, suggests nothing", async () => {
  answer({ position: TURN.position + 1, suggestion: { action: WALK, reason: REASON } });
  assert.equal(null, await fetchSuggestion(TURN));
  answer(null);
  assert.equal(null, await fetchSuggestion(TURN));
  globalThis.fetch = async () => {
    throw new TypeError("no network");
  };
  assert.equal(null, await fetchSuggestion(TURN));
});
