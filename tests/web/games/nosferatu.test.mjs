import assert from "node:assert/strict";
import test from "node:test";
import { drawBoard } from "../../../web/games/nosferatu/board.js";
import {
  ACTIONS,
  chosen,
  task,
  entering,
  field,
  lastMove,
  offers,
  playScreen,
  tapped,
} from "../../../web/games/nosferatu/table.js";
import { openPhone } from "../../../web/games/nosferatu/phone.js";
import { renderToString } from "../markup.mjs";
import { useWords } from "../../../web/core/i18n.js";

globalThis.document = { documentElement: { lang: "en" } };
globalThis.localStorage = { getItem: () => null };
useWords("en", { "end.winner.villagers": "Villagers win" });

const ROWS = [
  ["a4", "b5", "c6", "d7"],
  ["a3", "b4", "c5", "d6", "e7"],
  ["a2", "b3", "c4", "d5", "e6", "f7"],
  ["a1", "b2", "c3", "d4", "e5", "f6", "g7"],
  ["b1", "c2", "d3", "e4", "f5", "g6"],
  ["c1", "d2", "e3", "f4", "g5"],
  ["d1", "e2", "f3", "g4"],
];
const snapshot = (legal, pawns, more = {}) => ({
  phase: "play",
  game: "nosferatu",
  to_move: "vampires",
  legal,
  log: [],
  undo: { kind: "none" },
  board: { state: "off" },
  settings: {},
  seats: [],
  secret: false,
  night: null,
  view: { rows: ROWS, pawns, hands: { vampires: [], villagers: [] }, chain: null, ...more },
  outcome: null,
});
const jump = (pawn, to, convert) => ({ type: "jump", pawn, to, ...(convert && { convert }) });
const flight = [jump("n", "d2"), jump("n", "d2", true), jump("n", "e2"), jump("n", "e2", true)];

test("a pressed piece that can go is chosen, one that cannot is not", () => {
  const now = snapshot([{ type: "move", pawn: "v1", to: "a2" }], { v1: "a1", v2: "g7", m1: "d4" });
  assert.deepEqual(tapped(now, "a1", { pawn: null }), { pawn: "v1", landing: null });
  assert.deepEqual(tapped(now, "a1", { pawn: "v1" }), { pawn: null, landing: null });
  assert.deepEqual(tapped(now, "g7", { pawn: null }), { pawn: null, landing: null });
  assert.deepEqual(tapped(now, "d4", { pawn: null }), { pawn: null, landing: null });
});

test("a press where the chosen piece may go is the action", () => {
  const move = { type: "move", pawn: "v1", to: "a2" };
  assert.deepEqual(tapped(snapshot([move], { v1: "a1" }), "a2", { pawn: "v1" }), { submit: move });
});

test("where Nosferatu may take or turn a villager he is asked, and both answers are jumps to there", () => {
  const now = snapshot(flight, { n: "a2", m1: "c2" });
  assert.deepEqual(tapped(now, "d2", { pawn: "n" }), { landing: "d2" });
  const table = { snapshot: now, ui: { pawn: "n", landing: "d2" } };
  assert.equal(offers(table).length, 2);
  assert.deepEqual(ACTIONS.remove(table).submit, flight[0]);
  assert.deepEqual(ACTIONS.convert(table).submit, flight[1]);
});

test("a piece that must go on is chosen by itself, a lifted piece too, a pressed one before it", () => {
  assert.equal(chosen(snapshot([], { v1: "a1" }, { chain: "v1" }), null), "v1");
  const lifted = {
    ...snapshot([{ type: "move", pawn: "v1", to: "a2" }], { v1: "a1", v2: "b2" }),
    board: { state: "lifted", lifted: ["b2"] },
  };
  assert.equal(chosen(lifted, null), "v2");
  assert.equal(chosen(lifted, "v1"), "v1");
});

test("one kind in hand is entered by one press, of two kinds one is chosen first", () => {
  const enter = (pawn, to) => ({ type: "enter", pawn, to });
  assert.deepEqual(tapped(snapshot([enter("m1", "a4")], {}), "a4", { pawn: null }), {
    submit: enter("m1", "a4"),
  });
  const both = snapshot([enter("n", "a4"), enter("v1", "a4")], {});
  assert.deepEqual(entering(both.legal), ["n", "v"]);
  assert.deepEqual(tapped(both, "a4", { pawn: null }), { pawn: null, landing: null });
  assert.deepEqual(tapped(both, "a4", { pawn: "v" }), { submit: enter("v1", "a4") });
});

test("the cells on which a piece may be entered are lit, once it is chosen which", () => {
  const safeCells = (legal, ui = {}) =>
    (
      renderToString(
        field({ snapshot: snapshot(legal, { v1: "d4" }), ui, canControl: true }),
      ).match(/class="tile live safe"[^>]*|data-cell="\w+"[^>]*class="tile live safe"/g) ?? []
    ).map((each) => each.match(/data-cell="(\w+)"/)[1]);
  const enter = (pawn, to) => ({ type: "enter", pawn, to });
  assert.deepEqual(safeCells([enter("m1", "a4"), enter("m1", "g7")]), ["g7", "a4"].sort());
  const both = [enter("n", "a4"), enter("v2", "a4")];
  assert.deepEqual(safeCells(both), []);
  assert.deepEqual(safeCells(both, { pawn: "v" }), ["a4"]);
});

