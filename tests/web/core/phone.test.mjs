// What every phone does with the table's replies.
import assert from "node:assert/strict";
import test from "node:test";

import { seatPhone } from "../../../web/core/phone.js";

/** A phone whose replies come when the test lets them. */
function open() {
  const replies = [];
  const base = seatPhone({
    seat: "H1",
    request: () => new Promise((done) => replies.push(done)),
    show: () => {},
    initialState: () => ({}),
    page: () => null,
  });
  base.update({ position: 1, phase: "play" }, { own: "first" });
  return { ...base, replies };
}

test("a reply brings the seat's private part, also after a heartbeat", async () => {
  const { phone, send, update, replies } = open();
  const sent = send("mark");
  update({ position: 1, phase: "play" }, { own: "first" });
  replies[0]({ ok: true, private: { own: "replied" } });
  await sent;

  assert.deepEqual(phone.secret, { own: "replied" });
});

test("a late reply does not replace what the stream has brought since", async () => {
  const { phone, send, update, replies } = open();
  const sent = send("mark");
  update({ position: 2, phase: "play" }, { own: "newer" });
  replies[0]({ ok: false, message: { code: "stale" }, private: { own: "older" } });
  await sent;

  assert.deepEqual([phone.secret, phone.notice], [{ own: "newer" }, { code: "stale" }]);
});

test("a refusal stands where the press was: under the hold, or on the open page", async () => {
  const { phone, send, replies } = open();
  const pressed = (look) => {
    Object.assign(phone, { look });
    return send("submit");
  };
  const secret = pressed("hold");
  Object.assign(phone, { look: null });
  replies[0]({ ok: false, message: { code: "secret" } });
  await secret;
  const inTheOpen = pressed(null);
  replies[1]({ ok: false, message: { code: "public" } });
  await inTheOpen;

  assert.deepEqual([phone.refusal, phone.notice], [{ code: "secret" }, { code: "public" }]);
});
