// What a display shows of a finished game: fetched once, and there until there is something newer.
import assert from "node:assert/strict";
import test from "node:test";

import { fetchEnding, figures } from "../../../web/screens/table/ending.js";

/** Answer each request for the replay by `reply(number)`; catalogues are empty. */
function serve(reply) {
  let count = 0;
  globalThis.fetch = async (path) => ({
    ok: true,
    status: 200,
    json: async () => (path === "/replay.json" ? reply((count += 1)) : {}),
  });
}
const taken = () => figures("figure.taken").map(({ n }) => n);

test("a name that is changed after the end takes no fact from the displays", async () => {
  globalThis.document = { documentElement: { dataset: {} }, getElementById: () => null };
  globalThis.navigator = { languages: ["en"] };
  const over = { game: "nosferatu", phase: "over", position: 9 };
  serve((n) => ({ moments: [], figures: [{ code: "figure.taken", params: { n } }] }));
  await fetchEnding(over, () => {});
  assert.deepEqual([1], taken());
  const later = fetchEnding({ ...over, position: 10 }, () => {});
  assert.deepEqual([1], taken());
  await later;
  assert.deepEqual([2], taken());
  await fetchEnding({ ...over, phase: "play", position: 11 }, () => {});
  assert.deepEqual([], taken());
  await fetchEnding({ ...over, position: 12 }, () => {});
  const other = fetchEnding({ game: "vwars", phase: "over", position: 13 }, () => {});
  assert.deepEqual([], taken(), "nothing of another game");
  await other;
});
