/** The rules of Nosferatu as its pages show them. */

/** The options with their values, the default first; null is "by the number of players". */
export const options = {
  entry_safe: ["first_jump", "chain"],
  no_safe_cell: ["move", "pass"],
  stalemate: ["pass", "loss", "draw"],
  draws: [true, false],
};

/** The chapters: the name of the texts, how many sentences there are, and the sign. */
export const chapters = [
  ["goal", 2, "moon"],
  ["enter", 2, "bat"],
  ["capture", 3, "heart"],
  ["count", 2, "moon"],
  ["move", 1, "bat"],
  ["end", 2, "heart"],
];
