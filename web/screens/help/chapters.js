/** The rules of each game in our own words, chapter by chapter. The words are those of the room "help". */
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";

/** Each game's chapters: the name of its texts, how many sentences it has, and its sign. */
export const GAMES = {
  vampireradar: [
    ["goal", 2, "moon"],
    ["turn", 4, "bullet"],
    ["radar", 2, "radar"],
    ["shot", 3, "heart"],
    ["night", 4, "bat"],
    ["table", 6, "undo"],
    ["end", 2, "moon"],
  ],
  nosferatu: [
    ["goal", 2, "moon"],
    ["enter", 2, "bat"],
    ["capture", 3, "heart"],
    ["count", 2, "moon"],
    ["move", 1, "bat"],
    ["end", 2, "heart"],
  ],
  shisogari: [
    ["goal", 2, "moon"],
    ["cards", 3, "diamond"],
    ["turn", 3, "circle"],
    ["pick", 3, "bat"],
    ["accuse", 3, "heart"],
    ["table", 3, "undo"],
  ],
  vampire_empire: [
    ["goal", 2, "moon"],
    ["turn", 4, "circle"],
    ["actions", 4, "diamond"],
    ["fight", 5, "sword"],
    ["support", 2, "heart"],
    ["table", 4, "undo"],
    ["end", 3, "fang"],
  ],
  vwars: [
    ["goal", 4, "moon"],
    ["turn", 2, "circle"],
    ["actions", 5, "diamond"],
    ["event", 2, "star"],
    ["riot", 5, "sword"],
    ["cards", 1, "square"],
    ["table", 4, "undo"],
    ["end", 2, "fang"],
  ],
};

/** Describe all chapters of a game. */
export const chapters = (game) =>
  GAMES[game].map(([name, many, sign]) =>
    h(
      "section",
      { class: "card", id: name },
      h("h2", {}, icon(sign), " ", text(`help.${game}.${name}`)),
      Array.from({ length: many }, (_, index) =>
        h("p", {}, text(`help.${game}.${name}.${index + 1}`)),
      ),
    ),
  );
