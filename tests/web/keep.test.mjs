import assert from "node:assert/strict";
import { test } from "node:test";

import { kept, Keeper } from "../../web/static/keep.js";
import { headAfter } from "../../web/static/claims.js";

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

  update(events = []) {
    return { picture: { position: this.heads.length - 1, head: this.heads.at(-1), seal: null }, events };
  }
}

function drawer() {
  const things = new Map();
  return { getItem: (name) => things.get(name) ?? null, setItem: (name, value) => things.set(name, value) };
}

function keeperOf(table, place, told) {
  return new Keeper({ table: "k", place, history: async (after) => table.events.filter(({ position }) => position > after), differs: async (kept) => { told.push(kept); return { same: false }; } });
}

const walk = (n) => ({ event: "pawn_walked", pawn: "H1a", n });
const sealed = (number) => ({ event: "night_sealed", seat: "V", number, seal: String(number).repeat(64).slice(0, 64) });

test("a phone works out the head itself, and keeps every seal whole", async () => {
  const [table, place, told] = [new Table(), drawer(), []];
  const keeper = keeperOf(table, place, told);
  await keeper.take(table.update());
  for (const event of [walk(1), sealed(1), walk(2), sealed(2)]) await keeper.take(table.tell(event));

  assert.deepEqual(told, []);
  assert.deepEqual(kept(place).seals, { 1: "1".repeat(64), 2: "2".repeat(64) });
  assert.equal(kept(place).heads[4], table.heads[4]);
});

test("a table that tells another head than its own events give is found", async () => {
  const [table, place, told] = [new Table(), drawer(), []];
  const keeper = keeperOf(table, place, told);
  await keeper.take(table.update());
  const update = table.tell(walk(1));
  update.picture.head = "ab".repeat(32);
  await keeper.take(update);

  assert.equal(told.length, 1);
});

test("an old memory under a running phone is found when the phone comes back", async () => {
  const [table, place, told] = [new Table(), drawer(), []];
  const keeper = keeperOf(table, place, told);
  await keeper.take(table.update());
  for (let n = 0; n < 6; n += 1) await keeper.take(table.tell(walk(n)));
  const old = new Table();
  for (let n = 0; n < 3; n += 1) old.tell(walk(n));

  await keeperOf(old, place, told).take(old.update());

  assert.deepEqual(told, [{ position: 6, head: table.heads[6] }]);
});

test("a phone that slept asks for what it missed, and another past there is found", async () => {
  const [table, place, told] = [new Table(), drawer(), []];
  const keeper = keeperOf(table, place, told);
  await keeper.take(table.update());
  await keeper.take(table.tell(walk(1)));
  for (const event of [walk(2), sealed(1)]) table.tell(event);
  await keeperOf(table, place, told).take(table.update());
  assert.deepEqual(told, []);
  assert.equal(kept(place).seals[1], "1".repeat(64));

  const other = new Table();
  for (const event of [walk(1), walk(2), sealed(2), walk(3)]) other.tell(event);
  await keeperOf(other, place, told).take(other.update());
  assert.equal(told.length, 1);
});

test("another table is another history", async () => {
  const [table, place, told] = [new Table(), drawer(), []];
  await keeperOf(table, place, told).take(table.tell(walk(1)));
  const keeper = new Keeper({ table: "other", place, history: async () => [], differs: async (kept) => told.push(kept) });
  await keeper.take(new Table().update());

  assert.deepEqual(told, []);
});
