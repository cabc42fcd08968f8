import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { gameWords, sharedWords } from "../catalogues.mjs";
import { tapped } from "../../../web/games/vampireradar/turn.js";
import { actsOf, playScreen } from "../../../web/games/vampireradar/table.js";
import { renderToString } from "../markup.mjs";
import { useSeats, useWords } from "../../../web/core/i18n.js";

globalThis.document = { documentElement: { lang: "en", classList: { contains: () => false } } };
globalThis.localStorage = { getItem: () => null };
useWords("en", { ...sharedWords("en", "host"), ...gameWords("en", "vampireradar") });

const FIXTURES = new URL("../../browser/fixtures/", import.meta.url);
const snapshot = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES)));
const drawn = (now, more = {}) => {
  useSeats(now.seats);
  const table = {
    snapshot: now,
    ui: { pawn: null, aim: null },
    canControl: true,
    pending: null,
    ...more,
  };
  return renderToString(playScreen(table));
};
const shot = { event: "shot_fired", pawn: "H1a", cell: "A3", direction: "E", bullets: 2 };
const radar = { event: "radar_called", pawn: "H1a", cell: "A3" };

test("a press on a tile takes an own pawn there, one after the other, then none", () => {
  const view = { pawns: { H2a: "A1", H1b: "A1", H1a: "A1" } };
  const press = (chosen) => tapped({ view, legal: [], to_move: "H1" }, "A1", chosen).pawn;

  assert.deepEqual([press(null), press("H1a"), press("H1b")], ["H1a", "H1b", null]);
  assert.equal(tapped({ view, legal: [], to_move: "H3" }, "A1", null).pawn, null);
});

test("a shot looks alike until it is answered, whether it hits or not", () => {
  const [hit, miss] = [true, false].map((isHit) =>
    drawn(snapshot("turn"), { pending: { ...shot, hit: isHit, vampire_hp: isHit ? 3 : 4 } }),
  );
  assert.ok(hit.includes('class="shade"'));
  assert.equal(hit, miss);
});

test("what stands alone stands for the same time, whatever the answer or the night", () => {
  const dawns = [
    [{ event: "turn_ended", seat: "V" }],
    [{ event: "pawns_killed", cell: "A3", pawns: ["H1a"] }],
    [{ event: "bat_eaten", cell: "A3" }],
  ];
  const kinds = [
    [true, false].map((isHit) => [{ ...shot, hit: isHit }]),
    [0, 10].map((distance) => [{ ...radar, distance }]),
    dawns,
  ];
  for (const events of kinds) {
    const [first, ...others] = events.map((each) => actsOf(each.map((event) => ({ event }))));
    assert.equal(first.length, 1);
    for (const other of others) assert.deepEqual(other, first);
  }
});

test("a radar runs over the board alike for every distance", () => {
  const [near, far] = [0, 10].map((distance) =>
    drawn(snapshot("turn"), { pending: { ...radar, distance } }),
  );
  assert.equal(near.split('class="ripples"').length, 2);
  assert.equal(near, far);
});

test("an answer stands on its tile for the day, and leaves with the night", () => {
  const now = snapshot("turn");
  assert.match(drawn(now), /class="badge"/);
  assert.match(drawn(now), /id="answer"/);
  assert.doesNotMatch(drawn(snapshot("night")), /class="badge"|id="answer"/);
  const dawn = [{ event: "night_fell" }, { event: "turn_ended", seat: "V" }].map(
    (event, index) => ({
      position: now.position + index,
      event,
      message: null,
    }),
  );
  const morning = drawn({ ...now, log: [...now.log, ...dawn] });
  assert.doesNotMatch(morning, /class="badge"/);
  assert.match(morning, /A quiet night/);
});

test("one sentence shows what hands may do: choose, go or aim, shoot, end", () => {
  const now = snapshot("turn");
  const prompt = (ui, view = {}) =>
    /id="task"[^>]*>([^<]*)</.exec(
      drawn({ ...now, view: { ...now.view, ...view } }, { ui: { pawn: null, aim: null, ...ui } }),
    )[1];
  assert.equal(prompt({}), "Tap a pawn.");
  assert.equal(prompt({ pawn: "H1a" }), "Tap a tile or arrow.");
  assert.equal(prompt({ pawn: "H1a", aim: "E" }), "Tap it again to shoot.");
  assert.equal(prompt({}, { actions_left: 0 }), "End the turn.");
  assert.doesNotMatch(drawn(snapshot("check")), /id="task">[^<]/);
});

test("the panel offers a draw and paper until the game is over", () => {
  const panel = (name) => {
    const now = snapshot(name);
    const open = now.seats.map((seat) => ({ ...seat, taken: false }));
    return drawn({ ...now, seats: open }, { ui: { pawn: null, aim: null, info: true } });
  };
  const ending = /data-action="(draw|onpaper)"/g;
  assert.equal(panel("turn").match(ending).length, 2);
  assert.equal(panel("over").match(ending), null);
});

test("people neither aim nor end for a bot", () => {
  const now = snapshot("turn");
  const withBot = {
    ...now,
    seats: now.seats.map((seat) => ({ ...seat, bot: seat.seat === now.to_move ? "greedy" : null })),
  };
  const chosen = { ui: { pawn: "H1a", aim: null } };
  assert.match(drawn(now, chosen), /data-action="shoot" data-arg="N"/);
  assert.doesNotMatch(drawn(now, chosen), /data-action="end"[^>]*aria-disabled/);
  const page = drawn(withBot, chosen);
  assert.doesNotMatch(page, /data-action="shoot" data-arg="N"/);
  assert.match(page, /data-action="end"[^>]*aria-disabled/);
  assert.match(page, /<p>is thinking<\/p>/);
});
