// The page of joining: which letters it sends when, what it says to a refusal, and what it claims.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { openPage, until } from "../page.mjs";

const fixture = (name) =>
  JSON.parse(readFileSync(new URL(`../../browser/fixtures/${name}.json`, import.meta.url)));
const lobby = fixture("lobby");
lobby.seats = lobby.seats.map(({ seat }) => ({ seat, taken: false }));
const refused = (code, params = {}) => ({ ok: false, code, message: { code, params } });

// A phone on which the address was typed: it has neither a key of the table nor letters.
const page = await openPage("join", {
  hello: { role: null, admitted: true },
  hasKey: false,
  kept: { "seat-plan": '["a night",[]]' },
});
const { table } = page;
table.files["/join.json"] = { admission: "00" };
globalThis.location.replace = (path) => {
  table.opened = path;
};

function write(selector, words) {
  const field = page.at(selector);
  field.value = words;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
const type = (letters) => write("#code", letters);

test("a phone without a seat has no plan of the seat that it had", () => {
  assert.equal(sessionStorage.getItem("seat-plan"), null);
});

test("while a game is on, a phone without a key reads how a seat comes to it", async () => {
  page.show(fixture("turn"));

  await until(() => page.at("#closed"), "a sentence");
  assert.match(page.text("main"), /press “New phone” on the table/);
  assert.ok(!page.at("#code"));
});

test("Sit down asks for a seat, then for the letters; a press on a seat sends nothing", async () => {
  page.show(lobby);
  await page.press("sit");
  await until(() => page.at("#notice"), "a sentence");
  assert.match(page.text("#notice"), /Choose a seat first/);
  await page.press("seat", "H1");
  assert.equal(page.at('[data-seat="H1"]').getAttribute("aria-pressed"), "true");
  assert.ok(!page.at("#notice"));
  await page.press("sit");

  await until(() => page.at("#notice"), "a sentence");
  assert.match(page.text("#notice"), /type its four letters/);
  assert.equal(page.at("#code").getAttribute("aria-invalid"), "true");
  assert.deepEqual([], table.sent);
});

test("letters are sent when all four are there; a refusal goes when they are removed", async () => {
  table.answer = () => refused("wrong_code");
  type("bcd");
  type("bcdf");
  await until(() => /not the code on the table/.test(page.text("#notice")), "a refusal");
  assert.deepEqual([["admit", { code: "BCDF" }]], table.sent);

  type("");
  await until(() => !page.at("#notice"), "no refusal");
});

test("after too many wrong codes the page says how long to wait", async () => {
  table.answer = () => refused("too_many_codes", { n: 30 });
  type("bcdg");

  await until(() => /Too many wrong codes. Try again in 30 s/.test(page.text("#notice")), "a wait");
});

test("letters typed before the answer to others are sent after it", async () => {
  const answers = [];
  table.answer = () => new Promise((done) => answers.push(done));
  table.sent.length = 0;
  type("bcdf");
  await until(() => answers.length === 1, "a request");
  type("bcdg");
  assert.equal(answers.length, 1);

  answers[0](refused("wrong_code"));
  await until(() => answers.length === 2, "a second request");
  answers[1]({ ok: true, key: "00" });

  await until(() => !page.at("#code"), "no field of letters");
  assert.ok(!page.at("#notice"));
  assert.deepEqual(
    ["BCDF", "BCDG"],
    table.sent.map(([, { code }]) => code),
  );
});

test("a seat that is taken is asked back by its four digits; a free one after it is claimed", async () => {
  page.show({ ...lobby, seats: lobby.seats.map((place) => ({ ...place, taken: true })) });
  table.answer = () => refused("wrong_pin", { n: 1 });
  table.sent.length = 0;
  await until(() => page.at(".taken"), "seats that are taken");
  await page.press("seat", "H1");
  await page.press("sit");
  assert.match(page.text("#notice"), /four digits/);
  assert.deepEqual([], table.sent);
  write("#pin", "4071");
  await page.press("sit");

  assert.deepEqual([["recover", { seat: "H1", pin: "4071" }]], table.sent);
  await until(() => page.at("#notice"), "a refusal");

  page.show(lobby);
  await until(() => page.at('[data-seat="H1"]:not(.taken)'), "free seats");
  table.answer = () => refused("seats_closed");
  table.sent.length = 0;
  await page.press("seat", "H1");
  await page.press("sit");
  assert.deepEqual(
    ["claim"],
    table.sent.map(([what]) => what),
  );
});

test("a bot leaves its seat to a person before a game, and a chosen seat that is lost is named", async () => {
  table.answer = () => refused("seats_closed");
  table.sent.length = 0;
  page.show({ ...lobby, seats: [{ seat: "H1", taken: true, bot: "greedy" }] });
  await until(() => /Bot, for a first evening/.test(page.text('[data-seat="H1"]')), "a bot");
  await page.press("seat", "H1");
  await page.press("sit");
  assert.deepEqual(
    ["claim"],
    table.sent.map(([what]) => what),
  );
  page.show({ ...lobby, seats: [{ seat: "H1", taken: true, name: "Ben" }] });
  await until(() => /Seat Ben is taken/.test(page.text("#notice")), "a sentence");
  assert.equal(page.at('[data-seat="H1"]').getAttribute("aria-pressed"), "false");
  page.show(lobby);
  await until(() => page.at('[data-seat="V"]'), "free seats");
});

test("who sits down at the same moment as another reads that the seat is taken, and chooses again", async () => {
  let answer;
  table.answer = () => new Promise((done) => (answer = done));
  await page.press("seat", "H1");
  await page.press("sit");
  await until(() => answer, "a claim");
  page.show({ ...lobby, seats: [{ seat: "H1", taken: true, name: "Ben" }, { seat: "V" }] });
  answer(refused("seat_taken", { seat: "H1" }));
  await until(() => /Seat Ben is taken/.test(page.text("#notice")), "a sentence");
  assert.equal(page.at('[data-seat="H1"]').getAttribute("aria-pressed"), "false");
  table.sent.length = 0;
  await page.press("sit");
  assert.match(page.text("#notice"), /Choose a seat first/);
  assert.deepEqual([], table.sent);
  page.show(lobby);
  await until(() => page.at('[data-seat="H1"]:not(.taken)'), "free seats");
});

test("a double tap on Sit down claims the seat once, by the typed name; the code that the phone keeps is the claimed one", async () => {
  const answers = [];
  table.answer = () => new Promise((done) => answers.push(done));
  table.sent.length = 0;
  write("#name", " Ana ");
  await page.press("seat", "H1");
  const sit = page.at('[data-action="sit"]');
  sit.click();
  sit.click();

  await until(() => answers.length, "a claim");
  answers[0]({ ok: true });
  await until(() => table.opened, "the page of the seat");
  assert.equal(table.opened, "/seat");
  const [[what, { seat, name, pin }], ...more] = table.sent;
  assert.deepEqual(["claim", "H1", "Ana", []], [what, seat, name, more]);
  assert.match(pin, /^\d{4}$/);
  assert.equal(localStorage.getItem("seat-pin"), pin);
});
