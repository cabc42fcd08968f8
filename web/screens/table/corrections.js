/** Corrections that people must make if the board's reading differs from the record. */

/**
 * The corrections on the table, from the board's differences: moves {pawn?, from, to}, pawns to set
 * and to take off, tiles to empty, tokens to lay and to take {kind, cell}.
 * With a board without identities a move is named only if one tile is empty and one is too many.
 * @param {Partial<BoardStatus>} status
 */
export function corrections({ differences = [], owed = [] }) {
  const expected = new Map(
    differences.flatMap(({ cell, expected: pawns }) => pawns.map((pawn) => [pawn, cell])),
  );
  /** @type {Map<string, any>} */
  const seen = new Map(
    differences.flatMap(({ cell, seen: pawns }) => (pawns ?? []).map((pawn) => [pawn, cell])),
  );
  const missing = [...expected].filter(
    ([pawn, cell]) => seen.get(pawn) !== cell && isEmptyWhereSeen(cell, differences),
  );
  const extra = differences.filter(
    ({ cell, seen: pawns, occupied, expected: pawnsThere }) =>
      pawns === null && occupied && !pawnsThere.length && !owed.some((each) => each.cell === cell),
  );
  const off = [
    ...owed,
    ...[...seen].filter(([pawn]) => !expected.has(pawn)).map(([pawn, cell]) => ({ pawn, cell })),
  ];
  const tokens = wrongTokens(differences);
  if (missing.length === 1 && extra.length === 1 && !off.length) {
    return {
      moves: [{ pawn: missing[0][0], from: extra[0].cell, to: missing[0][1] }],
      set: [],
      off: [],
      empty: [],
      ...tokens,
    };
  }
  return {
    moves: missing
      .filter(([pawn]) => seen.has(pawn))
      .map(([pawn, cell]) => ({ pawn, from: seen.get(pawn), to: cell })),
    set: missing.filter(([pawn]) => !seen.has(pawn)).map(([pawn, cell]) => ({ pawn, cell })),
    off: unique(off),
    empty: extra.map(({ cell }) => cell),
    ...tokens,
  };
}

/** @param {string} cell @param {Difference[]} differences */
function isEmptyWhereSeen(cell, differences) {
  const difference = differences.find((each) => each.cell === cell);
  return difference?.seen !== null || !difference.occupied;
}

/** @template {{pawn: string}} T @param {T[]} pawns */
function unique(pawns) {
  return pawns.filter(({ pawn }, index) => pawns.findIndex((each) => each.pawn === pawn) === index);
}

/** @param {Difference} difference @returns {difference is ReadDifference} */
const readsTokens = (difference) => Boolean(difference.seen_tokens);

/** By kind and tile: what only the record or the board has. @param {Difference[]} differences */
function wrongTokens(differences) {
  const known = differences.filter(readsTokens);
  return {
    lay: known
      .filter(({ token, seen_tokens: seen }) => token && !seen.includes(token))
      .map(({ cell, token }) => ({ kind: token, cell })),
    take: known.flatMap(({ cell, token, seen_tokens: seen }) => {
      const place = token ? seen.indexOf(token) : -1;
      return seen.filter((_, index) => index !== place).map((kind) => ({ kind, cell }));
    }),
  };
}

/** Whether all differences are pawns left on the table. @param {BoardStatus} board */
export function isOnlyOwed(board) {
  const { moves, set, off, empty, lay, take } = corrections(board);
  return (
    board.owed?.length > 0 &&
    ![moves, set, empty, lay, take].some((each) => each.length) &&
    off.length <= board.owed.length
  );
}
