/**
 * Castle, cards and fights of Vampire Empire: drawings and words, the same on the display and on
 * phones. Pure.
 */
import { icon } from "../../core/icons.js";
import { cardOf } from "../../core/reference.js";
import { openCard } from "./cards.js";
import { figure, grave, guard, house, shield, standard, wall } from "./figures.js";
import { h } from "../../core/dom.js";
import { seatChip, text } from "../../core/i18n.js";

/** @type {Record<string, string>} */
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
const SEATS = ["vampire", "human"];
/** @param {string} character */
export const nameOf = (character) => text(`character.${character}`);

/** The shield of a profession or border, named for those who listen. @param {string} border */
export const sign = (border) => h("span.sign", { "--field": `var(--${border})` }, shield(border));

/** The sign where no words beside it say the same. @param {string} border */
export const namedSign = (border) => [sign(border), h("span.vh", text(`border.${border}`))];

/**
 * A castle character as everybody sees it, in its window; `identities` after the end.
 * @param {EmpireView} view @param {string} name @param {Child} [more]
 */
export function person(view, name, more = null) {
  const isShown = isVampire(view, name);
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
    h("span.pane", figure(name, isShown)),
    h("b", nameOf(name)),
    h(
      "span.kind",
      sign(PROFESSIONS[name]),
      text(`border.${PROFESSIONS[name]}`),
      isShown && h("span.fang", icon("fang"), " ", text("vampire_empire.shown")),
    ),
    view.identities?.trusted.includes(name) &&
      h("span.known", icon("check"), " ", text("vampire_empire.trusted")),
    h(
      "span.markers",
      ["attack", "defence"].map((side) => marker(side, markersOf(view, name, side))),
    ),
    more,
  );
}

/**
 * How much each marker of a character counts on one side of a fight.
 * @param {EmpireView} view @param {string} character @param {string} side
 */
const markersOf = ({ markers }, character, side) =>
  markers
    .filter((each) => each.character === character && each.side === side)
    .map(({ size }) => size);

/** What a character's markers count on one side. @param {string} side @param {number[]} sizes */
const marker = (side, sizes) =>
  sizes.length > 0 &&
  h(
    "span",
    { class: `chip marker ${side}` },
    side === "attack" ? icon("sword") : guard(),
    h("span", { "aria-hidden": "true" }, `+${sizes.reduce((sum, size) => sum + size)}`),
    h(
      "span.vh",
      text(`vampire_empire.marker.${side}`, { n: sizes.reduce((sum, size) => sum + size) }),
    ),
  );

/**
 * Whether it is public that a character is a vampire.
 * @param {EmpireView} view @param {string} name
 */
export const isVampire = ({ revealed, identities }, name) =>
  revealed.includes(name) || Boolean(identities?.vampires.includes(name));

/** How many windows the castle has. */
const WINDOWS = 3;

/** A portrait; `isFanged`: as a vampire. @param {string} name @param {boolean} isFanged */
export const portrait = (name, isFanged) =>
  h("span", { class: ["portrait", isFanged && "vampire"] }, figure(name, isFanged));

/** The castle row; a window in which nobody stands is dark. @param {EmpireView} view */
export const castle = (view) =>
  h(
    "ul#castle.castle",
    { "aria-label": text("vampire_empire.castle") },
    view.castle.map((name) => person(view, name)),
    Array.from({ length: Math.max(0, WINDOWS - view.castle.length) }, () =>
      h("li.person.vacant", { "aria-hidden": "true" }, h("span.pane")),
    ),
  );

/**
 * The town: a dark house for each card of the city, a grave for each of the dead; after the end who lived in the houses.
 * @param {EmpireView} view
 */
export function town(view) {
  const { dead, identities, city, castle } = view;
  const rest = identities
    ? Object.keys(PROFESSIONS).filter(
        (name) => !castle.includes(name) && !dead.some(({ character }) => character === name),
      )
    : [];
  return h(
    "div.town",
    h("p#city", { class: rest.length ? "vh" : null }, text("vampire_empire.city", { n: city })),
    h(
      "ul#dead.lots",
      { "aria-label": text("vampire_empire.dead") },
      rest.length
        ? rest.map((name) => lot(name, isVampire(view, name), "home", figure))
        : Array.from({ length: city }, () => h("li.lot", { "aria-hidden": "true" }, house())),
      dead.map(({ character, vampire }) => lot(character, vampire, "dead", grave)),
    ),
  );
}

