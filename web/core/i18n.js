/**
 * The names and sentences of one language. Codes and parameters come from the table, sentences from catalogues: those of
 * i18n/ that a page asks for, and those of the game on it, which come first.
 * `text` is plain (read aloud, titles of buttons); `rich` draws pawns as shape and letter.
 */
import { icon } from "./icons.js";
import { h } from "./dom.js";
import { store, readStored, timedFetch } from "./browser.js";

/* ---- names of seats and pawns: "H1a" is Ana's pawn a, a blue triangle ---- */

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

/** The name of a seat's shape. @param {string} seat @returns {string} */
export const shapeOf = (seat) => NAMED.get(seat) ?? NUMBERED[Number(seat?.slice(1)) - 1];

/** The name of a piece of no seat, such as "v1"; undefined for a pawn. @param {string} pawn */
const pieceOf = (pawn) => (/^[a-z]\d*$/.test(pawn) ? PIECES.get(pawn[0]) : undefined);

/** Whether a role is a seat's. @param {any} role */
export const isSeat = (role) => Boolean(role) && !["guest", "display"].includes(role);

/** @param {string} pawn */
export const seatOf = (pawn) => pawn.slice(0, 2);
/** @param {string} pawn */
export const letterOf = (pawn) => pawn.slice(2);
/** A pawn's name: that of its seat, and its letter. @param {string} pawn */
export const pawnName = (pawn) => `${seatName(seatOf(pawn))} ${letterOf(pawn)}`;

/**
 * Return the name typed for the seat, null without one: the table then uses the seat's code.
 * @param {string} seat @param {Seat[]} seats
 */
export function typedName(seat, seats) {
  const name = seats.find((each) => each.seat === seat)?.name;
  return name && name !== seat ? name : null;
}

/* ---- catalogues ---- */

export const LANGUAGES = { en: "English", ja: "日本語", nl: "Nederlands" };

/** The page's words in every game. @type {Words} */
let shared = {};
/** The words of each game that were loaded. @type {Record<string, Words>} */
let ofGames = {};
/** @type {any} */
let game = null;
let current = "en";
/** @type {Record<string, Words>} */
let translations = {};
let plurals = new Intl.PluralRules("en");
/** @type {Seat[]} */
let seats = [];
/** The folders of the catalogues that this page needs, by game; null for the words of no game. */
/** @type {Map<string?, Set<string>>} */
const folders = new Map([[null, new Set(["i18n"])]]);
/** Those of them that are loaded. */
let taken = new Set();
/** The calls that load words, and the newest one whose words are used. */
let [calls, used] = [0, 0];

/**
 * Set the words of this page, and `games` as those of single games.
 * @param {string} language @param {Words} words @param {Record<string, Words>} [games]
 */
export function useWords(language, words, games = {}) {
  shared = words;
  ofGames = games;
  current = language;
  plurals = new Intl.PluralRules(language);
}

/** The words of the games: another object after each change of the language or its words. */
export const gameWords = () => ofGames;

/** Use this game's words before all others, and those of no other game. @param {string} name */
export const useWordsOf = (name) => {
  game = name;
};

/** Milliseconds after which a catalogue that failed is requested again. */
const AGAIN_MS = 2000;
const catalogues = new Map();

/** Return a catalogue, fetched once, again and again until it comes. @param {string} path */
function fetched(path) {
  if (!catalogues.has(path)) catalogues.set(path, untilFetched(path));
  return catalogues.get(path);
}

/** @param {string} path @returns {Promise<Words>} */
const untilFetched = (path) =>
  timedFetch(path)
    .then((reply) => reply.json())
    .catch(() => new Promise((done) => setTimeout(done, AGAIN_MS)).then(() => untilFetched(path)));

/**
 * Load the catalogues of the language chosen on this device, else `preferred`, else the browser's;
 * with `more` ("maintenance", "host", "join") also the words of those folders, from then on.
 * @param {string?} preferred @param {...string} more
 */
