/** The moments of a round that is only shown to beginners: what everybody would see, step after step. */

const NONE = { P1: [], P2: [], P3: [], P4: [] };
const START = {
  backs: { P1: "wwbbb", P2: "wwbbb", P3: "wwwbb", P4: "wwwbb" },
  pairs: NONE,
  step: "turn",
  transfer: null,
  options: { place_seconds: 5 },
  shown: null,
  counted: null,
  needed: 5,
  mover: null,
};
const TAKES = { seat: "P1", way: "take", partner: "P2", item: "garlic" };
const GIVES = { seat: "P2", way: "give", partner: "P3", item: "dagger" };
const UP = { ...NONE, P1: [{ colour: "black", item: "garlic" }] };
const LAID = { ...UP, P3: [{ colour: "white", item: null }] };
const AFTER = { P1: "wwbb", P2: "wwbb", P3: "wwwbb", P4: "wwwbb" };
const BITTEN = { P1: "wwbb", P2: "wbb", P3: "wwbb", P4: "wwwbb" };

/**
 * The picture beside each sentence `tutorial.0` ….
 * @type {(ShisogariRound & {mover: string | null})[]}
 */
export const TUTORIAL = [
  START,
  START,
  { ...START, mover: "P1", step: "pick", transfer: TAKES },
  { ...START, mover: "P1", step: "place", transfer: TAKES, backs: { ...START.backs, P2: "wwbb" } },
  { ...START, mover: "P1", backs: AFTER, pairs: UP },
  { ...START, mover: "P3", step: "pick", transfer: GIVES, backs: AFTER, pairs: UP },
  { ...START, mover: "P3", backs: BITTEN, pairs: LAID },
  { ...START, backs: BITTEN, pairs: LAID },
  { ...START, mover: "P4", backs: BITTEN, pairs: LAID },
  { ...START, backs: BITTEN, pairs: LAID, counted: { pairs: 2, hunters: 3, needed: 5 } },
];
