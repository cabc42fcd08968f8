import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { useSeats } from "../../../web/core/i18n.js";
import { askAloud, questionOf } from "../../../web/core/read_aloud.js";

const RADAR = { view: { pawns: { H1a: "C3", H2a: "A1" } } };

test("typed words ask about a pawn, a cell, or whose turn it is", () => {
  assert.deepEqual(questionOf([], RADAR, "H1"), { what: "turn" });
  assert.deepEqual(questionOf(["a"], RADAR, "H1"), { what: "pawn", name: "H1a" });
  assert.deepEqual(questionOf(["2", "A"], RADAR, "H1"), { what: "pawn", name: "H2a" });
  assert.deepEqual(questionOf(["h2a"], RADAR, "V"), { what: "pawn", name: "H2a" });
  useSeats([{ seat: "H2", name: "Ben Vos", taken: true }]);
  assert.deepEqual(questionOf(["ben", "vos", "a"], RADAR, "V"), { what: "pawn", name: "H2a" });
  useSeats([
    { seat: "H1", name: "2", taken: true },
    { seat: "H2", name: "José-María", taken: true },
  ]);
  assert.deepEqual(questionOf(["2a"], RADAR, "V"), { what: "pawn", name: "H2a" });
  assert.deepEqual(questionOf(["jose", "maria", "a"], RADAR, "V"), { what: "pawn", name: "H2a" });
  assert.deepEqual(questionOf(["José-María", "a"], RADAR, "V"), { what: "pawn", name: "H2a" });
  assert.deepEqual(questionOf(["c3"], RADAR, "H1"), { what: "cell", name: "C3" });
  const hexagons = { view: { pawns: { v1: "d4" } } };
  assert.deepEqual(questionOf(["D4"], hexagons, "vampires"), { what: "cell", name: "d4" });
  assert.deepEqual(questionOf(["V1"], hexagons, "vampires"), { what: "pawn", name: "v1" });
  assert.deepEqual(questionOf(["12"], { view: null }, null), { what: "cell", name: "12" });
});

/** A table that takes the question as number 2, and shows it in each of these states in turn. */
function asking(...states) {
  const sent = [];
  const request = async (...what) => {
    sent.push(what);
    return { ok: true, number: 2 };
  };
  const other = { number: 1, what: "turn", name: "", state: "read" };
  const snapshot = () => {
    const state = states.length > 1 ? states.shift() : states[0];
    return { questions: [other, ...(state ? [{ ...other, number: 2, state }] : [])] };
  };
  const waits = [];
  const said = askAloud(request, snapshot, { what: "turn" }, () => waits.push("waits"));
  return { sent, waits, said };
}

test("a phone is told that a display reads its own question, or in one sentence why none does", async () => {
  const { sent, waits, said } = asking("read");
  assert.equal(await said, null);
  assert.deepEqual(sent, [["ask_aloud", { what: "turn", name: "" }]]);
  assert.deepEqual(waits, []);

  const refusal = { code: "ask_later" };
  const refused = async () => ({ ok: false, message: refusal });
  assert.equal(await askAloud(refused, () => null, { what: "turn" }), refusal);
});

test("a phone waits while a display speaks of other things, and not for ever", async () => {
  let now = 0;
  mock.method(performance, "now", () => (now += 1000));
  assert.deepEqual(await asking("asked").said, { code: "ask_no_voice" });
  assert.deepEqual(await asking(undefined).said, { code: "ask_no_voice" });
  const late = asking("asked", ...Array(10).fill("waits"), "read");
  assert.equal(await late.said, null);
  assert.deepEqual(late.waits, ["waits"]);
  assert.deepEqual(await asking("waits").said, { code: "ask_busy" });
  mock.restoreAll();
});
