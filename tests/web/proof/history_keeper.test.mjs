import assert from "node:assert/strict";
import { test } from "node:test";

import { kept, HistoryKeeper } from "../../../web/proof/history_keeper.js";
import { headAfter } from "../../../web/proof/assert.js";

/** A table that tells events, and whose memory can be put back. */
class Table {
  constructor() {
    this.events = [];
    this.heads = ["0".repeat(64)];
  }

  tell(event) {
    this.heads.push(headAfter(this.heads.at(-1), event));
    this.events.push({ position: this.heads.length - 1, event });
    return this.update([this.events.at(-1)]);
  }

  /** An update of a lobby in which a seed is sealed. */
  inLobby(seed, events = []) {
    const { snapshot } = this.update();
    return { snapshot: { ...snapshot, phase: "lobby", lobby: { seed } }, events };
  }

  update(events = []) {
    return {
      snapshot: { position: this.heads.length - 1, head: this.heads.at(-1), seal: null },
      events,
    };
  }
}

function drawer() {
  const things = new Map();
  return {
    getItem: (name) => things.get(name) ?? null,
    setItem: (name, value) => things.set(name, value),
  };
}

function keeperOf(table, place, reported) {
  return new HistoryKeeper({
    table: "k",
    place,
    history: async (after) => table.events.filter(({ position }) => position > after),
    differs: async (kept) => {
      reported.push(kept);
      return { same: false };
    },
  });
}

const walk = (n) => ({ event: "pawn_walked", pawn: "H1a", n });
const sealed = (number) => ({
  event: "night_sealed",
  seat: "V",
  number,
  seal: String(number).repeat(64).slice(0, 64),
});

test("a phone works out the head itself, and keeps every seal whole", async () => {
  const [table, place, reported] = [new Table(), drawer(), []];
  const keeper = keeperOf(table, place, reported);
  await keeper.take(table.update());
  for (const event of [walk(1), sealed(1), walk(2), sealed(2)])
    await keeper.take(table.tell(event));

  assert.deepEqual(reported, []);
  assert.deepEqual(kept({ place }).seals, { 1: "1".repeat(64), 2: "2".repeat(64) });
  assert.equal(kept({ place }).heads[4], table.heads[4]);
});

test("a table that sends another head than its own events give is found", async () => {
  const [table, place, reported] = [new Table(), drawer(), []];
  const keeper = keeperOf(table, place, reported);
  await keeper.take(table.update());
  const update = table.tell(walk(1));
  update.snapshot.head = "ab".repeat(32);
  await keeper.take(update);

  assert.equal(reported.length, 1);
});

test("an event that comes twice counts once", async () => {
  const [table, place, reported] = [new Table(), drawer(), []];
  const keeper = keeperOf(table, place, reported);
  await keeper.take(table.update());
  await keeper.take(table.tell(walk(1)));
  table.tell(sealed(1));
  await keeper.take(table.update(table.events));

  assert.deepEqual(reported, []);
  assert.equal(kept({ place }).heads[2], table.heads[2]);
});

test("an old memory under a running phone is found when the phone comes back", async () => {
  const [table, place, reported] = [new Table(), drawer(), []];
  const keeper = keeperOf(table, place, reported);
  await keeper.take(table.update());
  for (let n = 0; n < 6; n += 1) await keeper.take(table.tell(walk(n)));
  const old = new Table();
  for (let n = 0; n < 3; n += 1) old.tell(walk(n));

  await keeperOf(old, place, reported).take(old.update());

  assert.deepEqual(reported, [{ position: 6, head: table.heads[6] }]);
});

test("a phone that slept asks for what it missed, and another past there is found", async () => {
  const [table, place, reported] = [new Table(), drawer(), []];
  const keeper = keeperOf(table, place, reported);
  await keeper.take(table.update());
  await keeper.take(table.tell(walk(1)));
  for (const event of [walk(2), sealed(1)]) table.tell(event);
  await keeperOf(table, place, reported).take(table.update());
  assert.deepEqual(reported, []);
  assert.equal(kept({ place }).seals[1], "1".repeat(64));

  const other = new Table();
  for (const event of [walk(1), walk(2), sealed(2), walk(3)]) other.tell(event);
  await keeperOf(other, place, reported).take(other.update());
  assert.equal(reported.length, 1);
});

