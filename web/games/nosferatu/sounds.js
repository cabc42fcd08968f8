/** Sounds and spoken sentences of Nosferatu's display. */

/** Sounds by event. */
export const events = { piece_entered: "tok", piece_moved: "tok", piece_jumped: "clink" };

/** Recordings that name seats without a number. */
export const seats = { vampires: "vampires", villagers: "villagers" };

/** Recordings that name pieces, by the first letter. */
export const pieces = { n: "piece.nosferatu", v: "piece.vampire", m: "piece.villager" };

/** Messages that are read as answers. */
export const answers = ["event.piece_taken", "event.piece_converted"];
export const turns = ["event.passed"];

/** @param {any} event @param {Names} names */
const moved = ({ pawn, cell }, names) => [...names.pawn(pawn), ...names.cell(cell)];

/** @param {any} event @param {Names} names */
const jumped = (event, names) => [...moved(event, names), ...names.cell(event.taken_cell)];

/** Recordings by sentence. @type {Record<string, Recording>} */
export const spoken = {
  "event.turn_started": ({ seat }, { call }) => [call(seat)],
  "event.passed": ({ seat }, { call }) => [call(seat), "passes"],
  "event.piece_entered": moved,
  "event.piece_moved": moved,
  "event.piece_set": moved,
  "event.piece_taken": (event, names) => [...jumped(event, names), "taken"],
  "event.piece_converted": (event, names) => [...jumped(event, names), "turned"],
  "event.game_over.vampires": "over.vampires",
  "event.game_over.villagers": "over.villagers",
};
