import assert from "node:assert/strict";
import test from "node:test";
import { gameWords, sharedWords } from "../catalogues.mjs";
import {
  loadGameWords,
  loadWords,
  rich,
  text,
  useSeats,
  useWords,
  useWordsOf,
} from "../../../web/core/i18n.js";
import { renderToString } from "../markup.mjs";

const catalogue = (language) => ({
  ...sharedWords(language),
  ...gameWords(language, "vampireradar"),
});

test.beforeEach(() => {
  useWords("en", catalogue("en"));
  useSeats([
    { seat: "H1", name: "Ana" },
    { seat: "H2", name: null },
    { seat: "V", name: "V" },
  ]);
});

test("one and many have different forms in each language", () => {
  assert.deepEqual(
    ["1 action left", "2 actions left"],
    [1, 2].map((n) => text("turn.actions", { n })),
  );
  useWords("ja", catalogue("ja"));
  assert.equal(text("turn.actions", { n: 1 }), "残り1アクション");
});

test("a pawn is read as its owner and letter, and drawn as shape and letter with the owner hidden from sight", () => {
  assert.equal(text("check", { pawn: "H1a", cell: "C3" }), "Put Ana a back on C3");
  const markup = rich("check", { pawn: "H1a", cell: "C3" }).map(renderToString).join("");
  assert.match(markup, /class="vh">Ana /);
  assert.match(markup, /class="icon H1"/);
});

test("a seat without a typed name is called by its number, the vampire's by its part", () => {
  assert.equal(text("turn.theirs", { seat: "H2" }), "Player 2 is playing");
  assert.equal(text("seat_freed", { seat: "V" }), "Vampire: the seat is free.");
});

test("several pawns come as one string of codes", () => {
  assert.equal(
    text("event.pawns_killed", { pawns: "H1a H2b", cell: "B6" }),
    "Ana a, Player 2 b on B6: gone.",
  );
});

test("words among the parameters are words of the language", () => {
  assert.equal(text("act.aim", { direction: "N" }), "Aim north");
  assert.equal(
    text("event.game_over.humans", { reason: "vampire_dead" }),
    "Humans win. The vampire has no heart left.",
  );
});

test("a code without a sentence is shown as it is", () => {
  assert.equal(text("no.such.code"), "no.such.code");
});

test("the sentences of a position by hand stand in the words that every page loads", () => {
  const codes = ["byhand.pawn", "byhand.laid", "byhand.removed"];
  for (const language of ["en", "ja", "nl"]) {
    assert.deepEqual(
      [],
      codes.filter((code) => !(code in sharedWords(language))),
    );
  }
});

test("the words of the game on the page count, those of no other", () => {
  useWords("en", { draw: "A draw" }, { one: { over: "One is over" }, other: { draw: "Even" } });
  useWordsOf("one");
  assert.deepEqual(["One is over", "A draw"], [text("over"), text("draw")]);
  useWordsOf("other");
  assert.deepEqual(["over", "Even"], [text("over"), text("draw")]);
  useWordsOf(null);
});

test("a catalogue is fetched once, and again where that failed", async (context) => {
  const paths = [];
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
    paths.push(path);
    if (isDown) throw new TypeError("Failed to fetch");
    return { json: async () => ({ [path]: "x" }) };
  };
  await loadWords(null, "host");
  isDown = true;
  await assert.rejects(loadGameWords("vwars", "map"));
  isDown = false;
  await loadGameWords("vwars", "map");
  await loadGameWords("vwars");
  await loadWords();

  assert.deepEqual(paths, [
    "/static/i18n/nl.json",
    "/static/i18n/host/nl.json",
    "/static/games/vwars/i18n/nl.json",
    "/static/games/vwars/i18n/map/nl.json",
    "/static/games/vwars/i18n/nl.json",
    "/static/games/vwars/i18n/map/nl.json",
  ]);
  assert.equal(text("/static/games/vwars/i18n/nl.json"), "/static/games/vwars/i18n/nl.json");
  useWordsOf("vwars");
  assert.equal(text("/static/games/vwars/i18n/nl.json"), "x");
  useWordsOf(null);
});
