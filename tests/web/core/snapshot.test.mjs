import assert from "node:assert/strict";
import test from "node:test";
import { corrections, isOnlyOwed } from "../../../web/screens/table/corrections.js";
import { lastNight, nightSummary } from "../../../web/games/vampireradar/snapshot.js";
import { doubleTapGuard, secondPress } from "../../../web/core/controls.js";
import { lastAnswer, standing } from "../../../web/games/vampireradar/snapshot.js";
import { nextMark, offer, tapped } from "../../../web/games/vampireradar/turn.js";
import {
  announcedEvents,
  canStart,
  isAmongBots,
  isOff,
  isSealed,
  phaseOf,
} from "../../../web/core/snapshot.js";
import { view } from "../views.mjs";

const walk = (pawn, to) => ({ type: "walk", pawn, to });
const logOf = (...events) =>
  events.map((event, index) => ({
    position: index + 1,
    event,
    message: { code: event.event, params: {} },
  }));
const RADAR = { event: "radar_called", pawn: "H1a", cell: "A3", distance: 4 };
const SHOT = { event: "shot_fired", pawn: "H1a", cell: "A3", direction: "N", hit: true };
const REWOUND = { event: "rewound", to: 1, steps: 1, by: "H1" };

const answers = (log) =>
  standing(log)
    .map(({ event }) => event)
    .filter(({ event }) => event === "radar_called" || event === "shot_fired");

test("the last answer is the table's: a radar, a shot, a murder or a meal, and nothing else", () => {
  const [radar, killed, placed] = logOf(
    RADAR,
    { event: "pawns_killed", cell: "A1", pawns: ["H1a"] },
    { event: "vampire_placed" },
  );

  assert.deepEqual(
    [radar, killed, null, null, null],
    [{ answer: radar }, { answer: killed }, { answer: placed }, { answer: null }, {}].map(
      lastAnswer,
    ),
  );
});

test("an undone answer stands no more, the one before it does", () => {
  assert.deepEqual(answers(logOf(RADAR, SHOT, REWOUND)), [RADAR]);
  assert.deepEqual(answers(logOf(RADAR, REWOUND)), []);
});

test("to undo the end of a turn also takes back the night that had only fallen", () => {
  assert.deepEqual(
    answers(
      logOf(SHOT, { event: "turn_ended", seat: "H3" }, { event: "night_fell" }, REWOUND, REWOUND),
    ),
    [],
  );
});

const FALL = { event: "night_fell" };
const DAWN = [
  { event: "turn_ended", seat: "V" },
  { event: "turn_started", seat: "H1" },
];
const MEAL = { event: "bat_eaten", cell: "D6" };
const announced = (...events) =>
  nightSummary(logOf(...events))?.announced.map(({ event }) => event.event);

test("a night is quiet if nobody was bitten and no bat was eaten in it", () => {
  assert.deepEqual(
    nightSummary(
      logOf({ event: "pawns_killed" }, { event: "turn_ended", seat: "H1" }, FALL, ...DAWN),
    ),
    { isOver: true, announced: [], isActed: false, isAnswered: false },
  );
  assert.deepEqual(announced(FALL, { event: "pawns_killed" }, MEAL, ...DAWN), [
    "pawns_killed",
    "bat_eaten",
  ]);
});

test("what the night brought is news until a human acts, and never after the hiding", () => {
  assert.equal(nightSummary(logOf(FALL, MEAL)).isOver, false);
  assert.equal(announced(FALL, MEAL, ...DAWN, { event: "pawn_walked", pawn: "H1a" }), undefined);
  assert.equal(announced(FALL, MEAL, ...DAWN, { event: "turn_ended", seat: "H1" }), undefined);
  assert.equal(announced(FALL, { event: "vampire_placed" }, ...DAWN), undefined);
  assert.equal(announced(...DAWN), undefined);
});

test("an answer is today's after a night only if it was given since", () => {
  const radar = { event: "radar_called", seat: "H1" };
  const isAnswered = (...events) => lastNight(logOf(...events))?.isAnswered;
  assert.equal(isAnswered(radar, FALL, ...DAWN), false);
  assert.equal(isAnswered(FALL, ...DAWN, { event: "pawn_walked", pawn: "H1a" }), false);
  assert.equal(isAnswered(FALL, ...DAWN, radar), true);
  assert.equal(isAnswered(...DAWN, radar), undefined);
});

