import assert from "node:assert/strict";
import test from "node:test";
import { gameWords, sharedWords } from "../catalogues.mjs";
import {
  loadGameWords,
  loadWords,
  nightText,
  rich,
  text,
  useSeats,
  useWords,
  useWordsOf,
} from "../../../web/core/i18n.js";
import { renderToString } from "../markup.mjs";
import { Drawer } from "../browser.mjs";

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

test("two people with one name are told apart by their seats, on every screen", () => {
  const seats = [
    { seat: "H1", name: "Ana" },
    { seat: "H2", name: "ana" },
    { seat: "H3", name: "Ben" },
  ];
  useSeats(seats);
  const names = seats.map(({ seat }) => text("turn.theirs", { seat }));
  assert.match(names[0], /Ana \(Player 1\)/);
  assert.match(names[1], /ana \(Player 2\)/);
  assert.doesNotMatch(names[2], /Player/);
});

test("who is called like somebody but for what has no ink, like another seat, or by signs alone is told apart too", () => {
  const names = ["Ana", "A\u200bna", "Ａna\u00ad", "player 1", "Player 6", null, "Vampire", "🦇"];
  const seats = names.map((name, index) => ({ seat: `H${index + 1}`, name }));
  useSeats([...seats, { seat: "V", name: null }]);
  const shown = seats.map(({ seat }) => text("turn.theirs", { seat }));
  for (const [index, name] of shown.entries())
    if (index !== 5) assert.match(name, new RegExp(`\\(Player ${index + 1}\\)`));
  assert.doesNotMatch(shown[5], /\(/);
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

test("a catalogue is fetched once, and again and again until it comes", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const paths = [];
  let isDown = false;
  Object.assign(globalThis, {
    localStorage: { getItem: () => "nl" },
    document: { getElementById: () => null, documentElement: { dataset: {} } },
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
  const loaded = loadGameWords("vwars", "map");
  await new Promise(setImmediate);
  context.mock.timers.tick(2000);
  await new Promise(setImmediate);
  isDown = false;
  context.mock.timers.tick(2000);
  await loaded;
  await loadGameWords("vwars");
  await loadWords();

  assert.deepEqual(paths, [
    "/static/i18n/nl.json",
    "/static/i18n/host/nl.json",
    ...[1, 2, 3].flatMap(() => [
      "/static/games/vwars/i18n/nl.json",
      "/static/games/vwars/i18n/map/nl.json",
    ]),
  ]);
  assert.equal(text("/static/games/vwars/i18n/nl.json"), "/static/games/vwars/i18n/nl.json");
  useWordsOf("vwars");
  assert.equal(text("/static/games/vwars/i18n/nl.json"), "x");
  useWordsOf(null);
});

/** A page whose catalogues arrive when the test lets them: {path: arrive}. */
function slowPage(context, storage) {
  const arriving = {};
  Object.defineProperty(globalThis, "localStorage", { ...storage, configurable: true });
  Object.defineProperty(globalThis, "navigator", { value: { languages: [] }, configurable: true });
  globalThis.document = { getElementById: () => null, documentElement: { dataset: {} } };
  context.after(() =>
    ["localStorage", "document", "navigator", "fetch"].forEach((name) => delete globalThis[name]),
  );
  globalThis.fetch = (path) =>
    new Promise((done) => {
      arriving[path] = () => done({ json: async () => ({ [path]: "x" }) });
    });
  return arriving;
}
/** An entry of its own for each test: the module keeps what it has fetched. */
const freshPage = (name) => import(`../../../web/core/i18n.js?${name}`);

test("the language chosen last is shown, whichever arrives last", async (context) => {
  const kept = new Drawer();
  const arriving = slowPage(context, { value: kept });
  const page = await freshPage("order");
  const [slow, quick] = [page.chooseLanguage("ja"), page.chooseLanguage("nl")];
  arriving["/static/i18n/nl.json"]();
  await quick;
  arriving["/static/i18n/ja.json"]();
  await slow;

  assert.deepEqual(
    [
      kept.getItem("lang"),
      globalThis.document.documentElement.lang,
      page.text("/static/i18n/nl.json"),
    ],
    ["nl", "nl", "x"],
  );
});

test("words that a game asks for while others load are loaded too", async (context) => {
  const arriving = slowPage(context, { value: new Drawer() });
  const page = await freshPage("taken");
  const first = page.loadWords();
  const game = page.loadGameWords("vwars");
  arriving["/static/i18n/en.json"]();
  await first;
  let isLoaded = false;
  const again = page.loadGameWords("vwars").then(() => {
    isLoaded = true;
  });
  await new Promise(setImmediate);
  assert.ok(!isLoaded);
  arriving["/static/games/vwars/i18n/en.json"]();
  await Promise.all([game, again]);
  page.useWordsOf("vwars");

  assert.equal(page.text("/static/games/vwars/i18n/en.json"), "x");
});

test("a language can be chosen where the browser refuses storage", async (context) => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const arriving = slowPage(context, { get: refuse });
  const page = await freshPage("denied");
  const chosen = page.chooseLanguage("nl");
  arriving["/static/i18n/nl.json"]();
  await chosen;

  assert.equal(globalThis.document.documentElement.lang, "nl");
});

test("nights are counted from the one after the hiding", () => {
  assert.deepEqual(
    [1, 2, 3].map((number) => nightText(number, "C4")),
    [
      text("notes.path", { night: text("notes.start"), path: "C4" }),
      text("notes.path", { night: text("night.name", { n: 1 }), path: "C4" }),
      text("notes.path", { night: text("night.name", { n: 2 }), path: "C4" }),
    ],
  );
});

test("any number chooses the form of its sentence; {n} comes before the others", () => {
  useWords("en", {
    "gone.one": "{count} entry",
    "gone.other": "{count} entries",
    "mixed.one": "{of} cards: {n} ace",
    "mixed.other": "{of} cards: {n} aces",
  });

  assert.deepEqual(
    [
      text("gone", { count: 1 }),
      text("gone", { count: 2 }),
      text("mixed", { of: 5, n: 1 }),
      text("mixed", { of: 1, n: 5 }),
    ],
    ["1 entry", "2 entries", "5 cards: 1 ace", "1 cards: 5 aces"],
  );
});
