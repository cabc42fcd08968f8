/** The wall of a club as descriptions: pure functions of the tables' bulletins. */
import { drawField } from "./board.js";
import { drawHexes } from "./hexes.js";
import { icon } from "./icons.js";
import { SHAPES } from "./names.js";
import { el } from "./tree.js";
import { said, seatName, text, useSeats, useTranslations, winnerWords } from "./words.js";

/** Tables up to which each has room for its field. */
const FIELDS = 20;
/** How wide a card looks best, as a share of its height. */
const SHAPE = 1.6;

/** Into how many columns so many cards go, that each is as large as can be. */
export function columnsFor(count, width, height) {
  const size = (columns) => Math.min(width / columns / SHAPE, height / Math.ceil(count / columns));
  return Array.from({ length: count }, (_, index) => index + 1).reduce(
    (best, each) => (size(each) > size(best) ? each : best),
    1,
  );
}

/** The tables by their names, as people count: 2 before 10. */
export function inOrder(cards) {
  return Object.entries(cards).sort(
    ([id, one], [other, two]) =>
      one.name.localeCompare(two.name, undefined, { numeric: true }) || (id < other ? -1 : 1),
  );
}

/** Describe the page: `cards` by table, `isUp` whether the broker is there (null: not known yet), `tools` what else its head has. */
export function wallScreen(cards, isUp, tools = null) {
  const tables = inOrder(cards);
  return el(
    "main",
    { class: `wall${isUp === false ? " old" : ""}` },
    el(
      "header",
      {},
      el("h1", {}, text("club.wall")),
      el(
        "p",
        { id: "broker", role: "status" },
        isUp === false
          ? text("club.broker.lost")
          : tables.length
            ? text("club.tables", { n: tables.length })
            : "",
      ),
      el("button", { "data-action": "language", class: "wordy" }, text("language")),
      tools,
    ),
    tables.length
      ? el(
          "ul",
          { id: "tables" },
          tables.map(([id, card]) => tableCard(id, card, tables.length <= FIELDS)),
        )
      : isUp &&
          el(
            "section",
            { id: "none" },
            el("p", {}, text("club.none")),
            el("p", { class: "muted" }, text("club.none.how")),
          ),
  );
}

function tableCard(id, card, hasRoom) {
  useSeats(card.players);
  const drawing = hasRoom ? fieldOf(card) : null;
  const news = [...card.said].reverse().filter((each) => saidOf(each).length);
  return el(
    "li",
    {
      id: `table-${id}`,
      class: ["card", card.lost && "lost", card.night && "dark", drawing && "drawn"]
        .filter(Boolean)
        .join(" "),
    },
    el(
      "article",
      {},
      el("h2", { translate: "no" }, card.name),
      el("p", { class: "game" }, text(`game.${card.game}`), counted(card)),
      card.sample && el("p", { class: "sample" }, text("sample")),
      card.lost
        ? el("p", { class: "now bad" }, icon("cross"), " ", text("club.lost"))
        : el("p", { class: "now" }, nowOf(card)),
      drawing && el("div", { class: "place" }, drawing),
      el(
        "ol",
        { class: "said" },
        news.slice(0, drawing ? 2 : 3).map((each) => el("li", {}, saidOf(each))),
      ),
    ),
  );
}

function saidOf({ code, params, translations = {} }) {
  useTranslations(translations);
  return said({ code, params });
}

function counted({ round, turn, phase }) {
  if (phase === "lobby" || (round ?? turn) === null) return "";
  return [
    " · ",
    round === null ? text("club.turn.n", { n: turn }) : text("club.round.n", { n: round }),
  ];
}

/** What is going on at a table, in a word or two. */
export function nowOf(card) {
  if (card.phase === "lobby") return text("club.lobby");
  if (card.phase === "over" || card.outcome)
    return [el("b", {}, !card.outcome ? text("club.over") : winnerWords(card.game, card.outcome))];
  if (card.paused) return text("club.paused");
  if (card.night) return [icon("moon"), " ", text("night.cover")];
  return card.to_move
    ? el(
        "span",
        { class: "seat", translate: "no" },
        SHAPES[card.to_move] ? [icon(SHAPES[card.to_move], card.to_move), " "] : "",
        seatName(card.to_move),
      )
    : "";
}

/** A table's field, where its game has one that can be drawn; what cannot be read is not drawn. */
function fieldOf({ view }) {
  try {
    const look = { compact: true, title: text("field") };
    const drawing = view?.tiles ? drawField(view, look) : view?.rows ? drawHexes(view, look) : null;
    return drawing && { ...drawing, attrs: { ...drawing.attrs, id: null } };
  } catch {
    return null;
  }
}
