/** A game of secret characters in the replay: the castle with who was who, the city in its order, both hands. Pure. */
import { openCard } from "./cards.js";
import { arithmetic, nameOf, person, portrait, town } from "./characters.js";
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { seatChip, text } from "../../core/i18n.js";
import { wall } from "./figures.js";
import { cardMark, circle, diamond, triangle } from "../../screens/replay/marks.js";
import { game } from "./index.js";

/**
 * Everything on the table at a moment; with `isTrue` also who was who, who came next, and both
 * hands.
 * @param {EmpireMoment} moment @param {boolean} isTrue
 */
function openCastle({ view, hands, city, seat }, isTrue) {
  const { vampire, human } = hands;
  const seen = {
    ...view,
    identities: isTrue ? { vampires: vampire.characters, trusted: human.characters } : null,
  };
  return h(
    "div#players.open-castle",
    h(
      "div.keep",
      wall(),
      h(
        "ul.castle",
        { "aria-label": text("vampire_empire.castle") },
        view.castle.map((name) =>
          person(
            seen,
            name,
            isTrue &&
              vampire.characters.includes(name) &&
              !view.revealed.includes(name) &&
              h("small.muted", text("replay.hidden")),
          ),
        ),
      ),
    ),
    arithmetic(view) ??
      h(
        "div.aside",
        isTrue && city.length > 0 ? inCity(city, vampire.characters) : null,
        town({ ...seen, identities: null }),
      ),
    !view.has_real_cards &&
      Object.keys(hands).map((one) =>
        h(
          "section",
          { class: `openhand${one === seat && !view.outcome ? " turns" : ""}`, "data-seat": one },
          h("p", seatChip(one)),
          h(
            "ul",
            isTrue
              ? hands[one].cards.map((id) => openCard(id, view.turn))
              : backs(view.piles[one].hand),
          ),
        ),
      ),
  );
}

/** @param {string[]} city @param {string[]} vampires */
const inCity = (city, vampires) =>
  h(
    "p#next",
    h("span.muted", text("vampire_empire.coming"), ": "),
    city.map((name) => {
      const isFanged = vampires.includes(name);
      return h(
        "span",
        { class: isFanged ? "was vampire" : "was" },
        portrait(name, isFanged),
        isFanged && icon("fang"),
        nameOf(name),
      );
    }),
  );

/** @param {number} count */
const backs = (count) => Array.from({ length: count }, () => h("li.playing-card.back"));

/** Who is still alive, and in whose turn this was. @param {EmpireMoment} moment */
const stoodInCastle = ({ view, alive: [humans, vampires] }) => [
  h("p#alive.count", h("b", `${humans} : ${vampires}`)),
  h(
    "p.share",
    text("replay.alive"),
    " · ",
    text(view.turn === "human" ? "vampire_empire.day" : "vampire_empire.night"),
  ),
];

/** The moments to stop at. @type {Record<string, Mark>} */
const MARKS = {
  character_died: (x, { message: { code } }) =>
    triangle(x, code.endsWith("vampire") ? "hit" : "kill"),
  vampire_revealed: (x) => diamond(x, "kill"),
  holy_water_answered: (x) => circle(x, "radar"),
  support_played: (x) => cardMark(x, "miss"),
};

/** @type {ReplayFormat} */
export const replay = {
  marks: MARKS,
  /** The most people that are alive: humans, vampires. */
  mostAlive: [6, 3],
  isDark: ({ view }) => view.turn === "vampire",
  className: "vampire-empire-replay",
  curve: "replay.lives",
  winners: game.winners,
  /** @param {ReplayState} replayState @param {EmpireMoment} now */
  land: ({ isTrue }, now) => openCastle(now, isTrue),
  /** @param {unknown} _ @param {EmpireMoment} now */
  state: (_, now) => stoodInCastle(now),
};
