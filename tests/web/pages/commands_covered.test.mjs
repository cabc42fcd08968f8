// The field of commands keeps nothing of a secret after covering, and reaches the page's own fields.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { openPage, until } from "../page.mjs";

const fixture = (name) =>
  JSON.parse(readFileSync(new URL(`../../browser/fixtures/${name}.json`, import.meta.url)));
const game = fixture("turn");

const page = await openPage("phone", {
  hello: { role: "H1", snapshot: game, private: null },
  path: "seat",
});
const { document } = globalThis;
page.show(game);
await until(() => page.at("#open-commands"), "the field");
page.at("#open-commands").click();

/** Fulfilled after the page's work. */
function settled() {
  let looks = 5;
  return until(() => !looks--, "the page's work");
}

/** Show, or remove, what stands for a secret in the page. */
async function secret(isOpen) {
  if (isOpen) {
    const node = Object.assign(document.createElement("section"), { className: "secret" });
    page.at("#screen").append(node);
  } else page.at(".secret").remove();
  await settled();
}

const submit = () =>
  page.at("#commands form").dispatchEvent(new Event("submit", { cancelable: true, bubbles: true }));

test("a line has a limit: comparing the words of a book would stop the page", () => {
  assert.equal("200", page.at("#command").getAttribute("maxlength"));
});

test("covering gives another field: redo brings nothing back in it", async () => {
  await secret(true);
  const field = page.at("#command");
  field.focus();
  field.value = "walk c4";
  await secret(false);
  assert.notEqual(field, page.at("#command"));
  assert.equal("", page.at("#command").value);
  assert.equal(page.at("#command"), document.activeElement);
});

test("an answer that comes after covering is not shown and not read", async () => {
  let reply = () => {};
  page.table.answer = () => new Promise((done) => (reply = done));
  await secret(true);
  page.at("#command").value = "aloud c9";
  submit();
  await until(() => page.table.sent.some(([what]) => what === "ask_aloud"), "the question");
  await secret(false);
  const said = page.text("#say");
  reply({ ok: false, message: { code: "ask_unknown", params: {} } });
  await settled();
  assert.deepEqual(["", said], [page.text("#command-answer"), page.text("#say")]);
  page.table.answer = () => ({ ok: true });
});

test("headphones end with the game: the phone may be handed on before the next one", async () => {
  const pressed = async () => {
    page.at("#screen").append(Object.assign(document.createElement("button"), { id: "hold" }));
    page.at("#command").value = "who";
    submit();
    await until(() => page.at("#headphones"), "the choice of headphones");
    return page.at("#headphones").getAttribute("aria-pressed");
  };
  assert.equal("false", await pressed());
  page.at("#headphones").click();
  assert.equal("true", await pressed());
  page.show(fixture("over"));
  await until(() => page.at("[data-action=replay]"), "the end");
  page.show(game);
  page.at("#hold")?.remove();
  assert.equal("false", await pressed());
});

test("a field of the page that is pressed has the focus, to type there", async () => {
  const name = Object.assign(document.createElement("input"), { id: "other" });
  name.setAttribute("aria-label", "Quince");
  page.at("#screen").append(name);
  page.at("#command").focus();
  page.at("#command").value = "quince";
  submit();
  await until(() => page.text("#command-answer"), "an answer");
  assert.equal("other", document.activeElement.id);
  name.remove();
});

test("a letter alone asks about the seat's own pawn, for others about each human's", async () => {
  const { commands } = await import("../../../web/games/vampireradar/commands.js");
  const view = { ...game.view, pawns: { H1a: "B1", H2a: "E5" } };
  const answer = (seat) =>
    commands
      .subjects({ ...game, view }, seat)
      .find(({ names }) => names.some((words) => words.join() === "a"))
      .words()
      .map((sentence) => sentence.match(/[A-F][1-6]/)[0]);
  assert.deepEqual([["B1"], ["E5"], ["B1", "E5"]], ["H1", "H2", null].map(answer));
});

test("headphones end for a phone that sees no end, and wakes in the next lobby", async () => {
  const hold = Object.assign(document.createElement("button"), { id: "hold" });
  document.body.append(hold);
  page.at("#command").value = "help";
  submit();
  await until(() => page.at("#headphones"), "the choice");
  const isPressed = () => page.at("#headphones").getAttribute("aria-pressed");
  page.show({ ...game, to_move: "H1" });
  await settled();
  page.at("#headphones").click();
  assert.equal("true", isPressed());
  page.show({ ...game, position: game.position + 1, to_move: "H2" });
  await settled();
  assert.equal("true", isPressed());
  page.show({ ...fixture("lobby"), position: game.position + 2 });
  await settled();
  page.show({ ...game, position: game.position + 3 });
  await settled();
  page.at("#command").value = "help";
  submit();
  await settled();
  assert.equal("false", isPressed());
  hold.remove();
});
