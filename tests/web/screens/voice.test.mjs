import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { GAMES, loadSounds, soundsOf } from "../../../web/games/index.js";
import { gameWords, sharedWords } from "../catalogues.mjs";
import {
  answerTo,
  LEVELS,
  levelOf,
  newQuestions,
  nextLevel,
  readMessages,
} from "../../../web/screens/table/spoken.js";
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
  "vampire",
  "human",
  ...["H", "P"].flatMap((side) => [1, 2, 3].map((n) => side + n)),
  "P4",
  "P5",
];
const words = { ...sharedWords("en", "host"), ...gameWords("en", ...GAMES) };
const VALUES = {
  cell: "A1",
  to: "B2",
  from: "C3",
  taken_cell: "D4",
  found: "E5",
  kind: "radar",
  token: "bullet",
  item: "stake",
  character: "nun",
  by: "P2",
  suspect: "P3",
  pairs: 4,
  hunters: 2,
};

const named = (prefix) =>
  Object.keys(words)
    .filter((code) => code.startsWith(`${prefix}.`))
    .map((code) => code.slice(prefix.length + 1));
const [ITEMS, CHARACTERS] = ["item", "character"].map(named);

/** The codes of public announcements and of answers on request; a number chooses a plural. */
const CODES = new Set(
  Object.keys(words)
    .filter((code) => /^(event|aloud)\.|_asked$|^(rewound|paused|resumed|seat_claimed)$/.test(code))
    .map((code) => code.replace(/\.(one|other)$/, "")),
);

/** Parameters of any message. */
const PARAMS = { seat: "H1", pawn: "H1a", kinds: "street", distance: 1, ...VALUES };
/** Whether a key of a catalogue is that of a message's code, with a plural or without. */
const isOf = (code) => (key) => key === code || key.replace(/\.(one|other)$/, "") === code;

/** The sentences that anything in a catalogue of the public announcements leads to. */
const reached = () =>
  new Set(
    GAMES.flatMap((game) =>
      [...CODES].flatMap((code) =>
        parameters().flatMap((params) => spokenOf({ code, params }, soundsOf(game))),
      ),
    ),
  );

/** Parameters that have each seat, number, letter, kind, token, piece and way at least once. */
function parameters() {
  const rows = [
    SEATS.map((seat) => ({ seat })),
    Array.from({ length: 11 }, (_, distance) => ({ distance })),
    [..."ABCDEFGH"].map((letter, index) => ({
      pawn: `H1${letter.toLowerCase()}`,
      cell: `${letter}${index}`,
    })),
    ["n", "v1", "m2"].map((pawn) => ({ pawn })),
    ["radar", "bat", "bullet", "wall", "blank"].map((kind) => ({ kind })),
    ["bat", "bullet"].map((token) => ({ token })),
    ITEMS.map((item) => ({ item })),
    CHARACTERS.map((character) => ({ character })),
    [
      "street",
      "water",
      "rail",
      "alley",
      "passage",
      "stairs",
      "shaft",
      "unseen",
      "N",
      "NE",
      "E",
      "SE",
      "S",
      "SW",
      "W",
      "NW",
    ].map((kinds) => ({ kinds })),
  ];
  return rows.flat().map((row) => ({ ...PARAMS, ...row }));
}

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
      assert.ok(start - end >= 0.2 && seconds > 0.1 && seconds < 4, `${language} ${code}`);
      end = start + seconds;
    }
  }
});

test("every announcement leads to sentences that there are, and every sentence is led to", () => {
  assert.deepEqual([...reached()].sort(), Object.keys(read("i18n/speech/en")).sort());
});

test("the messages of each level are in the catalogues", () => {
  for (const game of GAMES) {
    const { answers = [], turns = [] } = soundsOf(game);
    const known = Object.keys(gameWords("en", game));
    for (const code of [...answers, ...turns])
      assert.ok(
        known.some((each) => each === code || each.startsWith(`${code}.`)),
        `${game} ${code}`,
      );
  }
});

test("no answer and no turn is silent where a browser has recordings alone", () => {
  for (const game of GAMES) {
    const sounds = soundsOf(game);
    const codes = [...CODES].filter((code) => Object.keys(gameWords("en", game)).some(isOf(code)));
    const messages = codes.map((code) => ({ code, params: { ...PARAMS } }));
    const silent = readMessages(messages, "turns", sounds).filter(
      (each) => !spokenOf(each, sounds).length,
    );
    assert.deepEqual(
      [],
      silent.map(({ code }) => code),
      game,
    );
  }
});

