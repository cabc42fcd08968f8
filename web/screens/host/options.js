/** Each game's options: their values, what the page of settings calls them, and those that a table chose. */
import { text } from "../../core/i18n.js";

/** Each game's rulings and what may be chosen, the default first; null is "by the number of players". */
export const OPTIONS = {
  vampireradar: {
    pawns_each: [null, 3, 4, 8],
    bullets_each: [null, 2, 3, 6],
    pawns_per_turn: [3, 2, 1],
    turn_order: ["fixed", "rotating"],
    exhaustion: ["strict", "hopeless"],
    announce: ["immediate", "turn_end"],
    lazy_landing: [false, true],
    pawns_block_shots: [false, true],
    vampire_may_share: [true, false],
    stalled_after: [60, 30, 0],
    adjacency: ["orthogonal", "with_diagonals"],
    max_joined_walls: [2, 3, 7],
    path: ["phone", "paper"],
  },
  nosferatu: {
    entry_safe: ["first_jump", "chain"],
    no_safe_cell: ["move", "pass"],
    stalemate: ["pass", "loss", "draw"],
    draws: [true, false],
  },
  shisogari: {
    hands: ["phones", "cards"],
    start: ["random", "first"],
    last_card: ["chosen", "dealt"],
    dealt_pairs: ["kept", "redealt"],
    pick_colour: ["own", "free"],
    declare_equals_pick: [false, true],
    count_pairs: ["laid", "all"],
    place_seconds: [5, 10, 20, 30],
  },
  vwars: {
    factions: ["phones", "cards"],
    roles: ["chosen", "dealt"],
    start: ["random", "first"],
    troop_cap: [6, "none"],
    rally_awakening: ["anywhere", "same_city"],
    human_victory: ["after_riot", "at_once"],
    sputter_discards: [false, true],
    empty_riot_pool: ["none", "player_deck"],
    tie: ["humans", "vampires"],
  },
  vampire_empire: {
    trim: [true, false],
    marker_size: [1, 2],
    notebook: [false, true],
  },
};

/** What a value is called; the words are those of the room "settings". */
export function valueText(key, value) {
  if (value === null) return text("value.usual");
  if (typeof value === "boolean") return text(value ? "value.yes" : "value.no");
  if (typeof value === "string") return value.endsWith(".toml") ? value : text(`${key}.${value}`);
  return key === "setting.night_floor" || key === "option.place_seconds"
    ? text("seconds", { n: value })
    : String(value);
}

/** The options of a picture's game that are not the default ones, as [name, value]. */
export function chosenOptions({ game, view, lobby }) {
  const options = view?.options ?? lobby?.options ?? {};
  return Object.entries(OPTIONS[game])
    .filter(([name, [usual]]) => (options[name] ?? usual) !== usual)
    .map(([name]) => [name, options[name]]);
}
