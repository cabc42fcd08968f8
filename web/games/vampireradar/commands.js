/** What the field of commands knows of Vampire Radar. */
import { wordsOf } from "../../core/commands/matching.js";
import { namesOfPawn } from "../../core/commands/questions.js";
import { letterOf, pawnName, seatOf, text } from "../../core/i18n.js";
import { describe } from "./drawing/board.js";
import { CELLS, distanceOf } from "./drawing/field.js";
import { lastAnswer, standing } from "./snapshot.js";

/** Steps within which a pawn is near a bat: what a vampire may walk in one night. */
const NEAR = 2;

/** @type {CommandGame} */
export const commands = {
  verbs: ["walk", "shoot", "attack", "heal"],
  placeVerb: "walk",
  questions: { where, near, fit },
  subjects: ({ view, marks, seats }, seat) =>
    view
      ? [
          ...CELLS.map((cell) => ({
            names: [wordsOf(cell)],
            words: () => [`${describe(cell, view, text, marks)}.`],
          })),
          ...Object.keys(view.pawns).map((pawn) => ({
            names: namesOfPawn(pawn, seats),
            isPerson: true,
            words: () => [stands(view, pawn)],
          })),
          ...[..."abcdefgh"].flatMap((letter) => ofLetter(view, letter, seat)),
        ]
      : [],
  pieces: ({ view, to_move: mover }) =>
    Object.entries(view?.pawns ?? {})
      .filter(([pawn]) => seatOf(pawn) === mover)
      .map(([pawn, cell]) => ({ name: letterOf(pawn), pawn, cell })),
};

/**
 * What a letter alone asks about: the seat's own pawn, else each human's.
 * @param {RadarView} view @param {string} letter @param {string | null} seat
 * @returns {CommandSubject[]}
 */
function ofLetter(view, letter, seat) {
  const pawns = Object.keys(view.pawns).filter((pawn) => letterOf(pawn) === letter);
  const own = pawns.filter((pawn) => seatOf(pawn) === seat);
  const meant = own.length ? own : pawns;
  return meant.length
    ? [{ names: [[letter]], words: () => meant.map((pawn) => stands(view, pawn)) }]
    : [];
}

/** @param {RadarView} view @param {string} pawn */
const stands = (view, pawn) => text("commands.stands", { pawn, cell: view.pawns[pawn] });

/**
 * Where a seat's pawns are, all pawns for a screen without some; where the vampire is, while its
 * player looks.
 * @param {Known} known
 */
function where({ snapshot: { view }, seat, phone }) {
  if (!view) return [];
  const planned = phone?.seen?.view.own?.cell ?? phone?.secret?.own?.cell;
  if (planned) return [text("you.at", { cell: planned })];
  const all = Object.keys(view.pawns).sort();
  const own = all.filter((pawn) => seatOf(pawn) === seat);
  return (own.length ? own : all).map((pawn) => stands(view, pawn));
}

/** For each bat the pawns within two steps, whatever walls stand between. @param {Known} known */
function near({ snapshot: { view } }) {
  if (!view) return [];
  if (!view.tokens.bats.length) return [text("commands.no_bats")];
  return view.tokens.bats.map(
    /** @param {string} cell */
    (cell) => {
      const pawns = Object.keys(view.pawns)
        .sort()
        .filter((pawn) => distanceOf(view.pawns[pawn], cell) <= NEAR)
        .map((pawn) => `${pawnName(pawn)} (${distanceOf(view.pawns[pawn], cell)})`);
      return pawns.length
        ? text("commands.near_bat", { cell, list: pawns.join(", ") })
        : text("commands.bat_alone", { cell });
    },
  );
}

/** The tiles at the last radar's distance, which anybody can count. @param {Known} known */
function fit({ snapshot }) {
  const radar = standing(snapshot.log).findLast(({ event }) => event.event === "radar_called");
  /** @type {any} */
  const { cell, distance } = (radar ?? lastAnswer(snapshot))?.event ?? {};
  if (distance === undefined) return [text("commands.no_radar")];
  const tiles = CELLS.filter((other) => distanceOf(cell, other) === distance);
  return [text("commands.fit", { cell, distance, list: tiles.join(", ") })];
}