/**
 * A house or a grave of a publicly known character, with what that character was.
 * @param {string} name @param {boolean} vampire @param {string} kind
 * @param {(name: string, vampire: boolean) => Child} draw
 */
const lot = (name, vampire, kind, draw) =>
  h(
    "li",
    { class: `lot ${kind}${vampire ? " vampire" : ""}` },
    draw(name, vampire),
    h("b", nameOf(name)),
    vampire
      ? h("small", icon("fang"), " ", text("vampire_empire.shown"))
      : h("span.vh", text("vampire_empire.was.human")),
  );

/** How far the banners lean at most. */
const LEAN = 3;

/**
 * The fight's arithmetic: who against whom, what counts for whom, each card, markers and sums.
 * @param {EmpireView & {sums?: any}} view
 */
export function arithmetic(view) {
  const { fight, sums } = view;
  if (!fight) return null;
  const ahead = Math.max(-LEAN, Math.min(LEAN, sums[0] - sums[1]));
  /** @param {EmpireSide} name @param {string} character @param {number} index */
  const side = (name, character, index) =>
    h(
      "div",
      { class: `side-of ${name}`, "data-side": name },
      h("p", text(`vampire_empire.${name}`), ": ", h("b", nameOf(character))),
      h("div.flag", standard(), h("b.total", sums[index])),
      h(
        "p.laid",
        fight[name].map(({ value, card }) =>
          h("span.chip", { title: card ? cardOf(card).name : null }, value),
        ),
        fight.round === 1 &&
          markersOf(view, character, name).map((size) => h("span.chip.marker", `+${size}`)),
      ),
      h(
        "p.counts",
        bordersFor(view, name).map((border) => border && namedSign(border)),
      ),
    );
  return h(
    "section#fight.fight",
    {
      "--lean": ahead && `${4 * ahead + Math.sign(ahead)}deg`,
      "aria-label": text("vampire_empire.fight"),
    },
    side("attack", fight.attacker, 0),
    h("p.versus", icon("sword"), h("small", text("vampire_empire.round", { n: fight.round }))),
    side("defence", fight.target, 1),
  );
}

/**
 * The borders that let a card count on one side of the fight.
 * @param {EmpireView & {fight: any}} view @param {string} side
 */
function bordersFor({ fight, revealed }, side) {
  const isAttack = side === "attack";
  const [character, against] = isAttack
    ? [fight.attacker, fight.target]
    : [fight.target, fight.attacker];
  const seat = isAttack ? fight.by : SEATS.find((each) => each !== fight.by);
  return [
    PROFESSIONS[character],
    seat === "vampire" && revealed.includes(character) && "vampire",
    seat === "human" && revealed.includes(against) && "holy",
  ].filter(Boolean);
}

/**
 * How many cards each player has where, and after the end, if it is known, which ones in hand; with real cards the table
 * shows that itself.
 * @param {EmpireView} view @param {Record<string, {cards: string[]}> | null} hands
 */
export function stock(view, hands = null) {
  if (view.has_real_cards) return h("p#stock.muted", text("vampire_empire.real"));
  if (hands && SEATS.some((seat) => hands[seat].cards.length))
    return h(
      "div#stock.openhands",
      SEATS.map((seat) =>
        h(
          "div",
          { "data-seat": seat },
          seatChip(seat),
          h(
            "ul.laid",
            hands[seat].cards.map((id) => openCard(id, view.turn)),
          ),
        ),
      ),
    );
  const columns = ["hand", "deck", "cellar", "moat"];
  return h(
    "table#stock.piles",
    { "aria-label": text("state") },
    h(
      "thead",
      h(
        "tr",
        h("td"),
        columns.map((name) =>
          h(
            "th",
            { scope: "col" },
            text(name === "hand" ? "vampire_empire.hand.of" : `vampire_empire.${name}`),
          ),
        ),
      ),
    ),
    h(
      "tbody",
      SEATS.map((seat) =>
        h(
          "tr",
          { class: seat === view.acting ? "now" : null },
          h("th", { scope: "row" }, seatChip(seat)),
          columns.map((name) => h("td", view.piles[seat][name])),
        ),
      ),
    ),
  );
}

/**
 * The castle above the fight or the town, as a wall shows it. Raises `RangeError` at more cards than there are.
 * @param {EmpireView} view
 */
