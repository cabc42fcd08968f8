/** The rules of V-Wars as its pages show them. */

/** The options with their values, the default first; null is "by the number of players". */
export const options = {
  factions: ["phones", "cards"],
  roles: ["chosen", "dealt"],
  start: ["random", "first"],
  troop_cap: [6, "none"],
  rally_awakening: ["anywhere", "same_city"],
  human_victory: ["after_riot", "at_once"],
  sputter_discards: [false, true],
  empty_riot_pool: ["none", "player_deck"],
  tie: ["humans", "vampires"],
};

/** The chapters: the name of the texts, how many sentences there are, the sign, and the steps drawn in it. */
export const chapters = [
  ["goal", 4, "moon", "factions", "track"],
  ["turn", 2, "circle", "move"],
  ["actions", 5, "diamond", "troops"],
  ["event", 2, "star"],
  ["riot", 5, "sword", "riot"],
  ["cards", 1, "square"],
  ["table", 4, "undo"],
  ["end", 2, "fang", "end"],
];
