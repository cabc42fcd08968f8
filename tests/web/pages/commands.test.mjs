// The field of commands on a human's phone: what it offers presses exactly what it names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { openPage, until } from "../page.mjs";

const fixture = (name) =>
  JSON.parse(readFileSync(new URL(`../../browser/fixtures/${name}.json`, import.meta.url)));
const STATES = ["turn", "offer", "vote", "over"];

const page = await openPage("phone", {
  hello: { role: "H1", snapshot: fixture("turn"), private: null },
  path: "seat",
});
const { document } = globalThis;
page.show(fixture("turn"));
await until(() => page.at("#open-commands"), "the field");
page.at("#open-commands").click();

const options = () =>
  [...page.at("#command-list").children].map((each) => each.getAttribute("value"));
const answer = () => page.text("#command-answer");

/** Type a line; return what was clicked, which the page does not get. */
async function typed(line) {
  const clicked = [];
  const stop = (event) => {
    clicked.push(event.target);
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  document.addEventListener("click", stop, true);
  page.at("#command").value = line;
  page.at("#commands form").dispatchEvent(new Event("submit", { cancelable: true, bubbles: true }));
  await until(answer, `an answer to ${line}`);
  document.removeEventListener("click", stop, true);
  return clicked;
}

for (const state of STATES)
  test(`each control of "${state}" is pressed by what the field offers for it`, async () => {
    page.show({ ...fixture(state), to_move: "H1" });
    page.at("#command").dispatchEvent(new Event("focusin", { bubbles: true }));
    const asked = await typed("help").then(options);
    const acts = asked.slice(0, asked.indexOf("now"));
    assert.ok(acts.length, "controls");
    const pressed = new Set();
    for (const act of acts) {
      const clicked = await typed(act);
      assert.equal(1, clicked.length, `${act}: ${answer()}`);
      assert.notEqual("true", clicked[0].getAttribute("aria-disabled"), act);
      pressed.add(clicked[0]);
    }
    assert.equal(acts.length, pressed.size);
  });

test("a refused press is refused by its own sentence, and presses nothing", async () => {
  page.show(fixture("turn"));
  for (const each of document.querySelectorAll("#screen [data-cell][data-why-not]")) {
    const clicked = await typed(`walk ${each.dataset.cell}`);
    assert.deepEqual([[], each.dataset.whyNot], [clicked, answer()]);
  }
});

test("a word that means nothing is answered by one sentence", async () => {
  assert.deepEqual([], await typed("xyzzy"));
  assert.equal("“xyzzy” means nothing here now. Type “help”.", answer());
});

test("the field gives its words to no spelling service, translator or list of old words", () => {
  const field = page.at("#command");
  for (const [name, value] of Object.entries({
    autocomplete: "off",
    autocorrect: "off",
    spellcheck: "false",
    translate: "no",
  }))
    assert.equal(value, field.getAttribute(name), name);
});
