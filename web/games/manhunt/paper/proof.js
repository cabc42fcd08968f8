/**
 * Check Manhunt's turns on paper after the sealed ones: walk each typed page again, compare every
 * answer. Pure.
 */
import { assert, same } from "../../../proof/assert.js";
import { onPaper } from "../../../proof/secret_path.js";

/**
 * Compare `pages` with all public events since the paper was taken up: each start and each turn is
 * one, the first is the fugitive's place then. Returns the time of each page, null for that one.
 * @param {any} before @param {string[][]} pages @param {Record<string, number>} count
 */
export function retrace(before, pages, count) {
  const game = before.copy();
  const left = pages.map((cells) => [...cells]);
  /** @type {any[]} */
  const when = [];
  if (game.isHidden) {
    assert(same(left.shift(), [game.place]), "proof.paper");
    when.push(null);
  }
  for (const event of before.paper) {
    if (["fugitive_placed", "fugitive_moved"].includes(event.event)) when.push(game.when);
    if (event.event === "fugitive_placed") hide(game, left.shift());
    if (event.event === "fugitive_moved") walk(game, left.shift(), event);
    if (event.event === "game_over" && event.reason === "trapped")
      assert(mustMove(game) && !near(game, game.place).length, "proof.paper");
    if (!PLACES.includes(event.event))
      assert(game.expectedEvent === null || event.event === "fugitive_moved", "proof.paper");
    onPaper(() => game.hear(event, count));
  }
  assert(left.length === 0, "proof.paper");
  return when;
}

/** The events that announce a place at the end of a turn. */
const PLACES = ["fugitive_shown", "hideout_reached", "target_reached"];

/** @param {ManhuntGame} game */
const mustMove = ({ rules }) => !rules.may_stay.includes("fugitive");

/** The ways from a place to free ones. @param {ManhuntGame} game @param {string} from */
const near = (game, from) =>
  game.secret[from]?.filter(({ to }) => !Object.values(game.pawns).includes(to)) ?? [];

/** @param {ManhuntGame} game @param {any} cells */
function hide(game, cells) {
  assert(
    cells?.length === 1 &&
      game.starts().includes(cells[0]) &&
      !Object.values(game.pawns).includes(cells[0]),
    "proof.paper",
  );
  Object.assign(game, { place: cells[0], trail: [cells[0]] });
}

/**
 * Walk a typed turn whose `ways` were announced.
 * @param {any} game @param {any} cells @param {{ways?: string[]?}} told
 */
function walk(game, cells, { ways = null }) {
  const { fugitive_moves: moves, may_stay: mayStay } = game.rules;
  const isLengthAllowed = cells?.length <= moves && (cells.length || mayStay.includes("fugitive"));
  assert(isLengthAllowed && (ways === null || ways.length === cells.length), "proof.paper");
  let at = game.place;
  for (const [index, to] of cells.entries()) {
    const way = ways?.[index] ?? null;
    /** @param {ManhuntStep} step */
    const isTold = ({ kind }) =>
      way === null || way === "unseen" || game.label(at, to, kind) === way;
    assert(
      near(game, at).some((each) => each.to === to && isTold(each)),
      "proof.paper",
    );
    at = to;
  }
  const spent = { ...game.tickets, unseen: game.unseen };
  for (const way of ways ?? []) if (way in spent) spent[way] -= 1;
  assert(
    Object.values(spent).every((n) => n >= 0),
    "proof.paper",
  );
  // The announced ways were compared above; the rest is compared as in a sealed turn.
  game.turns = [{ ways, trail: cells, place: at }];
  game.expectedEvent = "fugitive_moved";
}
