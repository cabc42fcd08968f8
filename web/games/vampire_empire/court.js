/** Court, cards and fights of Vampire Empire: drawings and words, alike on the display and on phones. Pure. */
import { button } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { cardOf } from "../../core/reference.js";
import { h } from "../../core/dom.js";
import { seatChip, text } from "../../core/i18n.js";

export const PROFESSIONS = {
  lady: "noble",
  lord: "noble",
  officer: "noble",
  monk: "clergy",
  nun: "clergy",
  bishop: "clergy",
  maid: "servant",
  cook: "servant",
  butler: "servant",
};
export const SEATS = ["vampire", "human"];
/** The signs of professions and borders, in a square of 64 around (0, 0). */
const SIGNS = {
  noble: "M-26 20V-16L-12 0 0-24 12 0 26-16V20Z",
  clergy: "M-6-30H6V-14H22V-2H6V30H-6V-2H-22V-14H-6Z",
  servant:
    "M-14-26A12 12 0 1 1-2-4V2H26V12H18V24H10V12H-2V26H-12V-4A12 12 0 0 1-14-26ZM-8-18A5 5 0 1 0-7-18Z",
  holy: "M0-30Q22-4 22 8A22 22 0 0 1-22 8Q-22-4 0-30Z",
};

export const nameOf = (character) => text(`character.${character}`);

/** The sign of a profession or border, named for those who listen. */
export function sign(border) {
  if (border === "vampire")
    return h(
      "span",
      { class: `sign ${border}` },
      icon("fang"),
      h("span", { class: "vh" }, text(`border.${border}`)),
    );
  return h(
    "span",
    { class: `sign ${border}` },
    h(
      "svg",
      { class: "icon", viewBox: "-32 -32 64 64", "aria-hidden": "true" },
      h("path", { d: SIGNS[border], "fill-rule": "evenodd" }),
    ),
    h("span", { class: "vh" }, text(`border.${border}`)),
  );
}

/** A castle character as everybody sees it; `identities` after the end. */
export function person(view, name, more = null) {
  const isShown = view.revealed.includes(name) || view.identities?.vampires.includes(name);
  const { attacker, target } = view.fight ?? {};
  return h(
    "li",
    {
      "data-character": name,
      class: [
        "person",
        isShown && "vampire",
        name === attacker && "attacks",
        name === target && "defends",
      ]
        .filter(Boolean)
        .join(" "),
    },
    h("b", {}, nameOf(name)),
    h("span", { class: "kind" }, sign(PROFESSIONS[name]), text(`border.${PROFESSIONS[name]}`)),
    isShown && h("span", { class: "fang" }, icon("fang"), " ", text("castle.shown")),
    view.identities?.trusted.includes(name) &&
      h("span", { class: "known" }, icon("check"), " ", text("castle.trusted")),
    view.markers
      .filter(({ character }) => character === name)
      .map(({ side, size }) =>
        h("span", { class: `marker ${side}` }, text(`castle.marker.${side}`, { n: size })),
      ),
    more,
  );
}

/** The castle row. */
export const court = (view) =>
  h(
    "ul",
    { class: "court", id: "court", "aria-label": text("castle") },
    view.castle.map((name) => person(view, name)),
  );

/** Who is dead, and what each of them was. */
export function graves({ dead, identities, city, castle }) {
  const rest = identities
    ? Object.keys(PROFESSIONS).filter(
        (name) => !castle.includes(name) && !dead.some(({ character }) => character === name),
      )
    : [];
  return h(
    "div",
    { class: "graves" },
    h("p", { id: "city" }, text("castle.city", { n: city })),
    rest.length > 0 &&
      h(
        "p",
        {},
        rest.map((name, index) => [
          index ? ", " : "",
          h(
            "span",
            { class: identities.vampires.includes(name) ? "was vampire" : "was" },
            identities.vampires.includes(name) && icon("fang"),
            " ",
            nameOf(name),
          ),
        ]),
      ),
    h(
      "p",
      { id: "dead" },
      h("b", {}, text("castle.dead")),
      ": ",
      dead.length
        ? dead.map(({ character, vampire }, index) => [
            index ? ", " : "",
            h(
              "span",
              { class: vampire ? "was vampire" : "was" },
              nameOf(character),
              " (",
              text(vampire ? "castle.was.vampire" : "castle.was.human"),
              ")",
            ),
          ])
        : "–",
    ),
  );
}

/** The fight's arithmetic: who against whom, each card, markers and sums. */
export function arithmetic(view) {
  const { fight, sums, markers } = view;
  if (!fight) return null;
  const side = (name, character, index) =>
    h(
      "div",
      { class: `side-of ${name}`, "data-side": name },
      h("p", {}, text(`castle.${name}`), ": ", h("b", {}, nameOf(character))),
      h(
        "p",
        { class: "laid" },
        fight[name].map(({ value, card }) =>
          h("span", { class: "chip", title: card ? cardOf(card).name : null }, value),
        ),
        fight.round === 1 &&
          markers
            .filter((each) => each.character === character && each.side === name)
            .map(({ size }) => h("span", { class: "chip marker" }, `+${size}`)),
      ),
      h("b", { class: "total" }, sums[index]),
    );
  return h(
    "section",
    { class: "fight", id: "fight", "aria-label": text("castle.fight") },
    side("attack", fight.attacker, 0),
    h(
      "p",
      { class: "versus" },
      icon("sword"),
      h("small", {}, text("castle.round", { n: fight.round })),
    ),
    side("defence", fight.target, 1),
  );
}

