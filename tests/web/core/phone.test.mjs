// What every phone does with the table's replies.
import assert from "node:assert/strict";
import test from "node:test";

import { seatPhone } from "../../../web/core/phone.js";

/** A phone whose replies come when the test lets them. */
function open() {
  const replies = [];
  const base = seatPhone({
    seat: "H1",
    ask: () => new Promise((done) => replies.push(done)),
    show: () => {},
    fresh: () => ({}),
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