test("every way of a capture is drawn, one arrow for each landing", () => {
  const markup = renderToString(
    field({ snapshot: snapshot(flight, { n: "a2", m1: "c2" }), ui: {}, canControl: true }),
  );
  assert.equal(markup.match(/class="arrow"/g).length, 2);
});

test("nothing can be pressed by a side that may not act", () => {
  const markup = renderToString(
    field({ snapshot: snapshot(flight, { n: "a2" }), ui: {}, canControl: false }),
  );
  const cells = markup.match(/data-cell/g);
  assert.deepEqual(markup.match(/aria-disabled="true"/g)?.length, cells?.length);
});

test("the task follows the kind of legal actions", () => {
  assert.equal(task(snapshot([{ type: "pass" }], {})), "task.pass");
  assert.equal(task(snapshot([], {}, { chain: "v1" })), "task.go_on");
  const both = [
    { type: "enter", pawn: "n", to: "a4" },
    { type: "enter", pawn: "v1", to: "a4" },
  ];
  assert.equal(task(snapshot(both, {})), "task.choose");
  assert.equal(task(snapshot(both, {}), { pawn: "n" }), "task.enter");
  const step = snapshot([{ type: "move", pawn: "v1", to: "a2" }], { v1: "a1" });
  assert.equal(task(step), "task.move");
  assert.equal(task(step, { pawn: "v1" }), "task.step");
  assert.equal(task(snapshot(flight, { n: "a2" }), { pawn: "n", landing: "d2" }), "task.landing");
  assert.equal(offers({ snapshot: snapshot([{ type: "pass" }], {}), ui: {} }).length, 1);
});

test("37 cells are drawn, pieces by their kind, and the end is shown", () => {
  const markup = renderToString(drawBoard({ rows: ROWS, pawns: { n: "a2", v1: "b2", m1: "c2" } }));
  assert.equal(markup.match(/class="tile"/g).length, 37);
  for (const kind of ["nosferatu", "vampires", "villagers"])
    assert.ok(markup.includes(`piece ${kind}`));
  const over = {
    ...snapshot([], { v1: "a1" }),
    phase: "over",
    to_move: null,
    outcome: { winner: "villagers", reason: "nosferatu_taken" },
  };
  assert.ok(
    renderToString(playScreen({ snapshot: over, ui: {}, canControl: true })).includes(
      "Villagers win",
    ),
  );
});

const moved = (...events) => events.map((event) => ({ event, message: { code: "event" } }));
const MOVE = { event: "piece_moved", pawn: "v1", from: "a1", cell: "a2" };
const TURN = { event: "turn_started", seat: "villagers" };
const hop = (from, cell) => ({
  event: "piece_jumped",
  pawn: "v1",
  from,
  cell,
  taken: "m1",
  taken_cell: "d4",
});

test("the last move is a trail over all its cells, with a burst where a piece was taken", () => {
  const snapshotAfter = (pawns, ...events) => ({ ...snapshot([], pawns), log: moved(...events) });
  const now = snapshotAfter({ v1: "a2" }, MOVE, TURN);
  assert.deepEqual(lastMove(now), { way: ["a1", "a2"], taken: [] });
  const drawn = (shown) => renderToString(field({ snapshot: shown, ui: {}, canControl: false }));
  assert.match(drawn(now), /id="trail-a1-a2"[^>]*class="move-trail"/);
  const chain = snapshotAfter({ v1: "c3" }, hop("a1", "b2"), hop("b2", "c3"));
  assert.deepEqual(lastMove(chain), { way: ["a1", "b2", "c3"], taken: ["d4", "d4"] });
  assert.equal(drawn(chain).match(/class="burst"/g).length, 2);
  assert.deepEqual(
    lastMove(snapshotAfter({ m1: "g4" }, { event: "piece_entered", pawn: "m1", cell: "g4" })),
    { way: ["g4"], taken: [] },
  );
  const none = { way: [], taken: [] };
  assert.deepEqual(lastMove(snapshotAfter({}, TURN)), none);
  assert.ok(!drawn(snapshotAfter({}, TURN)).includes("move-trail"));
  assert.deepEqual(
    lastMove(snapshotAfter({ v1: "a1" }, MOVE, { event: "rewound", steps: 1, by: "vampires" })),
    none,
  );
});

test("after an undo the move before it is the last one", () => {
  const entered = { event: "piece_entered", pawn: "m1", cell: "g4" };
  const rewound = { event: "rewound", steps: 1, by: "vampires" };
  const now = {
    ...snapshot([], { v1: "a1", m1: "g4" }),
    log: moved(entered, TURN, MOVE, TURN, rewound),
  };
  assert.deepEqual(lastMove(now), { way: ["g4"], taken: [] });
});

