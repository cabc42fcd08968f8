import assert from "node:assert/strict";
import test from "node:test";
import { readFileSync } from "node:fs";
import { loadWords, rich, text, useSeats, useWords } from "../../../web/core/i18n.js";
import { renderToString } from "../../../web/core/dom.js";

const catalogue = (language) =>
  JSON.parse(readFileSync(new URL(`../../../web/i18n/${language}.json`, import.meta.url)));

test.beforeEach(() => {
  useWords("en", catalogue("en"));
  useSeats([
    { seat: "H1", name: "Ana" },
    { seat: "H2", name: null },
    { seat: "V", name: "V" },
  ]);
});

test("one and many are told apart in each language", () => {
  assert.deepEqual(
    ["1 action left", "2 actions left"],
    [1, 2].map((n) => text("turn.actions", { n })),
  );
  useWords("ja", catalogue("ja"));
  assert.equal(text("turn.actions", { n: 1 }), "残り1アクション");
});

test("a pawn is read as its owner and letter, and drawn as shape and letter with the owner hidden from sight", () => {
  assert.equal(text("check", { pawn: "H1a", cell: "C3" }), "Put Ana a back on C3");
  const drawn = rich("check", { pawn: "H1a", cell: "C3" }).map(renderToString).join("");
  assert.match(drawn, /class="vh">Ana /);
  assert.match(drawn, /class="icon H1"/);
});

test("a seat without a typed name is called by its number, the vampire's by its part", () => {
  assert.equal(text("turn.theirs", { seat: "H2" }), "Player 2 is playing");
  assert.equal(text("seat_freed", { seat: "V" }), "Vampire: the seat is free.");
});

test("several pawns come as one string of codes", () => {
  assert.equal(
    text("said.pawns_killed", { pawns: "H1a H2b", cell: "B6" }),
    "Ana a, Player 2 b on B6: gone.",
  );
});

test("words among the parameters are words of the language", () => {
  assert.equal(text("act.aim", { direction: "N" }), "Aim north");
  assert.equal(
    text("said.game_over.humans", { reason: "vampire_dead" }),
    "Humans win. The vampire has no heart left.",
  );
});

test("a code without a sentence is shown as it is", () => {
  assert.equal(text("no.such.code"), "no.such.code");
});

test("the words that every page loads say a side's duty and what is set by hand, for phones say them too", () => {
  const codes = [
    "duty.jump",
    "duty.go_on",
    "duty.enter",
    "duty.move",
    "duty.pass",
    "byhand.pawn",
    "byhand.laid",
    "byhand.removed",
  ];
  for (const language of ["en", "ja", "nl"]) {
    assert.deepEqual(
      [],
      codes.filter((code) => !(code in catalogue(language))),
    );
  }
});

test("a catalogue is fetched once, and again where that failed", async (context) => {
  const asked = [];
  let isDown = false;
  Object.assign(globalThis, {
    localStorage: { getItem: () => "nl" },
    document: { documentElement: {} },
  });
  Object.defineProperty(globalThis, "navigator", { value: { languages: [] }, configurable: true });
  context.after(() =>
    ["localStorage", "document", "navigator", "fetch"].forEach((name) => delete globalThis[name]),
  );
  globalThis.fetch = async (path) => {
    asked.push(path);
    if (isDown) throw new TypeError("Failed to fetch");
    return { json: async () => ({ [path]: "x" }) };
  };
  await loadWords(null, "host");
  isDown = true;
  await assert.rejects(loadWords(null, "paper"));
  isDown = false;
  await loadWords();

  assert.deepEqual(asked, [
    "/i18n/nl.json",
    "/i18n/host/nl.json",
    "/i18n/paper/nl.json",
    "/i18n/paper/nl.json",
  ]);
});
