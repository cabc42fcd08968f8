/** Sounds and spoken sentences of Vampire Radar's display. */
import { tileAt } from "./drawing/field.js";

/** Sounds by event: a name, or a function that returns one. */
export const events = {
  pawn_walked: "tok",
  bullet_taken: "clink",
  pawns_killed: "scream",
  bat_eaten: "flap",
  /** @param {any} event */
  shot_fired: ({ hit }) => (hit ? "groan" : "wind"),
  /** Dawn is the end of the vampire's turn. @param {any} event */
  turn_ended: ({ seat }) => (seat === "V" ? "bell" : null),
};

/** Sounds while the answer to an event is held back. */
export const before = { radar_called: "sweep", shot_fired: "heartbeat" };

/**
 * Return whether the vampire's player makes this sound, or speaks this sentence, instead of the speaker.
 * @param {TableSettings} settings @param {string} name
 */
export const isLeftToPlayer = ({ player_groans: isOwn }, name) =>
  isOwn && /^(groan|wind|event\.shot_\w+)$/.test(name);

/** Recordings that name seats without a number. */
export const seats = { V: "vampire" };

/** Messages that are read as answers, and those that are read as turns. */
export const answers = [
  "event.radar_called",
  "event.shot_hit",
  "event.shot_missed",
  "event.pawns_killed",
  "event.bat_eaten",
  "event.human_eliminated",
];
export const turns = ["event.vampire_placed", "event.night_over"];

/** What is read of a tile beside its pawns. @param {any} view @param {string} cell */
export function onCell({ tiles, tokens }, cell) {
  const kind = KINDS[tileAt(cell, tiles)];
  const token = ["bullet", "bat"].find((each) => tokens[`${each}s`].includes(cell));
  return [
    { code: "aloud.kind", params: { kind } },
    ...(token ? [{ code: "aloud.lies", params: { token } }] : []),
  ];
}

/** @type {Record<string, string>} */
const KINDS = { ".": "blank", b: "bat", r: "radar", o: "bullet", w: "wall" };

/** @param {any} event @param {Names} names */
const walked = ({ pawn, to }, names) => [...names.pawn(pawn), ...names.cell(to)];

/** Recordings by sentence: a name, or a function that returns several. @type {Record<string, Recording>} */
export const spoken = {
  "event.vampire_placed": "hidden",
  "event.shot_hit": "hit",
  "event.shot_missed": "miss",
  "event.bullet_taken": ({ pawn }, names) => [...names.pawn(pawn), "bullet"],
  "event.pawn_walked": walked,
  "event.pawn_set": walked,
  "event.night_over": "dawn",
  "event.pawns_killed": ({ cell }, names) => [...names.cell(cell), "killed"],
  "event.bat_eaten": ({ cell }, names) => [...names.cell(cell), "bat"],
  "event.radar_called": ({ distance }) => [`number.${distance}`],
  "event.human_eliminated": ({ seat }, { call }) => [call(seat), "out"],
  "event.turn_started": ({ seat }, { call }) => [call(seat)],
  "aloud.kind": ({ kind }) => [`kind.${kind}`],
  "aloud.lies": ({ token }) => [`lies.${token}`],
  "event.game_over.humans": "over.humans",
  "event.game_over.vampire": "over.vampire",
};
