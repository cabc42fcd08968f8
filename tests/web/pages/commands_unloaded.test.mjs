// The field of commands on a page whose game's own words could not be loaded.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { register } from "node:module";
import test from "node:test";

import { openPage, until } from "../page.mjs";

const HOOK = `export async function resolve(specifier, context, next) {
  const module = await next(specifier, context);
  if (module.url.endsWith("/web/games/vampireradar/commands.js")) throw new Error("a lost link");
  return module;
}`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
const turn = JSON.parse(readFileSync(new URL("../../browser/fixtures/turn.json", import.meta.url)));

test("without the game's own words the field is there, says so, and presses buttons", async () => {
  const page = await openPage("phone", {
    hello: { role: "H1", snapshot: turn, private: null },
    path: "seat",
  });
  page.show({ ...turn, to_move: "H1" });
  await until(() => page.at("#open-commands"), "the field");
  page.at("#open-commands").click();
  page.at("#command").value = "end turn";
  page.at("#commands form").dispatchEvent(new Event("submit", { cancelable: true, bubbles: true }));
  await until(() => page.text("#command-answer"), "an answer");
  assert.match(page.text("#command-answer"), /^End turn\..*own words are not loaded/);
  assert.deepEqual(
    ["submit"],
    page.table.sent.map(([what]) => what).filter((each) => each === "submit"),
  );
});
