// What a phone with a secret does with a plan from before a reload, and for how long a look lasts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Window } from "happy-dom";

const window = new Window();
globalThis.document = window.document;
globalThis.Element = window.Element;
globalThis.sessionStorage = window.sessionStorage;
globalThis.localStorage = window.localStorage;
globalThis.addEventListener = window.addEventListener.bind(window);
const { planningPhone } = await import("../../../web/core/phone.js");

const NIGHT = { position: 9, phase: "play", game: "vampireradar", secret: true, to_move: "V" };
const STEP = { type: "walk", to: "C2" };
const secret = { legal: [STEP], submitted: false };
const night = (seal, more = {}) => ({ ...NIGHT, night: { number: 4 }, seal: { seal }, ...more });

/** A phone that is opened in a night; `answer` is the table's to each request, in `sent`. */
function open(snapshot, answer = { ok: true }) {
  const sent = [];
  const drafts = [];
  const base = planningPhone({
    seat: "V",
    request: async (what, { actions }) => {
      sent.push(what);
      drafts.push(actions);
      return answer;
    },
    show: () => {},
    initialState: () => ({}),
    page: () => null,
    start: "place",
    possible: () => [STEP],
  });
  base.update(snapshot, secret);
  return { ...base, sent, drafts };
}
const settled = () => new Promise((done) => setTimeout(done));

/** A night in which a step was planned, as its tab keeps it. */
async function plan(seal) {
  sessionStorage.clear();
  const { add, phone } = open(night(seal));
  await add(STEP);
  assert.deepEqual(phone.draft, [STEP]);
}

test("a plan outlives a reload, and a link that fails meanwhile", async () => {
  await plan("one");
  const lost = open(night("one"), { ok: false, isLost: true, message: { code: "not_sent" } });
  await settled();
  assert.deepEqual([lost.sent, lost.phone.note], [["preview"], null]);
  assert.deepEqual(lost.phone.refusal, { code: "not_sent" });

  const { phone } = open(night("one"));
  await settled();
  assert.deepEqual(phone.draft, [STEP]);
});

test("a plan that the table refuses is gone", async () => {
  await plan("one");
  const { phone } = open(night("one"), { ok: false, message: { code: "no_such_step" } });
  await settled();
  assert.deepEqual([phone.draft, phone.note], [[], { code: "plan_gone" }]);

  const { sent } = open(night("one"));
  await settled();
  assert.deepEqual(sent, []);
});

test("another tab has no plan", async () => {
  await plan("one");
  // A tab has its own session storage, and the local one in common with all.
  sessionStorage.clear();
  const { phone, sent } = open(night("one"));
  await settled();
  assert.deepEqual([phone.draft, phone.note, sent], [[], null, []]);
  assert.equal(window.localStorage.getItem("seat-plan"), null);
});

test("a night of the same number in another game has no plan", async () => {
  await plan("one");
  const { sent } = open(night("two"));
  await settled();
  assert.deepEqual(sent, []);
});

test("steps are taken back one by one; the only one leaves an empty plan, without a request", async () => {
  sessionStorage.clear();
  const next = { type: "walk", to: "B2" };
  const { add, back, phone, sent, drafts } = open(night("one"));
  await add(STEP);
  await add(next);
  await back();
  assert.deepEqual(phone.draft, [STEP]);
  assert.deepEqual(drafts, [[STEP], [STEP, next], [STEP]]);

  await back();
  assert.deepEqual([phone.draft, phone.seen, phone.refusal], [[], null, null]);
  assert.equal(sent.length, 3);
  await add(next);
  assert.deepEqual([phone.draft, drafts.at(-1)], [[next], [next]]);
  await back();
  assert.equal(sessionStorage.getItem("seat-plan"), null);
});

test("every press begins the time of a look again, also one that is refused", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { phone, reveal } = open(night("three"));
  reveal("tap");
  for (const kind of ["pointerdown", "keydown", "click"]) {
    t.mock.timers.tick(15_000);
    window.document.body.dispatchEvent(new window.Event(kind, { bubbles: true }));
  }
  t.mock.timers.tick(15_000);
  assert.equal(phone.look, "tap");
  t.mock.timers.tick(5_000);
  assert.equal(phone.look, null);
});