export async function loadWords(preferred = null, ...more) {
  for (const room of more) folders.get(null)?.add(`i18n/${room}`);
  const languages = [
    readStored("lang"),
    preferred,
    ...navigator.languages.map((each) => each.slice(0, 2)),
  ];
  const language = languages.find((each) => each && each in LANGUAGES) ?? "en";
  const mine = ++calls;
  const paths = [...folders.values()].flatMap((each) => [...each]);
  const read = await Promise.all(
    [...folders].map(async ([name, paths]) => [
      name,
      Object.assign(
        {},
        ...(await Promise.all(
          [...paths].map((path) => fetched(`/static/${path}/${language}.json`)),
        )),
      ),
    ]),
  );
  // A newer call has all these words too.
  if (mine < used) return;
  used = mine;
  const { null: words, ...games } = Object.fromEntries(read);
  taken = new Set(paths);
  useWords(language, words, games);
  const page = document.documentElement;
  page.lang = language;
  const title = page.dataset.title ?? "";
  document.getElementById("say")?.setAttribute("aria-label", text("announced"));
  // The words of a game may come later.
  document.title = Object.assign({}, words, ...Object.values(games))[title] ?? document.title;
}

/**
 * Fetch a game's words, with `more` ("rules", "replay") also those of that page alone; used after
 * `useWordsOf`.
 * @param {string} name @param {...Child} more
 */
export async function loadGameWords(name, ...more) {
  const paths = [`games/${name}/i18n`, ...more.map((room) => `games/${name}/i18n/${room}`)];
  if (paths.every((path) => taken.has(path))) return;
  folders.set(name, new Set([...(folders.get(name) ?? []), ...paths]));
  await loadWords(current);
}

/** Add words, to those of the page's game, until the language changes. @param {Words} more */
export const addWords = (more) => Object.assign(ofGames[game] ?? shared, more);

/** Set the translations of a game's content, by language. @param {Record<string, Words>} known */
export const useTranslations = (known) => {
  translations = known;
};

/** A name or text of a game's content in this page's language, or as it is. @param {string} own */
export const translated = (own) => translations[current]?.[own] ?? own;

/** Choose the language of this device. @param {string} language */
export async function chooseLanguage(language) {
  store("lang", language);
  await loadWords(language);
}

/** Choose the next language. */
export function nextLanguage() {
  const known = Object.keys(LANGUAGES);
  return chooseLanguage(known[(known.indexOf(document.documentElement.lang) + 1) % known.length]);
}

/** `draw` when another page changes the language or the theme. @param {() => unknown} draw */
export function followLanguage(draw) {
  addEventListener("storage", ({ key }) =>
    key === "lang" ? loadWords().then(draw) : key === "light" && draw(),
  );
}

/** Set the names that people typed: `seats` of the snapshot. @param {Seat[]} known */
export function useSeats(known) {
  seats = known;
}

/** A name as people see it: without case, width and what has no ink. @param {string} name */
const seen = (name) =>
  name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase();

/**
 * The name of a seat; two people with one name are told apart by their seats. So is a person who is
 * called like another seat, or by signs alone, which nobody can type.
 * @param {string} seat
 */
export function seatName(seat) {
  const name = typedName(seat, seats);
  if (!name) return plainName(seat);
  const others = seats.filter((each) => each.seat !== seat);
  const names = others.flatMap((each) => [each.name ?? "", plainName(each.seat)]);
  const isAlone = /[\p{L}\p{N}]/u.test(name) && !names.map(seen).includes(seen(name));
  return isAlone ? name : `${name} (${plainName(seat)})`;
}

/** The name of a seat without a typed name, and in recorded sentences. @param {string} seat */
export function plainName(seat) {
  const side = `side.${seat}`;
  const n = Number(seat.slice(1));
  // A seat of the game before, such as "villagers", keeps its code.
  return wordsOf(side) ? text(side) : n ? text("player", { n }) : seat;
}

/** Return the sentence of a code as one string. @param {string} code @param {Params} [params] */
export function text(code, params = {}) {
  return pieces(code, params, (name, value) => plain(name, value)).join("");
}

/**
 * Who has won; `winners` has the names that a game gives its own sides.
 * @param {{winner: string}} parts @param {Record<string, string>} [winners]
 */
export const winnerWords = ({ winner }, winners = {}) =>
  text(`end.winner.${winners[winner] ?? winner}`);

/**
 * Return the sentence of a code as children of an element, pawns and seats drawn.
 * @param {string} code @param {Params} [params]
 */
