/** The wall of a club as descriptions: pure functions of the tables' states. */
import { gameOf } from "../../games/index.js";
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import {
  message,
  seatName,
  text,
  useSeats,
  useTranslations,
  useWordsOf,
  winnerWords,
  shapeOf,
} from "../../core/i18n.js";

/** The most tables for which each has room for its field. */
const FIELDS = 20;
/** Elements of the largest drawing of a table. */
const LARGEST = 4000;
/** The best width of a card, as a share of its height. */
const SHAPE = 1.6;

/**
 * Return the number of columns in which the cards are largest.
 * @param {number} count @param {number} width @param {number} height
 */
export function columnsFor(count, width, height) {
  /** @param {number} columns */
  const size = (columns) => Math.min(width / columns / SHAPE, height / Math.ceil(count / columns));
  return Array.from({ length: count }, (_, index) => index + 1).reduce(
    (best, each) => (size(each) > size(best) ? each : best),
    1,
  );
}

/** The tables sorted by their names, 2 before 10. @param {Record<string, Card>} cards */
export function inOrder(cards) {
  return Object.entries(cards).sort(
    ([id, one], [other, two]) =>
      one.name.localeCompare(two.name, undefined, { numeric: true }) || (id < other ? -1 : 1),
  );
}

/** The states of tables, in the order of the groups: those that need help first. */
const STATES = ["lost", "halted", "playing", "over", "waiting"];

/** A table's group; a night is playing, so cards stay in place. @param {Card} card */
export function stateOf({ lost, phase, outcome, paused }) {
  if (lost) return "lost";
  if (phase === "lobby") return "waiting";
  if (phase === "over" || outcome) return "over";
  return paused ? "halted" : "playing";
}

/** The tables in their order; many are grouped by states. @param {Record<string, Card>} cards */
export function grouped(cards) {
  const tables = inOrder(cards);
  /** @param {[string, Card]} entry */
  const rank = ([, card]) => STATES.indexOf(stateOf(card));
  return tables.length <= FIELDS ? tables : tables.sort((one, other) => rank(one) - rank(other));
}

/**
 * Describe the page: `cards` by table, `isUp` whether the broker is connected (null: unknown),
 * `tools` further controls of its head, `drawings` the functions that draw a field, by game.
 * @param {Record<string, Card>} cards @param {boolean | null} isUp @param {Child} [tools]
 * @param {Record<string, DrawView>} [drawings]
 */
export function wallScreen(cards, isUp, tools = null, drawings = {}) {
  const tables = grouped(cards);
  return h(
    "main",
    { class: `wall${isUp === false ? " old" : ""}` },
    h(
      "header",
      h("h1", text("club.wall")),
      h(
        "p#broker",
        { role: "status" },
        isUp === false
          ? text("club.broker.lost")
          : tables.length
            ? text("club.tables", { n: tables.length })
            : "",
      ),
      h("button.wordy", { "data-action": "language" }, text("language")),
      tools,
    ),
    tables.length
      ? h(
          "ul#tables",
          tables.map(([id, card]) =>
            tableCard(id, card, tables.length <= FIELDS ? drawings[card.game] : null),
          ),
        )
      : isUp && h("section#none", h("p", text("club.none")), h("p.muted", text("club.none.how"))),
  );
}

/** @param {string} id @param {Card} card @param {DrawView | null | undefined} draw */
function tableCard(id, card, draw) {
  useSeats(card.players);
  useWordsOf(card.game);
  const drawing = fieldOf(card, draw);
  const news = [...card.announcements].reverse().filter((each) => sentenceOf(each).length);
  return h(
    "li",
    {
      id: `table-${id}`,
      class: ["card", stateOf(card), card.night && "dark", drawing && "drawn"]
        .filter(Boolean)
        .join(" "),
    },
    h(
      "article",
      h("h2", { translate: "no" }, card.name),
      h("p.game", text(`game.${card.game}`), counted(card)),
      card.sample && h("p.sample", text("sample")),
      card.lost ? h("p.now.bad", icon("cross"), " ", text("club.lost")) : h("p.now", nowOf(card)),
      drawing && h("div", { class: `place drawn-${card.game}` }, drawing),
      h(
        "ol.announcements",
        news.slice(0, drawing ? 2 : 3).map((each) => h("li", sentenceOf(each))),
      ),
    ),
  );
}

/** @param {Card["announcements"][number]} parts */
function sentenceOf({ code, params, translations = {} }) {
  useTranslations(translations);
  return message({ code, params });
}

/** @param {Card} card */
function counted({ round, turn, phase }) {
  if (phase === "lobby" || (round ?? turn) === null) return "";
  return [
    " · ",
    round === null ? text("club.turn.n", { n: turn }) : text("club.round.n", { n: round }),
  ];
}

/** The activity at a table, in a word or two. @param {Card} card */
function nowOf(card) {
  if (card.phase === "lobby") return text("club.lobby");
  if (card.phase === "over" || card.outcome)
    return [
      h(
        "b",
        !card.outcome ? text("club.over") : winnerWords(card.outcome, gameOf(card.game).winners),
      ),
    ];
  if (card.paused) return text("club.paused");
  if (card.night) return [icon("moon"), " ", text("night.cover")];
  return card.to_move
    ? h(
        "span.seat",
        { translate: "no" },
        shapeOf(card.to_move) ? [icon(shapeOf(card.to_move), card.to_move), " "] : "",
        seatName(card.to_move),
      )
    : "";
}

/**
 * A table's drawing by its game, if it has one; null for invalid data, or a drawing larger than
 * any table's.
 * @param {Card} card @param {DrawView | null | undefined} draw
 */
function fieldOf({ view, to_move: mover }, draw) {
  try {
    const drawing = view && draw?.(view, { compact: true, title: text("field"), mover });
    return drawing && sizeOf(drawing) <= LARGEST ? unnamed(drawing) : null;
  } catch {
    return null;
  }
}

/** The number of elements of a drawing. @param {any} tree @returns {number} */
const sizeOf = ({ children = [] }) =>
  children.reduce(
    /** @param {number} sum @param {any} each */
    (sum, each) => sum + sizeOf(each),
    1,
  );

/** A drawing without ids and presses, for several on one page. @param {any} tree */
const unnamed = (tree) =>
  typeof tree === "string"
    ? tree
    : {
        ...tree,
        attrs: { ...tree.attrs, id: null, title: null, "data-action": null },
        children: tree.children.map(unnamed),
      };
