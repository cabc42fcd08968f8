/** The rules of VampireRadar as its pages show them. */

/** The options with their values, the default first; null is "by the number of players". */
export const options = {
  pawns_each: [null, 3, 4, 8],
  bullets_each: [null, 2, 3, 6],
  pawns_per_turn: [3, 2, 1],
  turn_order: ["fixed", "rotating"],
  exhaustion: ["strict", "hopeless"],
  announce: ["immediate", "turn_end"],
  lazy_landing: [false, true],
  pawns_block_shots: [false, true],
  vampire_may_share: [true, false],
  stalled_after: [60, 30, 0],
  adjacency: ["orthogonal", "with_diagonals"],
  max_joined_walls: [2, 3, 7],
  path: ["phone", "paper"],
};

/** The table's settings that count in this game, with their values. */
export const settings = {
  night_floor: [0, 12, 20],
  auto_pick_up: [true, false],
  marks: [true, false],
  player_groans: [false, true],
};

/** The levels of help: the referee alone, the clue list too, the odds as well. */
export const help = {
  referee: { clues: false, hints: false },
  clues: { clues: true, hints: false },
  hints: { clues: true, hints: true },
};

/** The chapters: the name of the texts, how many sentences there are, the sign, and the steps drawn in it. */
export const chapters = [
  ["goal", 2, "moon", "hide"],
  ["turn", 4, "bullet", "walk"],
  ["radar", 2, "radar", "radar"],
  ["shot", 3, "heart", "shoot"],
  ["night", 4, "bat", "night"],
  ["table", 6, "undo"],
  ["end", 2, "moon", "end"],
];