export function rich(code, params = {}) {
  return pieces(code, params, drawn).flat();
}

/**
 * A night's path after its name: the table counts the hiding as night 1, people count from the
 * next one.
 * @param {number} number @param {Child} path
 */
export const nightText = (number, path) =>
  text("notes.path", {
    night: number > 1 ? text("night.name", { n: number - 1 }) : text("notes.start"),
    path,
  });

/** @param {Message | null | undefined} value */
export const message = (value) => (value ? rich(value.code, value.params ?? {}) : []);
/** @param {Message | null | undefined} value */
export const plainText = (value) => (value ? text(value.code, value.params ?? {}) : "");

/** @param {string} code @param {Params} params @param {(name: string, value: any) => any} write */
function pieces(code, params, write) {
  return sentence(code, params)
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((piece) => {
      const name = /^\{(\w+)\}$/.exec(piece)?.[1];
      return name && name in params ? write(name, params[name]) : piece;
    });
}

/** The text of a key; undefined for an unknown one. @param {string} key */
const wordsOf = (key) => ofGames[game]?.[key] ?? shared[key];

/** @param {string} code @param {Params} params */
function sentence(code, params) {
  const other = wordsOf(`${code}.other`) ?? code;
  const names = ["n", ...(other.match(/\w+(?=\})/g) ?? [])];
  const number = names.map((name) => params[name]).find((value) => typeof value === "number");
  return wordsOf(code) ?? wordsOf(`${code}.${plurals.select(number ?? 0)}`) ?? other;
}

/** Parameters whose values are seats. */
const SEAT_PARAMS = new Set(["seat", "by", "partner", "picker", "giver", "suspect"]);

/** Parameters whose values are words, and the prefixes of those words' keys. */
/** @type {Record<string, string>} */
const WORD_KEYS = {
  direction: "direction",
  rule: "rule",
  winner: "end.winner",
  reason: "end.reason",
  kind: "tile",
  token: "tile",
  piece: "piece",
  taken: "taken",
  level: "bot.level",
  fault: "fault",
  item: "item",
  card: "item",
  beside: "item",
  colour: "colour",
  city: "city",
  region: "region",
  side: "sides",
  character: "character",
  attacker: "character",
  target: "character",
};

/** @param {string} name @param {any} value */
function plain(name, value) {
  if (name === "pawn" && pieceOf(value)) return text(`piece.${pieceOf(value)}`);
  if (/^pawns?$/.test(name)) return pawnsOf(value).map(pawnName).join(", ");
  if (SEAT_PARAMS.has(name)) return seatName(value);
  if (name === "kinds")
    return value
      .split(", ")
      .map(
        /** @param {string} kind */
        (kind) => plain("kind", kind),
      )
      .join(", ");
  return (
    (name in WORD_KEYS ? wordsOf(`${WORD_KEYS[name]}.${value}`) : undefined) ??
    translated(String(value))
  );
}

/** @param {string} name @param {any} value */
function drawn(name, value) {
  if (/^pawns?$/.test(name) && !pieceOf(value))
    return pawnsOf(value).flatMap((pawn, index) => [index ? " " : "", pawnChip(pawn)]);
  if (name === "cell" || SEAT_PARAMS.has(name))
    return h("span", { translate: "no" }, plain(name, value));
  return plain(name, value);
}

/** @param {any} value */
function pawnsOf(value) {
  return Array.isArray(value) ? value : (String(value).match(/H\d[a-h]/g) ?? []);
}

/** A pawn as shape and letter, for screen readers with its owner's name. @param {string} pawn */
export function pawnChip(pawn) {
  if (pieceOf(pawn))
    return h(
      "span.pawn",
      text(`piece.${pieceOf(pawn)}`),
      " ",
      h("span", { translate: "no" }, pawn.slice(1)),
    );
  const seat = seatOf(pawn);
  return h(
    "span.pawn",
    { translate: "no" },
    h("span.vh", seatName(seat), " "),
    icon(shapeOf(seat), seat),
    letterOf(pawn),
  );
}

/** A seat as its shape and name. @param {string} seat */
export function seatChip(seat) {
  return h("span.seat", { translate: "no" }, icon(shapeOf(seat), seat), " ", seatName(seat));
}
