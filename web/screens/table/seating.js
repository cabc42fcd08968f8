/**
 * The seats before a game, and reasons why it cannot start: on the display, phones and the host's
 * page.
 */
import { gameOf } from "../../games/index.js";

const BOX = "box";

/**
 * Whether the present game uses real cards: those of the box, or of another deck.
 * @param {Snapshot} snapshot
 */
export const isReal = (snapshot) =>
  gameOf(snapshot.game).hasRealCards?.(snapshot) ?? isBox(snapshot);

/**
 * Whether the present game is played with its box.
 * @param {{lobby?: Lobby}} snapshot
 */
export const isBox = ({ lobby }) => lobby?.options?.content === BOX;

/**
 * The proposed game's option for real cards: {name, real, ours}; null without one.
 * @param {{game: string, lobby: Lobby}} snapshot
 */
export function cardsOption({ game, lobby }) {
  const ours = lobby.contents?.find((name) => name !== BOX);
  const isCards = !gameOf(game).hasRealCards;
  if (isCards && ours && lobby.contents?.includes(BOX)) return { name: "content", real: BOX, ours };
  return gameOf(game).cards ?? null;
}

/**
 * Whether the present game can have bots: none can hold real cards.
 * @param {Snapshot} snapshot
 */
export const hasBots = (snapshot) => Boolean(gameOf(snapshot.game).bots) && !isReal(snapshot);

/** The level that the table chooses when the game begins. */
export const AUTO_LEVEL = "auto";

/**
 * The bots that may play a seat: the levels, the weakest first, before a game even odds, and
 * external programs.
 * @param {{game: string, phase: string, programs?: string[]}} snapshot
 */
export const botsFor = ({ game, phase, programs = [] }) => [
  ...(gameOf(game).bots ?? []),
  ...(phase === "lobby" ? [AUTO_LEVEL] : []),
  ...programs,
];

/**
 * Whether the display may choose a bot for this seat: nobody or a bot has it.
 * @param {Snapshot} snapshot
 * @param {string} name
 */
export const mayHaveBot = (snapshot, name) =>
  hasBots(snapshot) &&
  snapshot.seats.some(({ seat, taken, bot }) => seat === name && (bot || !taken));

/**
 * The seats that must be taken before the start.
 * @param {Snapshot} snapshot
 */
const neededIn = (snapshot) => gameOf(snapshot.game).needed?.(snapshot) ?? [];

/**
 * The seats without a secret, for which the display may act.
 * @param {Snapshot} snapshot
 */
export const openSeats = (snapshot) =>
  snapshot.seats.map(({ seat }) => seat).filter((seat) => !neededIn(snapshot).includes(seat));

/**
 * The sentence with the seat that must be taken before the start; null if all needed seats are.
 * @param {Snapshot} snapshot
 */
export function missingSeats(snapshot) {
  const needed = neededIn(snapshot);
  if (snapshot.seats.every(({ seat, taken }) => taken || !needed.includes(seat))) return null;
  const { missing } = gameOf(snapshot.game);
  return missing?.() ?? (hasBots(snapshot) ? "lobby.hands" : "lobby.phones");
}
