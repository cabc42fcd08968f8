/** Nosferatu in the replay: an open board. Pure. */
import "./names.js";
import { drawBoard, named } from "./board.js";
import { triangle } from "../../screens/replay/marks.js";
import { text } from "../../core/i18n.js";

/**
 * The field of hexagons with what moved as an arrow, and a ring where a piece was taken or turned.
 * @param {ReplayState} replayState @param {Moment & {message: {params: any}}} now
 */
function drawMoment({ moments, index }, now) {
  const before = moments[index - 1]?.view.pawns ?? {};
  const arrows = Object.entries(now.view.pawns).flatMap(([pawn, to]) =>
    before[pawn] && before[pawn] !== to ? [{ from: before[pawn], to }] : [],
  );
  return drawBoard(now.view, {
    title: text("field"),
    label: (cell) => named(now.view, cell),
    pressable: [],
    whyNot: () => text("wait.watch"),
    arrows,
    rings: now.event === "piece_jumped" ? { [now.message.params.taken_cell]: "taken" } : {},
  });
}

/** @type {Partial<ReplayFormat>} */
export const replay = {
  className: "nosferatu-replay",
  curve: "replay.curve",
  marks: { piece_jumped: (x) => triangle(x, "kill") },
  land: drawMoment,
};