test("another table is another history", async () => {
  const [table, place, reported] = [new Table(), drawer(), []];
  await keeperOf(table, place, reported).take(table.tell(walk(1)));
  const keeper = new HistoryKeeper({
    table: "other",
    place,
    history: async () => [],
    differs: async (kept) => reported.push(kept),
  });
  await keeper.take(new Table().update());

  assert.deepEqual(reported, []);
});

/** A phone that keeps: what it gave the table, which answers as `reply` says. */
function giver(table, place, reply = async () => ({ ok: true })) {
  const given = [];
  const keeper = new HistoryKeeper({
    table: "k",
    place,
    differs: async () => {},
    history: async (after) => table.events.filter(({ position }) => position > after),
    give: async (share) => {
      given.push(share);
      return reply(share);
    },
  });
  return { keeper, given };
}

const [one, two] = ["1".repeat(64), "2".repeat(64)];

test("a phone adds to a shuffle once before each game, whatever else is sealed", async () => {
  const [table, place] = [new Table(), drawer()];
  const { keeper, given } = giver(table, place);
  for (const seed of [one, one, two, undefined, two]) await keeper.take(table.inLobby(seed));
  const again = giver(table, place);
  await again.keeper.take(table.inLobby(one));

  assert.deepEqual([given.map(({ seal }) => seal), again.given], [[one], []]);
  assert.match(given[0].share, /^[0-9a-f]{32}$/);
  assert.deepEqual(kept({ place }).share, { seal: one, share: given[0].share });

  await keeper.take(table.tell({ event: "game_started", number: 1 }));
  await keeper.take(
    table.tell({ event: "shuffle_sealed", seal: one, shares: { P1: given[0].share } }),
  );
  assert.deepEqual(kept({ place }).share, { seal: one, share: given[0].share });
  await keeper.take(table.inLobby(one));
  await keeper.take(table.inLobby(two));
  assert.deepEqual(
    given.map(({ seal }) => seal),
    [one, two],
  );
  assert.notEqual(given[0].share, given[1].share);
});

test("a share that did not get through is sent again, the very same; one that the table refuses is not kept", async () => {
  const [table, place] = [new Table(), drawer()];
  let tries = 0;
  const { keeper, given } = giver(table, place, async () => {
    tries += 1;
    if (tries === 1) throw Object.assign(new Error("not_sent"), { code: "not_sent" });
    return { ok: false, code: tries === 2 ? "disk_full" : "share_given" };
  });
  for (let n = 0; n < 5; n += 1) await keeper.take(table.inLobby(one));

  assert.equal(given.length, 3);
  assert.equal(new Set(given.map(({ share }) => share)).size, 1);
  assert.equal(kept({ place }).share, null);
});

test("a share of a game that another one followed is not held against that", async () => {
  const [table, place] = [new Table(), drawer()];
  const { keeper } = giver(table, place);
  await keeper.take(table.inLobby(one));
  for (const event of ["game_started", "shuffle_sealed", "next_game_opened", "game_started"])
    await keeper.take(table.tell({ event }));

  assert.equal(kept({ place }).share, null);
});

test("a phone that missed a seal waits for the next game", async () => {
  const [table, place] = [new Table(), drawer()];
  await giver(table, place).keeper.take(table.inLobby(one));
  for (let n = 0; n < 3; n += 1) table.tell(walk(n));
  table.events = [];
  const { keeper, given } = giver(table, place);
  await keeper.take(table.inLobby(two));
  assert.deepEqual([given, kept({ place }).share], [[], null]);

  await keeper.take(table.tell({ event: "game_started" }));
  await keeper.take(table.inLobby(one));
  assert.equal(given.length, 1);
});

