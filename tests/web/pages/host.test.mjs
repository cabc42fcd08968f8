// The page of settings: what it offers to whom, and what it requests.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { openPage, until } from "../page.mjs";

const lobby = JSON.parse(
  readFileSync(new URL("../../browser/fixtures/lobby.json", import.meta.url)),
);
const SEATS = ["V", "H1", "H2", "H3"];
lobby.lobby.games = { vampireradar: [2, 3, 4], nosferatu: [2] };
const play = { ...lobby, phase: "play", seats: SEATS.map((seat) => ({ seat, taken: true })) };
const has = (page, selector) => Boolean(page.at(selector));

// The table does not answer yet: the page has no role. An address with any fragment opens it.
const page = await openPage("host", { hello: null, path: "host#1x" });
const { table } = page;

test("a role that could not be asked for is asked for again", async () => {
  page.show(lobby);
  await until(() => page.at('[data-action="setting"]'), "settings");
  assert.ok(has(page, "[data-arg='{\"volume\":50}'][aria-disabled]"));

  table.hello = { role: "H1" };
  table.link("lost");
  table.link("up");

  await until(() => !has(page, "[data-arg='{\"volume\":50}'][aria-disabled]"), "a role");
  assert.ok(!has(page, "#notice"));
});

test("the settings are those of the game", async () => {
  assert.ok(has(page, "[data-arg='{\"night_floor\":12}']"));
  assert.ok(has(page, '[data-action="help"][data-arg="clues"]'));

  page.show({ ...lobby, game: "nosferatu" });

  await until(() => !has(page, "[data-arg='{\"night_floor\":12}']"), "no night's length");
  assert.ok(!has(page, '[data-action="help"][data-arg="clues"]'));
  assert.ok(has(page, "[data-arg='{\"sound\":true}']"));
  page.show(lobby);
  await until(() => has(page, "[data-arg='{\"night_floor\":12}']"), "a night's length");
});

test("a press requests what its control says", async () => {
  table.sent.length = 0;
  await page.press("setting", '{"sound":false}');
  await page.press("game", "nosferatu");
  await page.press("players", "3");

  assert.deepEqual(
    [
      ["settings", { change: { sound: false } }],
      ["propose", { change: { game: "nosferatu" } }],
      ["propose", { change: { players: 3 } }],
    ],
    table.sent,
  );
});

test("only who hides may give up, by two presses; a refusal is read on the page", async () => {
  page.show(play);
  await until(() => has(page, '[data-action="pause"]'), "a pause");
  assert.ok(!has(page, '[data-action="surrender"]'));

  table.hello = { role: "V" };
  table.link("lost");
  table.link("up");
  await until(() => has(page, '[data-action="surrender"]'), "giving up");

  table.sent.length = 0;
  await page.press("surrender");
  assert.deepEqual([], table.sent);
  table.answer = () => ({ ok: false, message: { code: "no_turn", params: {} } });
  await page.press("pause");
  await until(() => has(page, "#notice"), "a refusal");
  assert.ok(page.text("#notice").length > 5, page.text("#notice"));
  assert.deepEqual([["pause", { on: true }]], table.sent);
});
