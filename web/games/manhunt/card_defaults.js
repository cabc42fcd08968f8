/**
 * Default values of a file's rule card; a test compares them with the table's.
 * @type {ManhuntRuleCard}
 */
export const USUAL = {
  hunters: 3,
  fugitive_moves: 1,
  hunter_moves: 1,
  may_stay: ["hunter"],
  rounds: 24,
  shows: [],
  announce: "kind",
  questions: [],
  within: 2,
  arrest: "enter",
  ends: ["caught", "rounds"],
  targets: 0,
  double_moves: 0,
  unseen_moves: 0,
  nights: 1,
  paid_to: "box",
  tickets: {},
};
