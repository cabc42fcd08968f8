import assert from "node:assert/strict";
import { test } from "node:test";

import { evenly, oddsStep, percent } from "../../../web/games/vampireradar/hints/odds.js";
import { replay as hands } from "../../../web/games/shisogari/replay.js";
import { replay } from "../../../web/games/vwars/replay.js";
import { cut, path, replay as hunt } from "../../../web/games/vampireradar/replay.js";
import { nextStop, unfold } from "../../../web/screens/replay/moments.js";

const message = (code) => ({ code, params: {} });
const MOMENTS = unfold({
  moments: [
    {
      message: message("event.game_set_up"),
      event: "game_set_up",
      seat: "V",
      view: { hp: 4, pawns: { H1a: "A1" } },
      odds: {},
    },
    { message: message("secret.vampire_hid"), event: "vampire_hid", seat: "V", truth: "C3" },
    {
      message: message("event.turn_started"),
      event: "turn_started",
      seat: "H1",
      odds: { C3: 250, D3: 750 },
    },
    {
      message: message("event.radar_called"),
      event: "radar_called",
      seat: "H1",
      odds: { C3: 1000 },
    },
    { message: message("secret.vampire_moved"), event: "vampire_moved", seat: "V", truth: "C4" },
    {
      message: message("event.night_over"),
      event: "turn_ended",
      seat: "V",
      odds: { B3: 500, C4: 500 },
    },
    {
      message: message("event.shot_hit"),
      event: "shot_fired",
      seat: "H1",
      view: { hp: 3 },
      odds: { C4: 1000 },
    },
    { message: message("event.game_over.humans"), event: "game_over", seat: null },
  ],
});

test("each moment is whole: what did not change stays from the moment before", () => {
  assert.deepEqual(
    [4, 4, 3, 3],
    [0, 5, 6, 7].map((at) => MOMENTS[at].view.hp),
  );
  assert.deepEqual({ H1a: "A1" }, MOMENTS[7].view.pawns);
});

test("the chance on the true tile comes from public events, and from no secret", () => {
  assert.deepEqual(
    [null, null, 250, 1000, null, 500, 1000, 1000],
    MOMENTS.map(({ share }) => share),
  );
});

test("the path has the end of each night, and where the vampire is in this one", () => {
  assert.deepEqual([], path(MOMENTS, 0));
  assert.deepEqual([{ night: 0, cell: "C3" }], path(MOMENTS, 3));
  assert.deepEqual(
    [
      { night: 0, cell: "C3" },
      { night: 1, cell: "C4" },
    ],
    path(MOMENTS, 4),
  );
  assert.deepEqual(path(MOMENTS, 4), path(MOMENTS, 6));
});

test("an answer shows how many tiles it left of how many", () => {
  assert.deepEqual({ before: 2, after: 1 }, cut(MOMENTS, 3));
  assert.equal(null, cut(MOMENTS, 5));
});

test("hands are whole at each moment, and pairs and bites are worth stopping at", () => {
  const moments = unfold({
    moments: [
      {
        message: message("event.cards_dealt"),
        event: "game_set_up",
        seat: "P1",
        view: {},
        hands: { P1: "a", P2: "b" },
        sum: 4,
      },
      {
        message: message("secret.card_passed"),
        event: "card_passed",
        seat: "P1",
        hands: { P2: "c" },
      },
      { message: message("secret.bitten"), event: "card_placed", seat: "P1", sum: 3 },
      { message: message("secret.laid"), event: "card_placed", seat: "P1" },
      { message: message("event.pair_down"), event: "pair_laid", seat: "P1" },
      { message: message("event.game_over.vampire"), event: "game_over", seat: null },
    ],
  });
  assert.deepEqual({ P1: "a", P2: "c" }, moments[3].hands);
  assert.deepEqual(
    [4, 4, 3, 3, 3, 3],
    moments.map(({ sum }) => sum),
  );
  assert.deepEqual(
    [2, 4, 5],
    [0, 2, 4].map((from) => nextStop(moments, from, 1, hands)),
  );
});

test("of cities and players only what changed is sent; piles are whole, and the track is the sum", () => {
  const moments = unfold(
    {
      moments: [
        {
          message: message("event.turn_started"),
          event: "turn_started",
          seat: "P1",
          view: {
            cities: { a: { human: 1 }, b: { human: 0 } },
            players: { P1: 1, P2: 2 },
            controlled: 3,
            sympathy: 8,
          },
          piles: { r: ["a-h1"], pool: [] },
        },
        {
          message: message("secret.card_put.pool"),
          event: "card_put",
          seat: "P1",
          piles: { pool: ["b-v2"] },
        },
        {
          message: message("event.riot_ended.sputter"),
          event: "riot_ended",
          seat: "P1",
          view: { cities: { b: { human: 2 } }, players: { P2: 3 }, sympathy: 7, riot: {} },
        },
      ],
    },
    replay,
  );
  assert.deepEqual(moments[2].view, {
    cities: { a: { human: 1 }, b: { human: 2 } },
    players: { P1: 1, P2: 3 },
    controlled: 3,
    sympathy: 7,
    riot: {},
  });
  assert.deepEqual(moments[2].piles, { r: ["a-h1"], pool: ["b-v2"] });
  assert.deepEqual(
    moments.map(({ sum }) => sum),
    [11, 11, 10],
  );
  assert.equal(nextStop(moments, 0, 1, replay), 2);
});

test("from answer to answer, and to the ends", () => {
  assert.deepEqual(
    [3, 6, 7, 7],
    [0, 3, 6, 7].map((at) => nextStop(MOMENTS, at, 1, hunt)),
  );
  assert.deepEqual(
    [6, 3, 0, 0],
    [7, 6, 3, 0].map((at) => nextStop(MOMENTS, at, -1, hunt)),
  );
});

test("a chance is a step of colour with its number beside it", () => {
  assert.deepEqual([0, 1, 1, 2, 3, 4, 5, 5], [0, 1, 29, 30, 80, 150, 300, 1000].map(oddsStep));
  assert.deepEqual(["<1", "1", "13", "100"], [4, 12, 125, 1000].map(percent));
  assert.deepEqual({ A1: 333, B1: 333, C1: 333 }, evenly({ A1: 900, B1: 50, C1: 50 }));
});