test("a display shows the newest entry of its log first, and how many pieces are where in words", () => {
  useWords("en", {
    "count.there": "on the board",
    "count.waiting": "waiting",
    "count.taken": "taken",
    "event.a": "older",
    "event.b": "newer",
    "bot.move": "The bot moves it to {cell}.",
  });
  const now = {
    ...snapshot([], { v1: "a2", m1: "b4" }),
    log: [
      { event: MOVE, message: { code: "event.a" } },
      { event: MOVE, message: { code: "event.b" } },
    ],
  };
  const page = renderToString(playScreen({ snapshot: now, ui: {}, canControl: false }));
  assert.match(page, /id="log".*newer.*older/s);
  const [counts] = page.match(/<table[^>]*>.*?<\/table>/s);
  const words = counts
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  assert.match(words, /^on the board waiting taken /);
  assert.match(words, / 1 0 /);
});

test("what a bot does is shown, and is an order only where hands move its piece", () => {
  useWords("en", {
    "bot.move": "The bot moves it to {cell}.",
    "bot.by_hand": "Move it for the bot.",
  });
  const now = {
    ...snapshot([], { v1: "a1" }),
    seats: [{ seat: "vampires", taken: true, bot: "greedy" }],
    aim: { type: "move", pawn: "v1", to: "a2" },
  };
  const page = (board) =>
    renderToString(playScreen({ snapshot: { ...now, board }, ui: {}, canControl: true }));
  assert.match(page({ state: "off", link: "none", source: "none" }), /The bot moves it to a2\.</);
  assert.match(page({ state: "in_sync", link: "up", source: "sim" }), /The bot moves it to a2\.</);
  assert.match(
    page({ state: "in_sync", link: "up", source: "presence" }),
    /The bot moves it to a2\. Move it for the bot\./,
  );
});

test("a trunk shows what a side still has in its hand and what it has lost", () => {
  const trunks = (more) =>
    [
      ...renderToString(drawBoard({ rows: ROWS, pawns: {}, ...more })).matchAll(
        /class="trunk".*?(?=class="trunk"|class="tile)/gs,
      ),
    ].map(([drawn]) => [...drawn.matchAll(/class="piece (\w+(?: lost)?)"/g)].map(([, it]) => it));
  assert.deepEqual(
    trunks({
      hands: { vampires: ["n", "v2"], villagers: ["m3"] },
      taken: ["m1", "v1"],
      turned: [],
    }),
    [
      ["nosferatu", "vampires", "vampires lost"],
      ["villagers", "villagers lost"],
    ],
  );
  assert.deepEqual(trunks({ hands: { vampires: [], villagers: [] }, taken: [], turned: ["m2"] }), [
    [],
    ["villagers lost"],
  ]);
});

test("the winner stands over the buttons of the end, and the replay is the first of them", () => {
  for (const winner of ["vampires", "villagers", "draw"]) {
    const over = {
      ...snapshot([], { v1: "a1" }),
      phase: "over",
      to_move: null,
      outcome: { winner, reason: "agreed" },
    };
    const page = renderToString(playScreen({ snapshot: over, ui: {}, canControl: true }));
    assert.ok(page.includes(`finale won-${winner}`));
    assert.match(page, /data-action="replay" class="prime"/);
  }
});

test("a phone shows what may be done, or who is to move, and the two look unlike", () => {
  useWords("en", { "turn.mine": "Your turn", "turn.wait": "Wait: {seat} is playing" });
  const pages = {};
  for (const seat of ["vampires", "villagers"]) {
    const phone = openPhone({
      seat,
      request: async () => ({}),
      show: ([it]) => (pages[seat] = it),
    });
    phone.update(snapshot([{ type: "pass" }], { v1: "a1" }));
  }
  assert.match(
    renderToString(pages.vampires),
    /id="task" class="mine"><b>Your turn<\/b> · task\.pass/,
  );
  assert.match(renderToString(pages.villagers), /id="task" class="waits">Wait: /);
});

test("a refused move leaves its piece chosen; the next position forgets piece and refusal", async () => {
  const legal = [{ type: "move", pawn: "v1", to: "a2" }];
  const refusal = { ok: false, message: { code: "storage.full", params: {} } };
  let page = "";
  const phone = openPhone({
    seat: "vampires",
    request: async () => refusal,
    show: ([tree]) => (page = renderToString(tree)),
  });
  phone.update({ ...snapshot(legal, { v1: "a1" }), position: 1 });
  await phone.pressed({ action: "", argument: "", cell: "a1" });
  assert.doesNotMatch(page, /id="notice"/);
  await phone.pressed({ action: "", argument: "", cell: "a2" });
  assert.match(page, /id="notice"/);
  assert.match(page, /class="ring chosen"/);
  phone.update({ ...snapshot(legal, { v1: "a1" }), position: 2 });
  assert.doesNotMatch(page, /id="notice"|class="ring chosen"/);
});
