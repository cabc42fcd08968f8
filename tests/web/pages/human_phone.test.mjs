// A human's phone: the vote that is open, and the list of clues.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { openPage, until } from "../page.mjs";

const fixture = (name) =>
  JSON.parse(readFileSync(new URL(`../../browser/fixtures/${name}.json`, import.meta.url)));
const turn = fixture("turn");
const vote = fixture("vote");
const opened = (change, more = {}) => ({ ...vote, ...more, vote: { ...vote.vote, ...change } });

// Ben's phone.
const page = await openPage("phone", {
  hello: { role: "H2", snapshot: turn, private: null },
  path: "seat",
});
const { table } = page;

test("a vote names who has not answered, and can be answered", async () => {
  page.show(vote);
  await until(() => page.at("#vote"), "a vote");
  assert.match(page.text("#vote"), /Still to answer: Vampire, Ben, Chie\./);

  await page.press("agree");
  await page.press("refuse");
  assert.deepEqual(
    [
      ["vote", { agree: true }],
      ["vote", { agree: false }],
    ],
    table.sent,
  );

  page.show(opened({ agreed: ["V", "H1", "H3"] }));
  await until(() => /Still to answer: Ben\./.test(page.text("#vote")), "one answer");
});

test("who began a vote may withdraw it, and does not agree", async () => {
  page.show(opened({ by: "H2", agreed: ["H2"] }, { undo: { kind: "vote", seat: "H2" } }));
  await until(() => /Withdraw/.test(page.text("#vote")), "a way to withdraw");
  assert.equal(page.at('[data-action="agree"]'), null);

  page.show(turn);
  await until(() => !page.at("#vote"), "the end of the vote");
});

test("the list of clues is there if the table says so, night by night, the newest first", async () => {
  assert.equal(page.at('[data-action="clues"]'), null);
  const told = (event, code, params = {}) => ({
    position: turn.position,
    event: { event },
    message: { code, params },
  });
  const radar = (distance) =>
    told("radar_called", "event.radar_called", { pawn: "H1a", cell: "A3", distance });
  table.files["/answers"] = [
    told("night_fell", "night_fell"),
    radar(5),
    told("night_fell", "night_fell"),
    radar(2),
    { ...radar(1), position: turn.position + 1 },
  ];
  page.show({ ...turn, settings: { ...turn.settings, clues: true } });

  await page.press("clues");
  await until(() => page.at("#clues"), "the list");

  const lines = [...page.at("#clues").children].map((line) => line.textContent);
  assert.equal(lines.length, 3, lines.join("; "));
  assert.match(lines[0], /^Night 1$/);
  assert.match(lines[1], /2/);
  assert.match(lines[2], /5/);
});

test("who has won is on the display first, then on the phone", async () => {
  page.show(turn);
  page.show(fixture("over"));
  assert.equal(page.at(".finale"), null);
  assert.equal(page.at("html").dataset.hour, "day");

  await until(() => page.at(".finale"), "the end");
  assert.match(page.text(".finale"), /The village lives/);
  assert.equal(page.at("html").dataset.hour, "dawn");
});
