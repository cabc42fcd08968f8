/**
 * Draft the position that people enter by hand: {pawns: {pawn: cell}, tokens: {cell: kind or null}}.
 * @param {Draft} draft
 */
export const isNothing = ({ pawns, tokens }) =>
  !Object.keys(pawns).length && !Object.keys(tokens).length;

/**
 * Return the functions of a game's display for drafts: {seenByBoard, drafted, pressed, mayPress,
 * changes}.
 * `kindAt(cell, view)`: the kind of token that can lie on a cell; `lists`: the view's list of each
 * kind.
 * @param {{kindAt?: (cell: string, view: any) => string | null, lists?: Record<string, string>}} [parts]
 */
export function manualEdit({ kindAt = (_cell, _view) => null, lists = {} } = {}) {
  /**
   * Missing tokens, and those that are back on their own kind of tile; others can only be removed.
   * @param {Difference[]} differences @param {View} view
   */
  function seenTokens(differences, view) {
    return differences
      .filter(({ seen_tokens: seen, token }) => seen && (seen[0] ?? null) !== token)
      .flatMap(({ cell, seen_tokens: seen }) => {
        const own = kindAt(cell, view);
        if (!own || !seen) return [];
        return !seen.length ? [[cell, null]] : seen.includes(own) ? [[cell, own]] : [];
      });
  }

  /**
   * The cells of tokens of one kind, after the draft.
   * @param {string} kind @param {View} view @param {Draft["tokens"]} tokens
   */
  const lying = (kind, view, tokens) => [
    ...view.tokens[lists[kind]].filter((cell) => !(cell in tokens)),
    ...Object.keys(tokens).filter((cell) => tokens[cell] === kind),
  ];

  /**
   * The view after the draft.
   * @template {View} T
   * @param {T} view
   * @param {Draft} draft
   * @returns {T}
   */
  const drafted = (view, { pawns, tokens }) => ({
    ...view,
    pawns: { ...view.pawns, ...pawns },
    ...(view.tokens && {
      tokens: Object.fromEntries(
        Object.keys(lists).map((kind) => [lists[kind], lying(kind, view, tokens)]),
      ),
    }),
  });

  /** @param {Draft} draft @param {View} view @param {View} now @param {string} cell */
  function withToken(draft, view, now, cell) {
    const kind = kindAt(cell, view);
    if (!kind) return draft;
    const lies = now.tokens[lists[kind]].includes(cell);
    const { [cell]: _, ...others } = draft.tokens;
    const isAsItWas = view.tokens[lists[kind]].includes(cell) === !lies;
    return { ...draft, tokens: isAsItWas ? others : { ...others, [cell]: lies ? null : kind } };
  }

  return {
    drafted,

    /**
     * The certain readings of the board; without identities, those that only one pawn explains.
     * @param {BoardStatus} status @param {View} view
     */
    seenByBoard({ differences = [] }, view) {
      const named = differences.filter(({ seen }) => seen !== null);
      const moved = named.flatMap(({ cell, seen }) =>
        (seen ?? [])
          .filter((pawn) => view.pawns[pawn] && view.pawns[pawn] !== cell)
          .map((pawn) => [pawn, cell]),
      );
      return {
        pawns: Object.fromEntries(named.length ? moved : onePawn(differences)),
        tokens: Object.fromEntries(seenTokens(differences, view)),
      };
    },

    /**
     * Apply a press on a cell to a draft: set a chosen pawn there; else choose the next pawn on it;
     * on a cell without pawns remove or add its token. Returns {draft, pawn}.
     * @param {Draft} draft @param {View} view @param {string} cell @param {string | null} chosen
     */
    pressed(draft, view, cell, chosen) {
      const now = drafted(view, draft);
      const standing = Object.keys(now.pawns)
        .sort()
        .filter((pawn) => now.pawns[pawn] === cell);
      if (chosen && !standing.includes(chosen))
        return { draft: withPawn(draft, view, chosen, cell), pawn: null };
      if (standing.length)
        return { draft, pawn: standing[standing.indexOf(chosen ?? "") + 1] ?? null };
      return { draft: withToken(draft, view, now, cell), pawn: null };
    },

    /**
     * Whether a press on a cell of a drafted view means anything.
     * @param {View} view @param {string} cell @param {string | null} chosen
     */
    mayPress: (view, cell, chosen) =>
      Boolean(chosen || kindAt(cell, view) || Object.values(view.pawns).includes(cell)),

    /** A draft's changes, as codes and parameters. @param {Draft} draft @param {View} view */
    changes: ({ pawns, tokens }, view) => [
      ...Object.entries(pawns).map(([pawn, cell]) => ({
        code: "byhand.pawn",
        params: { pawn, cell },
      })),
      ...Object.entries(tokens).map(([cell, kind]) => ({
        code: kind ? "byhand.laid" : "byhand.removed",
        params: { kind: kind ?? kindAt(cell, view), cell },
      })),
    ],
  };
}

/** @param {Difference[]} differences */
function onePawn(differences) {
  const left = differences.filter(({ occupied, expected }) => !occupied && expected.length);
  const unexpected = differences.filter(({ occupied, expected }) => occupied && !expected.length);
  const isPlain = left.length === 1 && unexpected.length === 1 && left[0].expected.length === 1;
  return isPlain ? [[left[0].expected[0], unexpected[0].cell]] : [];
}

/** @param {Draft} draft @param {View} view @param {string} pawn @param {string} cell */
function withPawn(draft, view, pawn, cell) {
  const { [pawn]: _, ...others } = draft.pawns;
  return { ...draft, pawns: view.pawns[pawn] === cell ? others : { ...others, [pawn]: cell } };
}