test("each level reads what the one before it reads, and more", () => {
  const day = [
    { code: "event.pawn_walked", params: {} },
    { code: "event.turn_started", params: {} },
    { code: "event.radar_called", params: {} },
  ];
  const codes = LEVELS.map((level) => readMessages(day, level, radar).map(({ code }) => code));
  assert.deepEqual(codes, [
    [],
    ["event.radar_called"],
    ["event.turn_started", "event.radar_called"],
    ["event.pawn_walked", "event.turn_started", "event.radar_called"],
  ]);
});

test("a press goes through all levels; an unknown stored one is turns and answers", () => {
  assert.deepEqual(LEVELS.map(nextLevel), ["answers", "turns", "all", "off"]);
  assert.deepEqual([null, "loud", "all"].map(levelOf), ["turns", "turns", "all"]);
});

const ROWS = ["...bw.", "bwwrbo", "or...o", ".br.oo", "or..ow", ".owww."];
const VIEW = {
  tiles: ROWS,
  pawns: { H1a: "C3", H2b: "C3", H1b: "A1" },
  tokens: { bullets: ["F2"], bats: ["D1"] },
};

/** What the recordings say in answer to a question. */
const heard = (question, snapshot, sounds = radar) =>
  answerTo(question, snapshot, sounds)
    .flatMap((each) => spokenOf(each, sounds))
    .map((each) => each.slice("spoken.".length));

test("a cell is told by its tile, its token and its pawns", () => {
  const on = (name) => heard({ what: "cell", name }, { view: VIEW });
  assert.deepEqual(on("C3"), [
    "letter.C",
    "number.3",
    "kind.blank",
    "player.1",
    "letter.A",
    "player.2",
    "letter.B",
  ]);
  assert.deepEqual(on("D1"), ["letter.D", "number.1", "kind.bat", "lies.bat", "nobody"]);
  assert.deepEqual(on("F2"), ["letter.F", "number.2", "kind.bullet", "lies.bullet", "nobody"]);
});

test("a pawn is told by its place, a number of a map digit by digit", () => {
  assert.deepEqual(heard({ what: "pawn", name: "H1b" }, { view: VIEW }), [
    "player.1",
    "letter.B",
    "letter.A",
    "number.1",
  ]);
  assert.deepEqual(heard({ what: "pawn", name: "H3a" }, { view: VIEW }), [
    "player.3",
    "letter.A",
    "gone",
  ]);
  const map = { view: { pawns: { H1a: "120" } } };
  assert.deepEqual(heard({ what: "pawn", name: "H1a" }, map, soundsOf("manhunt")), [
    "player.1",
    "letter.A",
    "number.1",
    "number.2",
    "number.0",
  ]);
});

test("who is to move, and the last answer", () => {
  const message = { code: "event.radar_called", params: { distance: 4 } };
  assert.deepEqual(heard({ what: "turn" }, { view: VIEW, to_move: "H2" }), ["player.2"]);
  assert.deepEqual(heard({ what: "turn" }, { view: VIEW, to_move: null }), ["no_turn"]);
  assert.deepEqual(heard({ what: "answer" }, { view: VIEW, answer: { message } }), ["number.4"]);
  assert.deepEqual(heard({ what: "answer" }, { view: VIEW, answer: null }), ["no_answer"]);
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
    ["spoken.player.1", "spoken.letter.A", "spoken.letter.B", "spoken.number.3"],
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
    isUnlocked: true,
    decode: async (bytes) => {
      if (bytes === "opus") throw new Error("no Ogg");
      return bytes;
    },
    part: (...what) => parts.push(what),
  });
  await voice.say([{ code: "event.shot_hit", params: {} }], String, radar, "en");
  assert.deepEqual(parts, [["mp3", 1, 2, 0]]);
  assert.deepEqual(suffixes.sort(), ["json", "mp3", "opus"]);
});

test("a speaker that no press has unlocked speaks nothing, and says so", async () => {
  globalThis.fetch = async () => ({
    json: async () => ({ "spoken.hit": { start: 1, seconds: 2 } }),
    arrayBuffer: async () => "",
  });
  const speaker = { now: 0, decode: async () => "", part: (...what) => parts.push(what) };
  const parts = [];
  const hit = [{ code: "event.shot_hit", params: {} }];
  const walk = [{ code: "event.unrecorded", params: {} }];
  const locked = new Voice({ ...speaker, isUnlocked: false });
  assert.equal(await locked.say(hit, String, radar, "en"), false);
  const unlocked = new Voice({ ...speaker, isUnlocked: true });
  assert.equal(await unlocked.say(walk, String, radar, "en"), false);
  assert.equal(parts.length, 0);
  assert.equal(await unlocked.say(hit, String, radar, "en"), true);
  assert.equal(parts.length, 1);
});

