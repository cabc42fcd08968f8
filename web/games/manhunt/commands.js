/** What the field of commands knows of Manhunt. */
import { wordsOf } from "../../core/commands/matching.js";
import { namesOfPawn } from "../../core/commands/questions.js";
import { seatOf, text, translated } from "../../core/i18n.js";
import { mapOf } from "../../core/reference.js";
import { placeName, placeWords } from "./board.js";

/** @type {CommandGame} */
export const commands = {
  verbs: ["move"],
  placeVerb: "move",
  questions: { where },
  subjects: ({ view, seats }) =>
    view
      ? [
          ...(mapOf()?.places ?? []).map(
            /** @param {{number: number, name?: string}} place */
            ({ number, name }) => ({
              names: [wordsOf(String(number)), wordsOf(translated(name ?? ""))],
              words: () => [`${placeWords(view, String(number))}.`],
            }),
          ),
          ...Object.keys(view.pawns).map((pawn) => ({
            names: namesOfPawn(pawn, seats),
            isPerson: true,
            words: () => [stands(view, pawn)],
          })),
        ]
      : [],
};

/** @param {View} view @param {string} pawn */
const stands = (view, pawn) =>
  text("commands.stands", { pawn, place: placeName(view.pawns[pawn]) });

/**
 * Where a hunter's pawns are, all pawns for others; where the fugitive is, while its player looks.
 * @param {Known} known
 */
function where({ snapshot: { view }, seat, phone }) {
  if (!view) return [];
  const all = Object.keys(view.pawns).sort();
  const own = all.filter((pawn) => seatOf(pawn) === seat);
  const planned = phone?.seen?.view.own?.cell ?? phone?.secret?.own?.cell;
  return [
    planned ? text("commands.you_at", { place: placeName(planned) }) : "",
    ...(own.length ? own : all).map((pawn) => stands(view, pawn)),
  ].filter(Boolean);
}
