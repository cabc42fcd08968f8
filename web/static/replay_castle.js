/** A game of secret characters in the replay: the court with who was who, the city in its order, both hands. Pure. */
import { arithmetic, graves, nameOf, person, sign } from "./castle.js";
import { icon } from "./icons.js";
import { cardOf } from "./lookup.js";
import { el } from "./tree.js";
import { seatChip, text } from "./words.js";

/** Everything that lay on the table at a moment; with `isTrue` also who was who, who came next, and both hands. */
export function openCourt({ view, hands, city, seat }, isTrue) {
  const { vampire, human } = hands;
  const seen = {
    ...view,
    identities: isTrue ? { vampires: vampire.characters, trusted: human.characters } : null,
  };
  return el(
    "div",
    { class: "opencourt", id: "players" },
    el(
      "ul",
      { class: "court", "aria-label": text("castle") },
      view.castle.map((name) =>
        person(
          seen,
          name,
          isTrue &&
            vampire.characters.includes(name) &&
            !view.revealed.includes(name) &&
            el("small", { class: "muted" }, text("replay.untold")),
        ),
      ),
    ),
    arithmetic(view) ??
      el(
        "div",
        { class: "aside" },
        isTrue && city.length > 0 ? inCity(city, vampire.characters) : null,
        graves({ ...seen, identities: null }),
      ),
    !view.is_box &&
      Object.keys(hands).map((one) =>
        el(
          "section",
          { class: `openhand${one === seat && !view.outcome ? " turns" : ""}`, "data-seat": one },
          el("p", {}, seatChip(one)),
          el("ul", {}, isTrue ? hands[one].cards.map(small) : backs(view.piles[one].hand)),
        ),
      ),
  );
}

const inCity = (city, vampires) =>
  el(
    "p",
    { id: "next" },
    el("span", { class: "muted" }, text("castle.coming"), ": "),
    city.map((name, index) => [
      index ? ", " : "",
      el(
        "span",
        { class: vampires.includes(name) ? "was vampire" : "was" },
        vampires.includes(name) && icon("fang"),
        nameOf(name),
      ),
    ]),
  );

/** A card as small as a hand of eight allows. */
function small(id) {
  const { name, kind, value, borders = [] } = cardOf(id);
  return el(
    "li",
    { class: `tiny ${kind}`, title: name },
    el("b", {}, kind === "support" ? icon("more") : value),
    kind !== "support" && el("span", {}, borders.map(sign)),
    el("small", {}, name),
  );
}

const backs = (count) => Array.from({ length: count }, () => el("li", { class: "tiny back" }));

/** Who is still alive, and in whose turn this was. */
export const stoodAtCourt = ({ view, alive: [humans, vampires] }) => [
  el("p", { class: "count", id: "alive" }, el("b", {}, `${humans} : ${vampires}`)),
  el(
    "p",
    { class: "share" },
    text("replay.alive"),
    " · ",
    text(view.turn === "human" ? "castle.day" : "castle.night"),
  ),
];