/** A voice of recordings of two seconds each, and what it speaks and ends, by the speaker's clock. */
function recorded() {
  globalThis.fetch = async () => ({
    json: async () =>
      Object.fromEntries(
        ["hit", "nobody"].map((name) => [`spoken.${name}`, { start: name.length, seconds: 2 }]),
      ),
    arrayBuffer: async () => "",
  });
  const speaker = {
    now: 0,
    isUnlocked: true,
    ended: 0,
    parts: [],
    decode: async () => "",
    part: (_, start, seconds, at) => {
      const begin = Math.max(at, speaker.now);
      speaker.parts.push([start === 3 ? "hit" : "nobody", begin]);
      return begin + seconds;
    },
    silence: () => (speaker.ended += 1),
  };
  return { speaker, voice: new Voice(speaker) };
}
const HIT = [{ code: "event.shot_hit", params: {} }];
const NOBODY = [{ code: "aloud.nobody", params: {} }];

test("a flood of questions keeps nobody from what happens", async () => {
  const { speaker, voice } = recorded();
  const ask = (count = 1) => voice.say(Array(count).fill(NOBODY[0]), String, radar, "en", true);
  assert.equal(await ask(4), true);
  assert.equal(await ask(4), false, "one answer at a time");
  speaker.now = 1;
  assert.equal(await voice.say(HIT, String, radar, "en"), true);
  assert.deepEqual([["hit", 1], 1], [speaker.parts.at(-1), speaker.ended], "it ends an answer");
  assert.equal(await ask(), false, "after what happens");
  assert.equal(await voice.say(HIT, String, radar, "en"), true);
  assert.deepEqual([["hit", 3], 1], [speaker.parts.at(-1), speaker.ended]);
  speaker.now = 5;
  assert.equal(await ask(), true);
  assert.equal(speaker.ended, 1);
});

test("an answer waits until nothing is spoken, and not for ever", async () => {
  const { speaker, voice } = recorded();
  await voice.whenQuiet(performance.now() + 60_000);
  await voice.say(HIT, String, radar, "en");
  await voice.whenQuiet(performance.now() - 1);
  assert.equal(voice.isBusy, true);
  const waits = voice.whenQuiet(performance.now() + 60_000);
  speaker.now = 2;
  await waits;
  assert.equal(voice.isBusy, false);
});

test("a voice of the browser reads an answer alone, and what happens ends it", async () => {
  const waiting = [];
  globalThis.SpeechSynthesisUtterance = class {};
  globalThis.speechSynthesis = {
    getVoices: () => [{ lang: "en", localService: true }],
    get speaking() {
      return waiting.length > 0;
    },
    speak: (utterance) => waiting.push(utterance),
    cancel: () => waiting.splice(0),
  };
  const voice = new Voice({ level: 1, now: 0 });
  const ask = () => voice.say(NOBODY, String, radar, "en", true);
  assert.deepEqual([true, false], [await ask(), await ask()]);
  assert.equal(await voice.say(HIT, String, radar, "en"), true);
  assert.equal(waiting.length, 1, "the answer is ended");
  assert.equal(await voice.say(HIT, String, radar, "en"), true);
  assert.equal(waiting.length, 2);
  assert.equal(await ask(), false);
  for (let count = 0; count < 100; count += 1) {
    await voice.say(HIT, String, radar, "en");
    assert.ok(waiting.length < 8, "who does something again and again fills no queue");
  }
  while (waiting.length) waiting.shift().onstart();
  for (let count = 0; count < 3; count += 1) await voice.say(HIT, String, radar, "en");
  assert.equal(waiting.length, 3, "what was spoken is not waited for");
  delete globalThis.speechSynthesis;
});

test("half a sentence is not spoken", () => {
  const walk = (pawn) => spokenOf({ code: "event.pawn_walked", params: { pawn, to: "A1" } }, radar);
  assert.equal(walk("H1a").length, 4);
  assert.deepEqual(walk("Xa"), []);
});

test("only new questions that no display has read are answered", () => {
  const asked = [
    { number: 4, state: "read" },
    { number: 5, state: "waits" },
    { number: 6, state: "asked" },
  ];
  const numbers = (last) => newQuestions(asked, last).map(({ number }) => number);
  assert.deepEqual([[], [5, 6], [6], []], [null, 0, 5, 6].map(numbers));
});
