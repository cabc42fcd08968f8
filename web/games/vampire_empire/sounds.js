/** Spoken sentences of Vampire Empire's display. */

/** Recordings that name seats without a number. */
export const seats = { vampire: "vampire", human: "human" };

/** Messages that are read as answers. */
export const answers = [
  "event.vampire_revealed",
  "event.holy_water_answered",
  "event.both_live",
  "event.character_died",
  "event.player_out",
];

/** @param {any} event @param {string[]} words */
const about = ({ character }, ...words) => [`character.${character}`, ...words];

/** Recordings by sentence. @type {Record<string, Recording>} */
export const spoken = {
  "event.turn_started.vampire": "night",
  "event.turn_started.human": "day",
  "event.vampire_revealed": (event) => about(event, "is_vampire"),
  "event.holy_water_answered.yes": (event) => about(event, "is_vampire"),
  "event.holy_water_answered.no": (event) => about(event, "no_vampire"),
  "event.both_live": "both_live",
  "event.character_died.vampire": (event) => ["dead", ...about(event, "is_vampire")],
  "event.character_died.human": (event) => ["dead", ...about(event, "is_human")],
  "event.player_out": ({ seat }, { call }) => [call(seat), "no_cards"],
  "event.game_over.vampire": "over.vampire",
  "event.game_over.human": "over.humans",
};