test("a game waits for a good field and for the seats that the table lists as missing", () => {
  const wrong = { wrong_seat: { code: "seat_open", params: { seat: "V" } } };
  const canControl = [{ ready: true }, { ready: true, ...wrong }, { ready: false }];
  assert.deepEqual(
    canControl.map((lobby) => canStart({ lobby })),
    [true, false, false],
  );
});

test("a second press within 600 ms is a slip of the finger", (context) => {
  let now = 5000;
  context.mock.method(performance, "now", () => now);
  const isSlip = doubleTapGuard();
  assert.equal(isSlip(), false);
  now += 599;
  assert.equal(isSlip(), true);
  now += 600;
  assert.equal(isSlip(), false);
});

test("a question is answered by a second press, and not by a double tap", (context) => {
  let now = 5000;
  context.mock.method(performance, "now", () => now);
  const isSecond = secondPress();
  assert.equal(isSecond(false), false);
  now += 100;
  assert.equal(isSecond(true), false);
  now += 700;
  assert.equal(isSecond(true), true);
});

test("the scene follows public facts: lobby, choosing, night, turn, over", () => {
  const play = {
    phase: "play",
    view: view(),
    secret: false,
    revealing: false,
    night: null,
    outcome: null,
  };
  assert.equal(phaseOf({ phase: "lobby" }), "lobby");
  assert.equal(phaseOf(play), "turn");
  assert.equal(phaseOf({ ...play, secret: true }), "night");
  assert.equal(phaseOf({ ...play, revealing: true }), "night");
  assert.equal(phaseOf({ ...play, secret: true, view: view({ placed: false }) }), "choosing");
  assert.equal(phaseOf({ ...play, phase: "over" }), "over");
});

test("a free tile that one pawn alone can reach is its walk; with two, a pawn must be chosen first", () => {
  const one = { view: view(), to_move: "H1", legal: [walk("H1a", "A2")] };
  assert.deepEqual(tapped(one, "A2", null), { walk: walk("H1a", "A2") });
  const two = {
    view: view({ pawns: { H1a: "A1", H1b: "B2" } }),
    to_move: "H1",
    legal: [walk("H1a", "A2"), walk("H1b", "A2")],
  };
  assert.deepEqual(tapped(two, "A2", null), { pawn: null });
  assert.deepEqual(tapped(two, "A2", "H1b"), { walk: walk("H1b", "A2") });
});

test("pressing a shared tile again goes through the own pawns on it and then lets go", () => {
  const snapshot = {
    view: view({ pawns: { H1a: "A1", H1b: "A1", H2a: "A1" } }),
    to_move: "H1",
    legal: [],
  };
  assert.deepEqual(
    ["H1a", "H1b", null],
    [
      tapped(snapshot, "A1", null).pawn,
      tapped(snapshot, "A1", "H1a").pawn,
      tapped(snapshot, "A1", "H1b").pawn,
    ],
  );
});

test("an own pawn on a tile is chosen rather than walked over", () => {
  const snapshot = {
    view: view({ pawns: { H1a: "A1", H1b: "A2" } }),
    to_move: "H1",
    legal: [walk("H1a", "A2")],
  };
  assert.deepEqual(tapped(snapshot, "A2", null), { pawn: "H1b" });
});

test("a mark goes from nothing to maybe, to not here, to nothing", () => {
  assert.deepEqual(
    ["?", "x", ""],
    ["", "?", "x"].map((mark) => nextMark({ marks: { C3: mark } }, "C3")),
  );
});

test("a landing offers its radar or bullet", () => {
  assert.equal(offer([walk("H1a", "A2")]), null);
  assert.equal(offer([{ type: "call_radar", pawn: "H1a" }]).type, "call_radar");
});

