// The field of commands beside people who call themselves like its lines.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { openPage, until } from "../page.mjs";

const turn = JSON.parse(readFileSync(new URL("../../browser/fixtures/turn.json", import.meta.url)));

test("a person's name takes no line away from others", async () => {
  const page = await openPage("phone", {
    hello: { role: "H1", snapshot: turn, private: null },
    path: "seat",
  });
  const names = { V: "Walk", H2: "Press end turn" };
  const seats = turn.seats.map((each) => ({ ...each, name: names[each.seat] ?? each.name }));
  page.show({ ...turn, seats, to_move: "H1" });
  await until(() => page.at("#open-commands"), "the field");
  page.at("#open-commands").click();
  page.at("#command").value = "press end turn";
  page.at("#commands form").dispatchEvent(new Event("submit", { cancelable: true, bubbles: true }));
  await until(() => page.text("#command-answer"), "an answer");
  assert.match(page.text("#command-answer"), /^End turn\./);
  assert.deepEqual(
    ["submit"],
    page.table.sent.map(([what]) => what).filter((each) => each === "submit"),
  );
});
