/** Spoken sentences of V-Wars's display. */

/** Messages that are read as answers. */
export const answers = [
  "event.turned_public",
  "event.investigated",
  "event.awakened",
  "event.election_held",
  "event.riot_ended",
  "event.control_changed",
];

/**
 * How a riot or an election ended, by the side that won. No recording has the names of places and
 * cards, which may be those of somebody's own box.
 * @param {string[]} before @param {string[]} after
 */
const won = (before, ...after) => ({
  human: () => [...before, "over.humans", ...after],
  vampire: () => [...before, "over.vampires", ...after],
});
const [election, city, massacre, rally, control] = [
  won(["election"]),
  won(["city"]),
  won(["riot"], "massacre"),
  won(["riot"], "rally"),
  won(["riot"]),
];

/**
 * What a player asked of another, and what came of it.
 * @param {string} verb @param {string} result
 * @returns {(event: any, names: Names) => (string | null)[]}
 */
const between =
  (verb, result) =>
  ({ seat, by }, { call }) => [call(seat), verb, call(by), result];

/** Recordings by sentence. @type {Record<string, Recording>} */
export const spoken = {
  "event.turn_started": ({ seat }, { call }) => [call(seat)],
  "event.turned_public": ({ seat }, { call }) => [call(seat), "is_vampire"],
  "event.investigated.right": between("names", "right"),
  "event.investigated.wrong": between("names", "wrong"),
  "event.awakened.joins": between("calls", "awakens"),
  "event.awakened.nothing": between("calls", "nothing"),
  "event.election_held.human": election.human,
  "event.election_held.vampire": election.vampire,
  "event.election_held.human.real": election.human,
  "event.election_held.vampire.real": election.vampire,
  "event.control_changed.human": city.human,
  "event.control_changed.vampire": city.vampire,
  "event.riot_ended.sputter": () => ["riot", "nothing"],
  "event.riot_ended.massacre.human": massacre.human,
  "event.riot_ended.massacre.vampire": massacre.vampire,
  "event.riot_ended.rally.human": rally.human,
  "event.riot_ended.rally.vampire": rally.vampire,
  "event.riot_ended.control.human": control.human,
  "event.riot_ended.control.vampire": control.vampire,
  "event.game_over.humans": "over.humans",
  "event.game_over.vampires": "over.vampires",
};
