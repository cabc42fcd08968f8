import assert from "node:assert/strict";
import test from "node:test";
import { isNothing } from "../../../web/screens/table/manual_edit.js";
import { edit } from "../../../web/games/vampireradar/drawing/tokens.js";
import { standing } from "../../../web/games/vampireradar/snapshot.js";
import { view } from "../views.mjs";

const NOTHING_SET = { pawns: {}, tokens: {} };

const { changes, drafted, pressed, seenByBoard } = edit;

/** A radar on B1, bullets on C1 and D1, a bat on E1; H1a on A1, H1b on B2, H2a on B2. */
const table = view({
  tiles: [".roob.", "......", "......", "......", "......", "......"],
  pawns: { H1a: "A1", H1b: "B2", H2a: "B2" },
  tokens: { bullets: ["C1"], bats: ["E1"] },
});
const difference = (cell, expected, more) => ({
  cell,
  expected,
  seen: null,
  occupied: false,
  token: null,
  seen_tokens: null,
  ...more,
});

test("what a board sees by name is taken over, pawns out of the game left out", () => {
  const differences = [
    difference("A1", ["H1a"], { seen: [] }),
    difference("D4", [], { seen: ["H1a", "H3c"], occupied: true }),
  ];
  assert.deepEqual(seenByBoard({ differences }, table), { pawns: { H1a: "D4" }, tokens: {} });
});

test("a board without names is believed where one pawn went from one tile to one other", () => {
  const missing = difference("A1", ["H1a"]);
  const extra = difference("D4", [], { occupied: true });
  assert.deepEqual(seenByBoard({ differences: [missing, extra] }, table).pawns, { H1a: "D4" });
  assert.deepEqual(
    seenByBoard({ differences: [difference("B2", ["H1b", "H2a"]), extra] }, table).pawns,
    {},
  );
  assert.deepEqual(
    seenByBoard({ differences: [missing, extra, difference("E4", [], { occupied: true })] }, table)
      .pawns,
    {},
  );
});

test("tokens that a board sees gone or back on their own kind of tile are taken over, others are not", () => {
  const differences = [
    difference("C1", [], { seen: [], token: "bullet", seen_tokens: [] }),
    difference("D1", [], { seen: [], seen_tokens: ["bullet"] }),
    difference("E1", [], { seen: [], token: "bat", seen_tokens: ["bullet"] }),
    difference("A2", [], { seen: [], seen_tokens: ["bat"] }),
  ];
  assert.deepEqual(seenByBoard({ differences }, table).tokens, { C1: null, D1: "bullet" });
});

test("there is no message without a board", () => {
  assert.ok(isNothing(seenByBoard({}, table)));
});

test("a pressed pawn is chosen, on a shared tile one after the other, and the next tile is where it stands", () => {
  const first = pressed(NOTHING_SET, table, "B2", null);
  assert.equal(first.pawn, "H1b");
  assert.equal(pressed(first.draft, table, "B2", "H1b").pawn, "H2a");
  assert.equal(pressed(first.draft, table, "B2", "H2a").pawn, null);
  assert.deepEqual(pressed(first.draft, table, "F6", "H1b"), {
    draft: { pawns: { H1b: "F6" }, tokens: {} },
    pawn: null,
  });
});

test("a pawn can be set on a tile where another stands", () => {
  assert.deepEqual(pressed(NOTHING_SET, table, "B2", "H1a").draft.pawns, { H1a: "B2" });
});

test("a pawn that is set back where the record has it is no change", () => {
  const { draft } = pressed({ pawns: { H1a: "C3" }, tokens: {} }, table, "A1", "H1a");
  assert.ok(isNothing(draft));
});

test("a press on a free tile of bullets or bats takes its token off, and lays it again", () => {
  const draft = pressed(NOTHING_SET, table, "C1", null).draft;
  assert.deepEqual(draft.tokens, { C1: null });
  assert.deepEqual(drafted(table, draft).tokens, { bullets: [], bats: ["E1"] });
  assert.ok(isNothing(pressed(draft, table, "C1", null).draft));
  assert.deepEqual(pressed(NOTHING_SET, table, "D1", null).draft.tokens, { D1: "bullet" });
  assert.ok(isNothing(pressed(NOTHING_SET, table, "B1", null).draft));
});

test("each change has its words, a token that goes is named by its tile", () => {
  assert.deepEqual(changes({ pawns: { H1a: "D4" }, tokens: { C1: null, E1: "bat" } }, table), [
    { code: "byhand.pawn", params: { pawn: "H1a", cell: "D4" } },
    { code: "byhand.removed", params: { kind: "bullet", cell: "C1" } },
    { code: "byhand.laid", params: { kind: "bat", cell: "E1" } },
  ]);
});

test("what was set by hand at once is taken back as one act", () => {
  const logOf = (...names) =>
    names.map((event, index) => ({
      position: index,
      event: { event, steps: 1 },
      message: { code: event, params: {} },
    }));
  const eventsOf = (...names) => standing(logOf(...names)).map(({ event }) => event.event);
  assert.deepEqual(
    eventsOf("radar_called", "by_hand_asked", "vote_agreed", "pawn_set", "token_set", "rewound"),
    ["radar_called", "by_hand_asked", "vote_agreed"],
  );
  assert.deepEqual(eventsOf("radar_called", "pawn_set", "token_set", "rewound", "rewound"), []);
});
