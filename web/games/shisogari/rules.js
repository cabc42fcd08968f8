/** The rules of Shisogari as its pages show them. */

/** The options with their values, the default first; null is "by the number of players". */
export const options = {
  hands: ["phones", "cards"],
  start: ["random", "first"],
  last_card: ["chosen", "dealt"],
  dealt_pairs: ["kept", "redealt"],
  pick_colour: ["own", "free"],
  declare_equals_pick: [false, true],
  count_pairs: ["laid", "all"],
  place_seconds: [5, 10, 20, 30],
};

/** The chapters: the name of the texts, how many sentences there are, the sign, and the steps drawn in it. */
export const chapters = [
  ["goal", 2, "moon", "roles"],
  ["cards", 3, "diamond", "backs"],
  ["turn", 3, "circle", "take"],
  ["pick", 3, "bat", "pair", "bite"],
  ["accuse", 3, "heart", "accuse"],
  ["table", 3, "undo"],
];
