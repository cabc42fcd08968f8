/**
 * Check Vampire Radar's nights on paper after the sealed ones: walk each typed page again, compare
 * every answer. Pure.
 */
import { assert } from "../../../proof/assert.js";
import { onPaper } from "../../../proof/secret_path.js";
import { MIDDLE, POINTS } from "../proof.js";

/** Ends of a game by an announced attack: nobody walks after it. */
const DEADLY = ["humans_dead", "bullets_spent"];

/**
 * Compare `pages` with all public events since the paper was taken up: the first is the vampire's
 * place then, each other one a night.
 * @param {any} rules @param {string[][]} pages @param {Record<string, number>} count
 */
export function retrace(rules, pages, count) {
  const field = rules.copy();
  const [start, ...nights] = pages.map((cells) => [...cells]);
  const isPlaced = field.place !== null;
  assert(
    start?.length === 1 && (isPlaced ? start[0] === field.place : MIDDLE.test(start[0])),
    "proof.paper",
  );
  /** @type {any[]?} */
  let night = isPlaced && field.mover === "V" ? [] : null;
  for (const event of rules.paper) {
    if (event.event === "vampire_placed") [field.place] = start;
    const isOver = event.event === "game_over";
    if (night && (isOver || event.event === "turn_ended")) {
      assert(nights.length > 0, "proof.paper");
      field.place = gone(field, nights.shift(), night, !DEADLY.includes(event.reason), count);
      night = null;
    } else if (night) {
      night.push(event);
    } else {
      onPaper(() => field.hear(event, count));
    }
    if (event.event === "turn_started" && event.seat === "V") night = [];
  }
  assert(nights.length === 0, "proof.paper");
}

/**
 * Return the end of a night along the typed tiles with the public actions, in that order.
 * @param {RadarGame} field @param {any} typed @param {any[]} events @param {boolean} mayGoOn
 * @param {Record<string, number>} count
 */
function gone(field, typed, events, mayGoOn, count) {
  const announcements = events.filter(
    ({ event }) => event === "pawns_killed" || event === "bat_eaten",
  );
  const fields = announcements.map((announced) => {
    const before = field.copy();
    Object.assign(field, { struck: [announced.cell], eaten: [announced.cell] });
    onPaper(() => field.hear(announced, count));
    return before;
  });
  const end = way([...fields, field], typed, announcements, mayGoOn, field.place, POINTS);
  assert(end, "proof.paper");
  return end;
}

/**
 * Where such a night ends from `place` on, null if nobody can go so; `fields` are the table before each announced attack, and after the last.
 * @param {any[]} fields @param {string[]} path @param {any[]} announcements
 * @param {boolean} mayGoOn @param {string} place @param {number} points @returns {any}
 */
function way(fields, [to, ...later], announcements, mayGoOn, place, points) {
  const [announced, ...others] = announcements;
  if (!to && !announced) return place;
  const [field, ...next] = fields;
  const canAct = points > 0 && (announced || mayGoOn);
  /** @param {string} cell */
  const isNear = (cell) => cell === place || field.isOpen(place, cell);
  /** @param {any} typed */
  const strike = (typed) =>
    canAct && isNear(announced.cell) && way(next, typed, others, mayGoOn, announced.cell, points);
  /** @param {string} cell */
  const isFree = (cell) =>
    field.options.vampire_may_share !== false || !Object.values(field.pawns).includes(cell);
  const walk = () =>
    to === place
      ? way(fields, later, announcements, mayGoOn, place, points)
      : canAct &&
        field.isOpen(place, to) &&
        isFree(to) &&
        way(fields, later, announcements, mayGoOn, to, points - 1);
  return (
    (announced?.cell === place && strike([to, ...later].filter(Boolean))) ||
    (announced && announced.cell === to && strike(later)) ||
    (to && walk()) ||
    null
  );
}
