/** The rules of Vampire Empire as its pages show them. */

/** The options with their values, the default first; null is "by the number of players". */
export const options = { trim: [true, false], marker_size: [1, 2], notebook: [false, true] };

/** The chapters: the name of the texts, how many sentences there are, the sign, and the steps drawn in it. */
export const chapters = [
  ["goal", 2, "moon", "secret", "castle"],
  ["turn", 4, "circle", "turn"],
  ["actions", 4, "diamond", "water"],
  ["fight", 5, "sword", "fight"],
  ["support", 2, "heart"],
  ["table", 4, "undo"],
  ["end", 3, "fang", "end"],
];
