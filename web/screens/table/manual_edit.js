/** How the table stands, as people say it: a draft beside the record, {pawns: {pawn: cell}, tokens: {cell: kind or null}}. */
import { tileAt } from "../../games/vampireradar/field.js";

const TOKENS = { o: ["bullet", "bullets"], b: ["bat", "bats"] };

/** What can lie on a tile; a field without tiles has no tokens. */
const tokenOf = (cell, view) => (view.tiles ? TOKENS[tileAt(cell, view.tiles)] : null);

export const NOTHING_SET = { pawns: {}, tokens: {} };
export const isNothing = ({ pawns, tokens }) =>
  !Object.keys(pawns).length && !Object.keys(tokens).length;

/** What the board sees for certain of how the table stands; a board that sees no identities is believed where one pawn can be meant. */
export function seenByBoard({ differences = [] }, view) {
  const named = differences.filter(({ seen }) => seen !== null);
  const moved = named.flatMap(({ cell, seen }) =>
    seen
      .filter((pawn) => view.pawns[pawn] && view.pawns[pawn] !== cell)
      .map((pawn) => [pawn, cell]),
  );
  return {
    pawns: Object.fromEntries(named.length ? moved : onePawn(differences)),
    tokens: Object.fromEntries(seenTokens(differences, view)),
  };
}

function onePawn(differences) {
  const left = differences.filter(({ occupied, expected }) => !occupied && expected.length);
  const found = differences.filter(({ occupied, expected }) => occupied && !expected.length);
  const isPlain = left.length === 1 && found.length === 1 && left[0].expected.length === 1;
  return isPlain ? [[left[0].expected[0], found[0].cell]] : [];
}

/** The tokens that are gone, and those that lie again on their own kind of tile; others can only be taken off. */
function seenTokens(differences, view) {
  return differences
    .filter(({ seen_tokens: seen, token }) => seen && (seen[0] ?? null) !== token)
    .flatMap(({ cell, seen_tokens: seen }) => {
      const own = tokenOf(cell, view)?.[0];
      if (!own) return [];
      return !seen.length ? [[cell, null]] : seen.includes(own) ? [[cell, own]] : [];
    });
}

/** The view as the draft would have it. */
export function drafted(view, { pawns, tokens }) {
  if (!view.tokens) return { ...view, pawns: { ...view.pawns, ...pawns } };
  const lying = (name, kind) => [
    ...view.tokens[name].filter((cell) => !(cell in tokens)),
    ...Object.keys(tokens).filter((cell) => tokens[cell] === kind),
  ];
  return {
    ...view,
    pawns: { ...view.pawns, ...pawns },
    tokens: { bullets: lying("bullets", "bullet"), bats: lying("bats", "bat") },
  };
}

/**
 * What a press on a tile makes of a draft: a chosen pawn is set there; else the next pawn that stands there is chosen,
 * and on a tile without pawns its token goes or comes. Answers {draft, pawn}.
 */
export function pressed(draft, view, cell, chosen) {
  const now = drafted(view, draft);
  const standing = Object.keys(now.pawns)
    .sort()
    .filter((pawn) => now.pawns[pawn] === cell);
  if (chosen && !standing.includes(chosen))
    return { draft: withPawn(draft, view, chosen, cell), pawn: null };
  if (standing.length) return { draft, pawn: standing[standing.indexOf(chosen) + 1] ?? null };
  return { draft: withToken(draft, view, now, cell), pawn: null };
}

function withPawn(draft, view, pawn, cell) {
  const { [pawn]: _, ...others } = draft.pawns;
  return { ...draft, pawns: view.pawns[pawn] === cell ? others : { ...others, [pawn]: cell } };
}

function withToken(draft, view, now, cell) {
  const [kind, name] = tokenOf(cell, view) ?? [];
  if (!kind) return draft;
  const lies = now.tokens[name].includes(cell);
  const { [cell]: _, ...others } = draft.tokens;
  const isAsItWas = view.tokens[name].includes(cell) === !lies;
  return { ...draft, tokens: isAsItWas ? others : { ...others, [cell]: lies ? null : kind } };
}

/** The changes of a draft one by one, as codes of the catalogue and their parameters; `view` tells which token goes. */
export function changes({ pawns, tokens }, view) {
  return [
    ...Object.entries(pawns).map(([pawn, cell]) => ({
      code: "byhand.pawn",
      params: { pawn, cell },
    })),
    ...Object.entries(tokens).map(([cell, kind]) => ({
      code: kind ? "byhand.laid" : "byhand.removed",
      params: { kind: kind ?? tokenOf(cell, view)[0], cell },
    })),
  ];
}
