// What is looked up of a game: its cards and places in the language of the page, from the public route, once a game.
import assert from "node:assert/strict";
import test from "node:test";

import {
  cardOf,
  choicesOf,
  isLookedUp,
  lookUp,
  nameThings,
  useReference,
} from "../../../web/core/reference.js";
import { text, translated, useWords } from "../../../web/core/i18n.js";

const REFERENCE = {
  cards: {
    "v-1": { id: "v-1", name: "Smid", text: "Trek.", kind: "combat", borders: [], value: 1 },
    "v-2": { id: "v-2", name: "Abdis", kind: "combat" },
  },
  translations: { ja: { Smid: "鍛冶屋", "Trek.": "引く。", Gullport: "かもめ港" } },
};
const snapshot = (more = {}) => ({
  game: "vwars",
  phase: "play",
  head: "a",
  view: { title: "T", turns: 1, options: { content: "sample" } },
  ...more,
});
const answering = (...answers) => {
  const paths = [];
  globalThis.fetch = async (path) => {
    paths.push(path);
    const answer = answers.shift();
    if (!answer) throw new TypeError("no network");
    return { ok: true, json: async () => answer };
  };
  return paths;
};

test("cards, places and parameters are called as the page's language has them, else as the content has them", () => {
  useReference(REFERENCE);
  const view = { cities: { g: { name: "Gullport" } }, regions: { f: { name: "Frostmark" } } };
  useWords("ja", { say: "{city}, {region}: {name}" });
  nameThings(view);
  assert.deepEqual(
    [cardOf("v-1").name, cardOf("v-1").text, cardOf("v-2").name, cardOf("v-3").name],
    ["鍛冶屋", "引く。", "Abdis", "v-3"],
  );
  assert.equal(
    text("say", { city: "g", region: "f", name: "Smid" }),
    "かもめ港, Frostmark: 鍛冶屋",
  );
  useWords("nl", { say: "{city}, {region}: {name}" });
  nameThings(view);
  assert.deepEqual([cardOf("v-1").name, translated("Trek.")], ["Smid", "Trek."]);
  assert.equal(text("say", { city: "g", region: "f", name: "Smid" }), "Gullport, Frostmark: Smid");
});

test("a replay without anything to look up forgets what was known", () => {
  useReference(REFERENCE);
  useReference({});
  useWords("ja", {});
  assert.deepEqual([cardOf("v-1").name, translated("Smid")], ["v-1", "Smid"]);
});

test("the public route is requested once a game, however often the page is drawn; in a lobby that offers nothing and beside the box never", async () => {
  const paths = answering(REFERENCE, REFERENCE);
  for (const idle of [
    snapshot({ phase: "lobby", lobby: {} }),
    snapshot({ view: null }),
    snapshot({ view: { options: { content: "box" } } }),
  ]) {
    assert.ok(isLookedUp(idle));
    await lookUp(idle);
  }
  assert.equal(paths.length, 0);
  assert.ok(!isLookedUp(snapshot()));
  await Promise.all([lookUp(snapshot()), lookUp(snapshot({ head: "b" }))]);
  assert.ok(isLookedUp(snapshot({ head: "c" })));
  assert.deepEqual(paths, ["/reference"]);
  const next = snapshot({ head: "d", view: { ...snapshot().view, turns: 0 } });
  assert.ok(!isLookedUp(next));
  await lookUp(next);
  assert.equal(paths.length, 2);
});

test("what seats may choose before a game is looked up once, and again where something else is offered", async () => {
  const paths = answering({ choices: { roles: [{ id: "smith", name: "The Smith" }] } }, {});
  const offering = (...roles) =>
    snapshot({ phase: "lobby", view: null, lobby: { choices: { roles } } });
  assert.ok(!isLookedUp(offering("smith")));
  await Promise.all([lookUp(offering("smith")), lookUp(offering("smith"))]);
  assert.deepEqual([choicesOf("roles")[0].name, paths.length], ["The Smith", 1]);
  await lookUp(offering("mayor"));
  assert.deepEqual([choicesOf("roles"), paths.length], [[], 2]);
});

test("what cannot be fetched keeps no page from being drawn, and is asked for again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const paths = answering(null, REFERENCE);
  const snapshotOfGame = snapshot({ game: "vampire_empire" });
  await lookUp(snapshotOfGame);
  assert.ok(isLookedUp(snapshotOfGame));
  context.mock.timers.tick(2000);
  assert.ok(!isLookedUp(snapshotOfGame));
  await lookUp(snapshotOfGame);
  assert.equal(paths.length, 2);
});

test("an error of the table is no reference, and is asked for again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  useWords("nl", {});
  useReference(REFERENCE);
  globalThis.fetch = async () => Response.json({ code: "internal_error" }, { status: 500 });
  const now = snapshot({ head: "error", view: { ...snapshot().view, title: "E" } });
  await lookUp(now);
  assert.equal(cardOf("v-1").name, "Smid");
  context.mock.timers.tick(2000);
  assert.ok(!isLookedUp(now));
});

test("an earlier reference that comes later, or fails, does not touch the present one", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const waiting = [];
  globalThis.fetch = () => new Promise((...ends) => waiting.push(ends));
  const titled = (title) => snapshot({ view: { ...snapshot().view, title } });
  const asked = ["first", "second", "third"].map((title) => lookUp(titled(title)));
  const named = (name) => Response.json({ cards: { c: { id: "c", name } } });
  waiting[2][0](named("third"));
  await asked[2];
  waiting[1][0](named("second"));
  waiting[0][1](new TypeError("no network"));
  await Promise.all(asked);
  context.mock.timers.tick(2000);

  assert.deepEqual([cardOf("c").name, isLookedUp(titled("third"))], ["third", true]);
});