test("a board with identities names the pawn and its way back", () => {
  const differences = [
    { cell: "A3", expected: ["H1a"], seen: [], occupied: false },
    { cell: "C3", expected: [], seen: ["H1a"], occupied: true },
  ];
  assert.deepEqual(corrections({ differences }), {
    moves: [{ pawn: "H1a", from: "C3", to: "A3" }],
    set: [],
    off: [],
    empty: [],
    lay: [],
    take: [],
  });
});

test("a presence board names a move only when one tile is empty and one is too many", () => {
  const missing = { cell: "A3", expected: ["H1a"], seen: null, occupied: false };
  const extra = { cell: "C3", expected: [], seen: null, occupied: true };
  assert.deepEqual(corrections({ differences: [missing, extra] }).moves, [
    { pawn: "H1a", from: "C3", to: "A3" },
  ]);
  const two = corrections({ differences: [missing, extra, { ...extra, cell: "D3" }] });
  assert.deepEqual(
    [two.moves, two.set, two.empty],
    [[], [{ pawn: "H1a", cell: "A3" }], ["C3", "D3"]],
  );
});

test("tokens that miss or are too many are named", () => {
  const base = { expected: [], seen: [], occupied: false, token: null, seen_tokens: [] };
  const { lay, take } = corrections({
    differences: [
      { ...base, cell: "C2", token: "bullet" },
      { ...base, cell: "D2", seen_tokens: ["bat"] },
      { ...base, cell: "E2", token: "bullet", seen_tokens: ["bullet", "bullet"] },
      { ...base, cell: "F2", token: "bullet", seen_tokens: null },
    ],
  });
  assert.deepEqual(lay, [{ kind: "bullet", cell: "C2" }]);
  assert.deepEqual(take, [
    { kind: "bat", cell: "D2" },
    { kind: "bullet", cell: "E2" },
  ]);
});

test("pawns out of the game are named with their tile, whether the board identifies pawns or not", () => {
  const owed = [{ pawn: "H2c", cell: "A1" }];
  for (const seen of [["H2c"], null]) {
    const board = {
      state: "unexplained",
      owed,
      differences: [{ cell: "A1", expected: [], seen, occupied: true }],
    };
    const { off, empty } = corrections(board);
    assert.deepEqual([off, empty], [owed, []]);
    assert.equal(isOnlyOwed(board), true);
    const more = { cell: "C3", expected: ["H1a"], seen: seen && [], occupied: false };
    assert.equal(isOnlyOwed({ ...board, differences: [...board.differences, more] }), false);
  }
});

test("a board is off while hands must put something right", () => {
  const off = [
    { state: "unexplained" },
    { state: "ambiguous" },
    { state: "in_sync", owed: [{}] },
    { state: "in_sync", owed: [] },
    undefined,
  ];
  assert.deepEqual(
    off.map((board) => Boolean(isOff(board))),
    [true, true, true, false, false],
  );
});

test("the log leaves out who is to move, in every game", () => {
  const log = ["P1", "V", "vampires"].map((seat) => ({
    event: { event: "turn_started", seat },
    message: { code: "event.turn_started" },
  }));
  const walk = { event: { event: "pawn_walked" }, message: { code: "event.pawn_walked" } };
  assert.deepEqual(announcedEvents([log[0], walk, ...log]), [walk]);
});

test("seals are opened after a game that has some: without secrets it has none, on paper maybe", () => {
  const seal = { number: 1, seal: "ab", words: "red-fox-1" };
  const over = (path, more) => ({ view: { options: { path } }, lobby: {}, ...more });

  assert.equal(isSealed(over("phone", { seal })), true);
  assert.equal(isSealed(over("paper", { seal })), true);
  assert.equal(isSealed(over("paper", { seal: null })), false);
  assert.equal(isSealed({ view: { options: {} }, lobby: {}, seal: null }), false);
});

test("one press ends a game for a person among bots, and for nobody else", () => {
  const table = (...bots) => ({ seats: bots.map((bot) => ({ bot })) });

  assert.deepEqual(
    [
      table("greedy", "greedy"),
      table(null, "greedy"),
      table(null, null),
      table(null, null, "greedy"),
    ].map(isAmongBots),
    [true, true, false, false],
  );
});
