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
    // A phone shows the end some time after the display.
    if (state === "over") await until(() => page.at("[data-action=replay]"), "the end");
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

test("the field completes the words that a button has now", async () => {
  page.show(fixture("turn"));
  const words = page.at("#screen [data-action=end]").firstChild;
  assert.ok(options().includes(words.data), words.data);
  words.data = "Quince";
  await until(() => options().includes("Quince"), "the button's new words in the list");
});

test("a completed line has the whole name of what it presses", () => {
  const lines = [...page.at("#command-list").children].map((each) =>
    ["value", "label"].map((name) => each.getAttribute(name)),
  );
  const [line, name] = lines.find(([each]) => each.startsWith("walk "));
  const place = page.at(`#screen [data-cell=${line.slice("walk ".length)}]`);
  assert.equal(place.getAttribute("aria-label"), name);
});

test("of two people with one name both are answered, and told apart", async () => {
  const turn = fixture("turn");
  const seats = turn.seats.map((each) =>
    ["H1", "H2"].includes(each.seat) ? { ...each, name: "Ana", taken: true } : each,
  );
  page.show({ ...turn, seats });
  await typed("ana");
  const people = answer();
  await typed("ana a");
  const pawns = answer();
  page.show(turn);
  for (const player of ["Player 1", "Player 2"])
    assert.deepEqual(
      [true, true],
      [people, pawns].map((words) => words.includes(player)),
      pawns,
    );
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
