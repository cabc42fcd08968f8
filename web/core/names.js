/** Names of seats and pawns: "H1a" is Ana's pawn a, a blue triangle. */

/** The shapes of numbered seats, from player 1 on. */
const NUMBERED = ["triangle", "square", "circle", "diamond", "star"];

/** The shapes of the seats that have their side's name. */
const NAMED = new Map();

/** The names of pieces that belong to no seat, by their first letter. */
const PIECES = new Map();

/** Set the shapes of a game's own seats, and the names of its pieces. */
export function useNames({ shapes = {}, pieces = {} }) {
  for (const [seat, shape] of Object.entries(shapes)) NAMED.set(seat, shape);
  for (const [letter, name] of Object.entries(pieces)) PIECES.set(letter, name);
}

/**
 * The name of a seat's shape.
 * @param {string} seat
 * @returns {string}
 */
export const shapeOf = (seat) => NAMED.get(seat) ?? NUMBERED[Number(seat?.slice(1)) - 1];

/**
 * The name of a piece that belongs to no seat, such as "v1"; undefined for a seat's pawn.
 * @param {string} pawn
 */
export const pieceOf = (pawn) => (/^[a-z]\d*$/.test(pawn) ? PIECES.get(pawn[0]) : undefined);

/**
 * Whether a role is a seat's.
 * @param {any} role
 */
export const isSeat = (role) => Boolean(role) && !["guest", "display"].includes(role);

/** @param {string} pawn */
export const seatOf = (pawn) => pawn.slice(0, 2);
/** @param {string} pawn */
export const letterOf = (pawn) => pawn.slice(2);

/**
 * Return the name typed for the seat, null without one: the table then uses the seat's code.
 * @param {string} seat
 * @param {Seat[]} seats
 */
export function typedName(seat, seats) {
  const name = seats.find((each) => each.seat === seat)?.name;
  return name && name !== seat ? name : null;
}
