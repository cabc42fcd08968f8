import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { GAMES, loadSounds, soundsOf } from "../../../web/games/index.js";
import { gameWords, sharedWords } from "../catalogues.mjs";
import { spokenOf, Voice } from "../../../web/screens/table/voice.js";

await Promise.all(GAMES.map(loadSounds));
const radar = soundsOf("vampireradar");
const read = (path) =>
  JSON.parse(readFileSync(new URL(`../../../web/${path}.json`, import.meta.url)));
const LANGUAGES = ["en", "ja", "nl"];
const SEATS = [
  "V",
  "vampires",
  "villagers",
  ...["H", "P"].flatMap((side) => [1, 2, 3].map((n) => side + n)),
  "P4",
  "P5",
];
const words = {
  ...sharedWords("en"),
  ...gameWords("en", "vampireradar", "nosferatu", "shisogari", "vampire_empire", "vwars"),
  paused: "",
  resumed: "",
};

/** The sentences that anything in a catalogue of the public announcements leads to. */
const reached = () =>
  new Set(
    GAMES.flatMap((game) =>
      Object.keys(words).flatMap((code) =>
        SEATS.flatMap((seat) =>
          Array.from({ length: 11 }, (_, distance) =>
            spokenOf({ code, params: { seat, distance } }, soundsOf(game)),
          ).flat(),
        ),
      ),
    ),
  );

test("what is spoken beforehand was made from the words of today, in every language", () => {
  for (const language of LANGUAGES) {
    const list = read(`screens/table/speech/${language}`);
    assert.deepEqual(
      Object.fromEntries(Object.entries(list).map(([code, { text }]) => [code, text])),
      read(`i18n/speech/${language}`),
    );
  }
});

test("the sentences of a file stand one after the other", () => {
  for (const language of LANGUAGES) {
    let end = 0;
    for (const [code, { start, seconds }] of Object.entries(
      read(`screens/table/speech/${language}`),
    )) {
      assert.ok(start - end >= 0.2 && seconds > 0.2 && seconds < 4, `${language} ${code}`);
      end = start + seconds;
    }
  }
});

test("every announcement leads to sentences that there are, and every sentence is led to", () => {
  assert.deepEqual([...reached()].sort(), Object.keys(read("i18n/speech/en")).sort());
});

test("a radar is answered by its number, a shot by what it did, without pawn or tile", () => {
  assert.deepEqual(
    spokenOf(
      { code: "event.radar_called", params: { cell: "B3", pawn: "H1a", distance: 4 } },
      radar,
    ),
    ["spoken.number.4"],
  );
  assert.deepEqual(
    spokenOf(
      { code: "event.shot_missed", params: { cell: "B3", pawn: "H1a", direction: "N" } },
      radar,
    ),
    ["spoken.miss"],
  );
  assert.deepEqual(spokenOf({ code: "event.human_eliminated", params: { seat: "H2" } }, radar), [
    "spoken.player.2",
    "spoken.out",
  ]);
  assert.deepEqual(
    spokenOf({ code: "event.pawn_walked", params: { pawn: "H1a", to: "B3" } }, radar),
    [],
  );
});

test("who has a typed name is called by no number", () => {
  const isNamed = (seat) => seat === "H2";
  assert.deepEqual(
    spokenOf({ code: "event.turn_started", params: { seat: "H2" } }, radar, isNamed),
    [],
  );
  assert.deepEqual(
    spokenOf({ code: "event.human_eliminated", params: { seat: "H2" } }, radar, isNamed),
    ["spoken.out"],
  );
  assert.deepEqual(
    spokenOf({ code: "event.turn_started", params: { seat: "H1" } }, radar, isNamed),
    ["spoken.player.1"],
  );
});

test("a browser without Ogg gets the MP3", async () => {
  const suffixes = [];
  globalThis.fetch = async (address) => {
    const suffix = address.split(".").at(-1);
    suffixes.push(suffix);
    return {
      json: async () => ({ "spoken.hit": { start: 1, seconds: 2 } }),
      arrayBuffer: async () => suffix,
    };
  };
  const parts = [];
  const voice = new Voice({
    now: 0,
    decode: async (bytes) => {
      if (bytes === "opus") throw new Error("no Ogg");
      return bytes;
    },
    part: (...what) => parts.push(what),
  });
  await voice.say([{ code: "event.shot_hit", params: {} }], String, radar, () => false, "en");
  assert.deepEqual(parts, [["mp3", 1, 2, 0]]);
  assert.deepEqual(suffixes.sort(), ["json", "mp3", "opus"]);
});
