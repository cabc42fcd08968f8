/** Sounds and spoken sentences of Manhunt's display. */

/** Sounds by event. */
export const events = {
  pawn_walked: "tok",
  fugitive_shown: "bell",
  target_reached: "bell",
  hideout_reached: "bell",
  question_answered: "clink",
  fugitive_caught: "groan",
};

/** Recordings that name seats without a number. */
export const seats = { F: "fugitive" };

/** Messages that are read as answers, and those that are read as turns. */
export const answers = [
  "event.fugitive_ways",
  "event.fugitive_far",
  "event.fugitive_shown",
  "event.target_reached",
  "event.hideout_reached",
  "event.was_here",
  "event.is_here",
  "event.within",
  "event.which_of",
  "event.arrest_missed",
  "event.nothing_found",
  "event.fugitive_caught",
];
export const turns = [
  "event.fugitive_placed",
  "event.fugitive_turn",
  "event.fugitive_moved",
  "event.fugitive_stayed",
  "event.night_over",
  "event.night_started",
];

/** @param {any} event @param {Names} names */
const walked = ({ pawn, to }, names) => [...names.pawn(pawn), ...names.cell(to)];

/** @param {string} question @returns {(event: any, names: Names) => (string | null)[]} */
const asked =
  (question) =>
  ({ pawn, cell }, names) => [...names.pawn(pawn), ...names.cell(cell), `ask.${question}`];

/** Recordings by sentence. @type {Record<string, Recording>} */
export const spoken = {
  "event.turn_started": ({ seat }, { call }) => [call(seat)],
  "event.fugitive_turn": "fugitive",
  "event.fugitive_placed": "fugitive.hidden",
  "event.fugitive_moved": "fugitive.moved",
  "event.fugitive_stayed": "fugitive.stayed",
  /** @param {{kinds: string}} event */
  "event.fugitive_ways": ({ kinds }) => [
    "fugitive.moved",
    ...kinds.split(", ").map((kind) => `way.${kind}`),
  ],
  "event.fugitive_far": ({ distance }, names) => ["fugitive.far", ...names.cell(`${distance}`)],
  "event.fugitive_shown": ({ cell }, names) => ["fugitive.shown", ...names.cell(cell)],
  "event.target_reached": ({ cell }, names) => ["fugitive.reached", ...names.cell(cell)],
  "event.hideout_reached": ({ cell }, names) => ["fugitive.reached", ...names.cell(cell)],
  "event.fugitive_caught": ({ cell }, names) => ["fugitive.caught", ...names.cell(cell)],
  "event.pawn_walked": walked,
  "event.pawn_set": walked,
  "event.was_here.yes": "yes",
  "event.was_here.no": "no",
  "event.is_here.yes": "yes",
  "event.is_here.no": "no",
  "event.within.yes": "yes",
  "event.within.no": "no",
  "event.which_of.yes": ({ found }, names) => ["yes", ...names.cell(found)],
  "event.which_of.no": "no",
  "event.was_here.asked": asked("was_here"),
  "event.is_here.asked": asked("is_here"),
  "event.within.asked": asked("within"),
  "event.which_of.asked": asked("which_of"),
  "event.arrest_missed": "nobody",
  "event.nothing_found": "nobody",
  "event.night_over": "fugitive.escaped",
  "event.night_started": "night",
  "event.game_over.hunters": "over.hunters",
  "event.game_over.fugitive": "over.fugitive",
};
