/**
 * The seats before a game, and reasons why it cannot start: on the display, phones and the host's
 * page.
 */
import { text } from "../../core/i18n.js";
import { gameOf } from "../../games/index.js";

const BOX = "box";

/** Whether the game uses real cards, of the box or others. @param {Snapshot} snapshot */
export const isReal = (snapshot) =>
  gameOf(snapshot.game).hasRealCards?.(snapshot) ?? isBox(snapshot);

/** Whether the present game is played with its box. @param {{lobby?: Lobby}} snapshot */
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

/** Whether the present game can have bots: none can hold real cards. @param {Snapshot} snapshot */
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
 * @param {Snapshot} snapshot @param {string} name
 */
export const mayHaveBot = (snapshot, name) =>
  hasBots(snapshot) &&
  snapshot.seats.some(({ seat, taken, bot }) => seat === name && (bot || !taken));

/** The seats that must be taken before the start. @param {Snapshot} snapshot */
const neededIn = (snapshot) => gameOf(snapshot.game).needed?.(snapshot) ?? [];

/** Whether this seat must be taken to start. @param {Snapshot} snapshot @param {string} seat */
export const isNeeded = (snapshot, seat) => neededIn(snapshot).includes(seat);

/** Whether a seat's secrets are on paper. @param {Snapshot} snapshot @param {Seat} place */
export function isOnPaperSeat(snapshot, { seat, taken }) {
  const { paper, secretSeat } = gameOf(snapshot.game);
  return !taken && seat === secretSeat && Boolean(paper?.isOn(snapshot));
}

/** What a seat does in a few words. @param {{game: string}} snapshot @param {string} seat */
export const doesWords = ({ game }, seat) =>
  text((gameOf(game).hasSecret?.(seat) ?? true) ? "does.secret" : "does.open");

/** The seats without a secret, for which the display may act. @param {Snapshot} snapshot */
export const openSeats = (snapshot) =>
  snapshot.seats.map(({ seat }) => seat).filter((seat) => !isNeeded(snapshot, seat));

/**
 * The free seats that one press gives to bots: all of them, but with nobody seated one that needs
 * no phone is left to the people at the table; none in a game in which somebody must sit first.
 * @param {Snapshot} snapshot
 */
export function seatsForBots(snapshot) {
  if (!hasBots(snapshot)) return [];
  const free = snapshot.seats
    .filter((place) => !place.taken && !isOnPaperSeat(snapshot, place))
    .map(({ seat }) => seat);
  if (snapshot.seats.some(({ taken, bot }) => taken && !bot)) return free;
  const left = openSeats(snapshot).find((seat) => free.includes(seat));
  return left ? free.filter((seat) => seat !== left) : [];
}

/**
 * The sentence with the seats that must be taken before the start; null if all needed seats are.
 * @param {Snapshot} snapshot @returns {Message | null}
 */
export function missingSeats(snapshot) {
  const n = snapshot.seats.filter(({ seat, taken }) => !taken && isNeeded(snapshot, seat)).length;
  if (!n) return null;
  const { missing } = gameOf(snapshot.game);
  if (missing) return { code: missing() };
  return { code: hasBots(snapshot) ? "lobby.hands" : "lobby.phones", params: { n } };
}
