// The handover of a hunt, to go on without a table: the standing disclosures, with those that this page received itself.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { Handover } from "../../../web/games/vampireradar/paper/handover.js";

const line = (position, event, more = {}) => ({
  position,
  event: { event, ...more },
  message: { code: event, params: {} },
});
const snapshot = (position) => ({
  position,
  phase: "play",
  to_move: "H1",
  view: { tiles: ["......"] },
});
const answerPositions = (handover) => handover.facts.answers.map(({ position }) => position);

/** Let the table answer these lines, or nothing at all. */
function tableTells(lines) {
  globalThis.fetch = async () => {
    if (!lines) throw new TypeError("Failed to fetch");
    return { ok: true, json: async () => lines };
  };
}

afterEach(() => {
  delete globalThis.fetch;
});

const FALL = line(3, "night_fell", { number: 1 });
const RADAR = line(7, "radar_called");
const HIT = line(9, "shot_fired", { hit: true });

test("a page that is opened in mid-game fetches all earlier disclosures", async () => {
  const handover = new Handover();
  tableTells([FALL, RADAR]);
  await handover.take({ snapshot: snapshot(8), events: [] });
  await handover.take({ snapshot: snapshot(9), events: [HIT] });

  assert.deepEqual(answerPositions(handover), [3, 7, 9]);
});

test("what was taken back is asked for again, and gone", async () => {
  const handover = new Handover();
  tableTells([FALL, RADAR]);
  await handover.take({ snapshot: snapshot(8), events: [] });
  await handover.take({ snapshot: snapshot(9), events: [HIT] });
  await handover.take({
    snapshot: snapshot(10),
    events: [line(10, "rewound", { to: 4, steps: 1, by: "H1" })],
  });

  assert.deepEqual(answerPositions(handover), [3, 7]);
});

test("where the table does not answer any more, an answer that came here and was taken back is gone all the same", async () => {
  const handover = new Handover();
  tableTells([FALL, RADAR]);
  await handover.take({ snapshot: snapshot(8), events: [] });
  tableTells(null);
  await handover.take({ snapshot: snapshot(9), events: [HIT] });
  await handover.take({
    snapshot: snapshot(10),
    events: [line(10, "rewound", { to: 4, steps: 1, by: "H1" })],
  });

  assert.deepEqual(answerPositions(handover), [3, 7]);
});

test("another game begins with an empty handover", async () => {
  const handover = new Handover();
  tableTells([FALL, RADAR]);
  await handover.take({ snapshot: snapshot(8), events: [] });
  tableTells(null);
  await handover.take({
    snapshot: snapshot(22),
    events: [
      line(20, "game_over"),
      line(21, "game_started"),
      line(22, "night_fell", { number: 1 }),
    ],
  });

  assert.deepEqual(answerPositions(handover), [22]);
});
