/** The reference of the running game: its cards, and the names of its content in this screen's language. */
import { timedFetch } from "./browser.js";
import { addWords, translated, useTranslations } from "./i18n.js";

/** Milliseconds after which a failed request is repeated. */
const AGAIN_MS = 2000;
/** @type {{key: string?, isDone: boolean, done: Promise<void>?}} */
let requested = { key: null, isDone: true, done: null };
/** @type {Record<string, any>} */
let cards = {};
/** @type {Record<string, any[]>} */
let choices = {};
/** @type {any} */
let map = null;

/**
 * Cards are looked up once they have been dealt; another game may have others. Real cards need no look-up. Before a game it is what seats may choose.
 * @param {Snapshot} snapshot
 */
function keyOf({ phase, game, view, head, lobby }) {
  if (phase === "lobby")
    return lobby.choices ? `lobby ${game} ${JSON.stringify(lobby.choices)}` : null;
  const isBox = view?.options?.content === "box" && !view.map;
  return !view || isBox
    ? null
    : `${game} ${view.title} ${view.map} ${view.turns === 0 ? head : "dealt"}`;
}

/** Use a replay's reference; the table's own is then fetched again. @param {Reference} data */
export function useReference(data) {
  requested = { key: null, isDone: true, done: null };
  useData(data);
}

/** @param {Reference} data */
function useData(data) {
  cards = data.cards ?? {};
  choices = data.choices ?? {};
  map = data.map ?? null;
  useTranslations(data.translations ?? {});
}

/** Whether the request for its reference has ended, answered or not. @param {Snapshot} snapshot */
export function isLookedUp(snapshot) {
  const key = keyOf(snapshot);
  return key === null || (requested.key === key && requested.isDone);
}

/** Request the reference of this snapshot, unless it is loaded. @param {Snapshot} snapshot */
export function lookUp(snapshot) {
  const key = keyOf(snapshot);
  if (key !== null && requested.key !== key) {
    /** @type {typeof requested} */
    const mine = { key, isDone: false, done: null };
    mine.done = timedFetch("/reference")
      .then((reply) => {
        if (!reply.ok) throw new Error(`reference: ${reply.status}`);
        return reply.json();
      })
      // A later request may have ended before this one.
      .then((data) => requested === mine && useData(data))
      .catch(() =>
        setTimeout(() => {
          mine.key = null;
        }, AGAIN_MS),
      )
      .then(() => {
        mine.isDone = true;
      });
    requested = mine;
  }
  return requested.done;
}

/**
 * The choices of `what` before the game, each with an "id"; [] until they are loaded.
 * @param {string} what
 */
export const choicesOf = (what) => choices[what] ?? [];

/** The map of the running game, null until it is loaded. */
export const mapOf = () => map;

/** A kind of card in the language of this page. @param {string} id */
export function cardOf(id) {
  const card = cards[id] ?? { id, name: id, borders: [], value: 0, kind: "combat", effects: [] };
  return { ...card, name: translated(card.name), text: translated(card.text ?? "") };
}

/**
 * Use a content's names of cities and regions in sentences.
 * @param {{cities: Record<string, {name: string}>, regions: Record<string, {name: string}>}} parts
 */
export function nameThings({ cities, regions }) {
  addWords(
    Object.fromEntries([
      ...Object.entries(cities).map(([id, { name }]) => [`city.${id}`, translated(name)]),
      ...Object.entries(regions).map(([id, { name }]) => [`region.${id}`, translated(name)]),
    ]),
  );
}
