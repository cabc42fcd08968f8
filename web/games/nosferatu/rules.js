/** The rules of Nosferatu as its pages show them. */

/** The options with their values, the default first; null is "by the number of players". */
export const options = {
  entry_safe: ["first_jump", "chain"],
  no_safe_cell: ["move", "pass"],
  stalemate: ["pass", "loss", "draw"],
  draws: [true, false],
};

/** The chapters: the name of the texts, how many sentences there are, the sign, and the steps drawn in it. */
export const chapters = [
  ["goal", 2, "moon", "sides"],
  ["enter", 2, "bat", "enter"],
  ["capture", 3, "heart", "capture"],
  ["count", 2, "moon", "convert"],
  ["move", 1, "bat", "must"],
  ["end", 2, "heart", "end"],
];