/** How many cards each player has where; beside the box the table shows that itself. */
export function stock(view) {
  if (view.is_box) return h("p", { class: "muted", id: "stock" }, text("castle.real"));
  const columns = ["hand", "deck", "cellar", "moat"];
  return h(
    "table",
    { class: "piles", id: "stock" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        columns.map((name) =>
          h("th", { scope: "col" }, text(name === "hand" ? "castle.hand.of" : `castle.${name}`)),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      SEATS.map((seat) =>
        h(
          "tr",
          { class: seat === view.acting ? "now" : null },
          h("th", { scope: "row" }, seatChip(seat)),
          columns.map((name) => h("td", {}, view.piles[seat][name])),
        ),
      ),
    ),
  );
}

const STEPS = ["discard", "reveal", "action"];

/**
 * The three steps of a turn, the present one marked; the human player has no second one. Beside the box nobody says when
 * the first is over, so what it asks for stands there.
 */
export function steps(view) {
  if (!view.turn || view.step === "over") return null;
  // Whatever an action brings, a fight or an answer, belongs to the third one.
  const now = STEPS.includes(view.step) ? STEPS.indexOf(view.step) : STEPS.length - 1;
  const cellar = text(view.piles[view.turn].remade ? "castle.cellar.used" : "castle.cellar.once");
  return h(
    "ol",
    { class: "steps", id: "steps", "aria-label": text("castle.steps") },
    STEPS.map((name, at) =>
      h(
        "li",
        {
          class:
            [at === now && "now", at === 1 && view.turn === "human" && "not"]
              .filter(Boolean)
              .join(" ") || null,
          "aria-current": at === now ? "step" : null,
        },
        text(`castle.step.${name}`),
        at === 0 && h("small", {}, view.is_box && `${text("castle.hand.most")} `, cellar),
      ),
    ),
  );
}

const owesEntry = (view) => view.is_box && view.castle.length < 3 && view.city > 0;

/** Whether somebody is asked for a support card. */
export const isAsked = (view) =>
  Boolean(view.window && !view.payment && !view.support && !owesEntry(view));

/** What is to be done now, in the words of the step. */
export function stepWords(view) {
  if (view.payment) return text("castle.step.pay", { n: view.payment.left });
  if (view.support) return text("castle.step.support");
  if (owesEntry(view)) return text("castle.step.enter");
  if (view.window) return text("castle.step.window");
  return view.fight ? layWords(view) : text(`castle.step.${view.step}`);
}

/** Which card may be laid in a fight for whom, and from when on the seat that lays may stop. */
function layWords({ fight, revealed }) {
  const { by, laying, attacker, target, attack, opened } = fight;
  const [character, against] = laying === by ? [attacker, target] : [target, attacker];
  const borders = [
    PROFESSIONS[character],
    laying === "vampire" && revealed.includes(character) && "vampire",
    laying === "human" && revealed.includes(against) && "holy",
  ];
  const border = borders
    .filter(Boolean)
    .map((each) => text(`border.${each}`))
    .join(" / ");
  return text(
    laying === by && !opened && !attack.length ? "castle.step.lay_first" : "castle.step.lay",
    { character, border },
  );
}

/** What a player reads while the other one is to act. */
export const waitWords = ({ view, to_move: seat }) =>
  text(isAsked(view) ? "castle.wait" : "turn.theirs", { seat });

/** What holy water has just told. */
export const answerWords = ({ answer }) =>
  answer
    ? text(`castle.water.${answer.vampire ? "yes" : "no"}`, { character: answer.character })
    : null;

/** What is no news: moments of a turn that every screen shows anyway. */
const SILENT = [
  "step_reached",
  "laying_ended",
  "support_ended",
  "support_asked",
  "support_declined",
  "cards_listed",
  "card_paid",
  "fight_ended",
  "identities_shown",
  "game_started",
];
/** What people are told, of this game alone. */
export const heard = (entries) =>
  entries
    .slice(entries.findLastIndex(({ event }) => event.event === "game_started") + 1)
    .filter(({ said, event }) => said && !SILENT.includes(event.event));

/** What stays to be read. What holy water told is gone with its answer: remembering is the players'. Whose turn it is stands
 * in the banner. */
export const logged = (entries) =>
  heard(entries).filter(
    ({ event }) => !["holy_water_answered", "turn_started"].includes(event.event),
  );

/** A card of a hand, pressable where something can be done with it. */
export function handCard(id, action, isChosen = false, key = 0) {
  const card = cardOf(id);
  const inside = [
    h("span", { class: "worth" }, card.kind === "support" ? icon("more") : card.value),
    h(
      "span",
      { class: "what" },
      h("b", {}, card.name),
      h(
        "small",
        {},
        card.kind === "support"
          ? [
              card.text,
              " ",
              h(
                "i",
                {},
                text("castle.cost", { day: card.cost_day ?? 0, night: card.cost_night ?? 0 }),
              ),
            ]
          : card.borders.map((border) => [sign(border), text(`border.${border}`), " "]),
      ),
    ),
  ];
  const look = `held ${card.kind} ${card.borders?.[0] ?? ""}`;
  return action
    ? button(`${action}:${id}:${key}`, inside, {
        class: look,
        "aria-pressed": isChosen ? "true" : null,
      })
    : h("div", { class: look }, inside);
}
