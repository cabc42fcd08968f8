/** The rules of Manhunt as its pages show them. */

/** The options with their values, the default first; further maps come from the table. */
export const options = { path: ["phone", "paper"] };

/** The levels of help: the referee alone, or possible places and suggestions too. */
export const help = { referee: { hints: false }, hints: { hints: true } };

/** The chapters: the name of the texts, how many sentences there are, the sign, and the steps drawn in it. */
export const chapters = [
  ["goal", 2, "moon", "hide"],
  ["move", 3, "circle", "walk", "hunt"],
  ["announce", 3, "radar", "announce"],
  ["ask", 3, "list", "ask"],
  ["catch", 2, "check", "catch"],
  ["end", 3, "heart"],
  ["map", 2, "pencil"],
];
