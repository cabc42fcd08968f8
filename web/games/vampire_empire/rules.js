/** The rules of Vampire Empire as its pages show them. */

/** The options with their values, the default first; null is "by the number of players". */
export const options = {
  trim: [true, false],
  marker_size: [1, 2],
  notebook: [false, true],
};

/** The chapters: the name of the texts, how many sentences there are, and the sign. */
export const chapters = [
  ["goal", 2, "moon"],
  ["turn", 4, "circle"],
  ["actions", 4, "diamond"],
  ["fight", 5, "sword"],
  ["support", 2, "heart"],
  ["table", 4, "undo"],
  ["end", 3, "fang"],
];