test("a fetch that fails costs nothing: the next update asks again for all that was missed", async () => {
  const [table, place, reported] = [new Table(), drawer(), []];
  let isDown = true;
  const history = async (after) => {
    if (isDown) throw new TypeError("Failed to fetch");
    return table.events.filter(({ position }) => position > after);
  };
  const keeper = new HistoryKeeper({
    table: "k",
    place,
    history,
    differs: async (kept) => reported.push(kept),
  });
  await keeper.take(table.update());
  for (const event of [walk(1), sealed(1), walk(2)]) table.tell(event);
  await keeper.take(table.update());
  isDown = false;
  await keeper.take(table.tell(sealed(2)));

  assert.deepEqual(reported, []);
  assert.deepEqual(kept({ place }).seals, { 1: "1".repeat(64), 2: "2".repeat(64) });
  assert.equal(kept({ place }).heads[4], table.heads[4]);
});

test("the fault of one update is reported once and blocks none of those after it", async () => {
  const [table, place] = [new Table(), drawer()];
  const keeper = keeperOf(table, place, []);
  await keeper.take(table.update());
  const wrong = keeper.take({ snapshot: null, events: [] });
  const after = [walk(1), sealed(1)].map((event) => keeper.take(table.tell(event)));

  await assert.rejects(wrong);
  await Promise.all(after);
  assert.equal(kept({ place }).heads[2], table.heads[2]);
});

test("another history that could not be reported without a connection is reported with the next update", async () => {
  const [table, place, reported] = [new Table(), drawer(), []];
  let isDown = true;
  const differs = async (kept) => {
    if (isDown) throw Object.assign(new Error("not_sent"), { code: "not_sent" });
    reported.push(kept);
    return { ok: true };
  };
  const keeper = new HistoryKeeper({ table: "k", place, history: async () => [], differs });
  for (const event of [walk(1), sealed(1), walk(2)]) await keeper.take(table.tell(event));
  const [older, before] = [new Table(), { position: 3, head: table.heads[3] }];
  await keeper.take(older.update());
  isDown = false;
  await keeper.take(older.update());

  assert.deepEqual(reported, [before]);
});

const started = (key) => ({ event: "game_started", number: 1, key });

test("the seals name the game to which they belong, and none is of another table", async () => {
  const [table, place] = [new Table(), drawer()];
  const keeper = keeperOf(table, place, []);
  await keeper.take(table.update());
  assert.equal(kept({ place }).start, null);
  for (const event of [started("one"), sealed(1), started("two")])
    await keeper.take(table.tell(event));

  const { start, seals } = kept({ place, table: "k" });
  assert.deepEqual([start, seals], [{ position: 3, key: "two" }, {}]);
  assert.deepEqual(kept({ place, table: "other" }), { start: null });
});

test("a phone that slept across the start of another game keeps nothing of the one before", async () => {
  const [table, place, reported] = [new Table(), drawer(), []];
  const keeper = keeperOf(table, place, reported);
  await keeper.take(table.update());
  for (const event of [started("one"), sealed(1)]) await keeper.take(table.tell(event));
  for (const event of [started("two"), walk(1)]) table.tell(event);
  const { snapshot } = table.update();
  const log = table.events.slice(2);
  table.events = [];
  await keeperOf(table, place, reported).take({ snapshot: { ...snapshot, log }, events: [] });

  const { start, seals, heads } = kept({ place });
  assert.deepEqual([start, seals], [{ position: 3, key: "two" }, {}]);
  assert.deepEqual(Object.keys(heads), ["4"]);
});

test("a table that is back in its lobby, or before the game, leaves no heads of that game", async () => {
  for (const phase of ["lobby", "play"]) {
    const [table, place] = [new Table(), drawer()];
    const keeper = keeperOf(table, place, []);
    await keeper.take(table.update());
    for (const event of [walk(1), started("one"), sealed(1)]) await keeper.take(table.tell(event));
    const older = new Table();
    older.tell(walk(2));
    const { snapshot } = older.update();
    await keeperOf(older, place, []).take({ snapshot: { ...snapshot, phase }, events: [] });

    assert.deepEqual([kept({ place }).start, kept({ place }).seals], [null, {}]);
    assert.deepEqual(Object.keys(kept({ place }).heads), ["1"]);
  }
});