export function drawTable(view) {
  if (view.city > Object.keys(PROFESSIONS).length) throw new RangeError("city");
  return h(
    "div",
    { class: `vampire-empire-table ${view.turn === "human" ? "day" : "dark"}` },
    h("div.keep", wall(), castle(view)),
    arithmetic(view) ?? town(view),
    stock(view),
  );
}

const STEPS = ["discard", "reveal", "action"];

/**
 * The three steps of a turn, the present one marked; the human player has no second one. With real cards nothing marks when
 * the first is over, so what it asks for stands there.
 * @param {EmpireView} view
 */
export function steps(view) {
  if (!view.turn || view.step === "over") return null;
  // Whatever an action brings, a fight or an answer, belongs to the third one.
  const now = STEPS.includes(view.step) ? STEPS.indexOf(view.step) : STEPS.length - 1;
  const cellar = text(
    view.piles[view.turn].remade ? "vampire_empire.cellar.used" : "vampire_empire.cellar.once",
  );
  return h(
    "div#steps.steps",
    h(
      "ol",
      { "aria-label": text("vampire_empire.steps") },
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
          text(`vampire_empire.step.${name}`),
        ),
      ),
    ),
    view.has_real_cards && h("p.muted", text("vampire_empire.hand.most"), " ", cellar),
  );
}

/** @param {EmpireView} view */
const owesEntry = (view) => view.has_real_cards && view.castle.length < 3 && view.city > 0;

/** Whether a seat may now play a support card. @param {EmpireView} view */
export const isAsked = (view) =>
  Boolean(view.window && !view.payment && !view.support && !owesEntry(view));

/** The next instruction for the acting seat. @param {EmpireView & {fight: any}} view */
export function stepWords(view) {
  if (view.payment) return text("vampire_empire.step.pay", { n: view.payment.left });
  if (view.support) return text("vampire_empire.step.support");
  if (owesEntry(view)) return text("vampire_empire.step.enter");
  if (view.window) return text("vampire_empire.step.window");
  if (view.fight) return layWords(view);
  return text(`vampire_empire.now.${view.step === "action" ? view.turn : view.step}`);
}

/** Which card may be laid for whom, and when one may stop. @param {EmpireFightView} view */
function layWords(view) {
  const { by, laying, attacker, target, attack, opened } = view.fight;
  const isAttack = laying === by;
  const border = bordersFor(view, isAttack ? "attack" : "defence")
    .map((each) => text(`border.${each}`))
    .join(" / ");
  return text(
    isAttack && !opened && !attack.length
      ? "vampire_empire.step.lay_first"
      : "vampire_empire.step.lay",
    { character: isAttack ? attacker : target, border },
  );
}

/** Describe for all others what the seat to move is doing. @param {EmpireSnapshot} snapshot */
export function waitWords({ view, to_move: seat }) {
  if (isAsked(view)) return text("vampire_empire.wait", { seat });
  if (view.fight && !view.payment && !view.support && !owesEntry(view)) {
    const { by, laying, attacker, target } = view.fight;
    return text("vampire_empire.wait.lay", { seat, character: laying === by ? attacker : target });
  }
  const does = view.payment
    ? "pay"
    : view.support
      ? "support"
      : owesEntry(view)
        ? "enter"
        : view.step;
  return text(`vampire_empire.wait.${does}`, { seat });
}

/** The last answer of holy water. @param {EmpireView} view */
export const answerWords = ({ answer }) =>
  answer
    ? text(`vampire_empire.water.${answer.vampire ? "yes" : "no"}`, { character: answer.character })
    : null;

/** Events without a message: moments of a turn that every screen shows anyway. */
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
/** The messages for people, of this game alone. @param {LogEntry[]} entries */
export const publicMessages = (entries) =>
  entries
    .slice(entries.findLastIndex(({ event }) => event.event === "game_started") + 1)
    .filter(({ message: sentence, event }) => sentence && !SILENT.includes(event.event));

/** What stays to be read. The answer of holy water goes after its moment: remembering is the players'. Whose turn it is stands
 * in the banner.
 * @param {LogEntry[]} entries
 */
export const logged = (entries) =>
  publicMessages(entries).filter(
    ({ event }) => !["holy_water_answered", "turn_started"].includes(event.event),
  );

/**
 * The last message, for a screen on which somebody waits; null at the beginning.
 * @param {EmpireSnapshot} snapshot
 */
export const lastMessage = ({ log }) => logged(log).at(-1)?.message ?? null;
