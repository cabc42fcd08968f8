/** What the field of commands knows of Nosferatu: places and their pieces have names on the page. */
import { text } from "../../core/i18n.js";
import { kindOf } from "./board.js";
import { PIECES } from "./names.js";

/** @type {CommandGame} */
export const commands = { verbs: ["move"], placeVerb: "move", questions: { where } };

/** Where the pieces of each kind are; a side's own for its phone. @param {Known} known */
function where({ snapshot: { view }, seat }) {
  if (!view) return [];
  return Object.entries(PIECES).flatMap(([kind, piece]) => {
    const side = kind === "m" ? "villagers" : "vampires";
    const pawns = Object.keys(view.pawns).filter((pawn) => kindOf(pawn) === kind);
    if (!pawns.length || (seat && seat !== side)) return [];
    const list = pawns.map((pawn) => view.pawns[pawn]).sort();
    return [text("commands.pieces", { piece: text(`piece.${piece}`), list: list.join(", ") })];
  });
}
