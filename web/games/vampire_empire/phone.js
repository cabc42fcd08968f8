/**
 * The phone of a player of Vampire Empire. The open page is the same for both; characters, hand and
 * their actions are in the page only while the player looks.
 */
import {
  answerWords,
  arithmetic,
  castle,
  publicMessages,
  isAsked,
  isVampire,
  lastMessage,
  logged,
  namedSign,
  nameOf,
  portrait,
  PROFESSIONS,
  sign,
  steps,
  stepWords,
  stock,
  town,
  waitWords,
} from "./characters.js";
import { colours, description, face } from "./cards.js";
import { wall } from "./figures.js";
import { notebook } from "./notebook.js";
import { actionName, actionNamed } from "../../core/action_names.js";
import {
  button,
  CLOSES,
  doubleTapGuard,
  lobbySecret,
  rulesLink,
  votePanel,
  whyNot,
} from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { handPhone, handStack, proof, seatBanner } from "../../core/hand_phone.js";
import { cardOf, isLookedUp, lookUp } from "../../core/reference.js";
import { phaseOf } from "../../core/snapshot.js";
import { h } from "../../core/dom.js";
import { message, text, winnerWords } from "../../core/i18n.js";
import { game } from "./index.js";
import { lastEntries } from "../../core/phone.js";

const { winners } = game;

/** Milliseconds for which an answer cannot be pressed away. */
const READ_MS = 4000;
/** @type {EmpireChoices} */
const NO_CHOICE = {
  cards: [],
  read: null,
  who: null,
  attacker: null,
  value: null,
  beside: false,
  notes: false,
};

/** Open the page. @param {SeatPage} parts */
export function openPhone(parts) {
  const isSlip = doubleTapGuard();
  const base = handPhone(parts, {
    choices: NO_CHOICE,
    isReady: isLookedUp,
    ready: lookUp,
    page,
    intentOf: (phone, { action, argument }) => {
      const intent = (phone.look ? ACTIONS : DECLINES)[action]?.(phone, argument) ?? null;
      return intent && isDeed(action, intent) && isSlip() ? {} : intent;
    },
  });
  const { phone, draw } = base;
  phone.isReading = false;
  const read = () => {
    phone.isReading = true;
    setTimeout(() => {
      phone.isReading = false;
      if (!document.hidden) draw();
    }, READ_MS);
  };
  return {
    ...base,
    /** @param {Update} update */
    announced: ({ events }) => publicMessages(events),
    /** @param {EmpireSnapshot} snapshot @param {EmpireSecret} secret */
    update(snapshot, secret) {
      if (snapshot.view?.answer && !phone.snapshot?.view?.answer) read();
      return base.update(snapshot, secret);
    },
  };
}

/**
 * A seat that is asked may always decline: these buttons do not depend on the hand and stand on the
 * open page.
 * @type {GameActions<EmpirePhone>}
 */
const DECLINES = {
  decline: () => ({ submit: { type: "decline" } }),
  decline_turn: () => ({ submit: { type: "decline", rest_of_turn: true } }),
};

/** What is done under the hold. @type {GameActions<EmpirePhone>} */
const ACTIONS = {
  ...DECLINES,
  do: ({ secret }, name) => ({ submit: actionNamed(secret.legal, name) }),
  card: (phone, at) => cardTapped(phone, Number(at)),
  use: ({ secret, ui }, pile) => ({ submit: ui.cards.map((at) => useOf(secret, at, pile)) }),
  who: ({ ui }, who) => ({ ...NO_CHOICE, beside: ui.beside, who: who || null }),
  attacker: ({ ui }, attacker) => ({ ...NO_CHOICE, who: ui.who, attacker: attacker || null }),
  value: (_, value) => ({ value: Number(value) }),
  notes: ({ ui }) => ({ ...NO_CHOICE, notes: !ui.notes }),
  beside: ({ ui }) => ({ ...NO_CHOICE, beside: !ui.beside }),
};

/** What is done with cards of the hand, or of a pile that is searched; with several at once where that may be. */
const USES = ["discard", "lay", "pay", "support", "take"];
const SEVERAL = ["discard", "lay", "pay"];

/** @param {EmpireOwn} own */
const cardsOf = ({ seen, hand }) => (seen.length ? seen : hand);

/**
 * What may be done now with a card, by its place in the hand; undefined if nothing.
 * @param {EmpireSecret} secret @param {number} at @param {string} [pile]
 */
const useOf = ({ own, legal }, at, pile = "") =>
  legal.find(
    (action) =>
      USES.includes(action.type) &&
      action.card === cardsOf(own)[at] &&
      (action.type === "take") === own.seen.length > 0 &&
      (!pile || action.pile === pile),
  );

/**
 * A tapped card is read, and chosen if it may be used: with others of its kind, or alone.
 * @param {EmpirePhone} phone @param {number} at
 */
function cardTapped({ snapshot: { view }, secret, ui }, at) {
  const type = useOf(secret, at)?.type;
  if (!type) return { ...NO_CHOICE, read: ui.read === at ? null : at };
  const others = ui.cards.filter(
    (each) => each !== at && SEVERAL.includes(type) && useOf(secret, each)?.type === type,
  );
  const most = view.payment?.left ?? Infinity;
  const cards = ui.cards.includes(at) ? others : [...others, at].slice(-most);
  return { ...NO_CHOICE, cards, read: cards.at(-1) ?? null };
}

/**
 * Whether a press may bring another action under the finger.
 * @param {string} action @param {any} intent
 */
const isDeed = (action, { who, attacker, submit }) =>
  Boolean(action in DECLINES || who || attacker || submit);

/** @param {EmpirePhone} phone */
function page(phone) {
  return h(
    "main.vampire-empire-phone",
    { "data-position": phone.snapshot.position },
    phone.look ? revealed(phone) : openPage(phone),
    handStack(phone, true),
  );
}

/* ---- what anybody may see over a shoulder ---- */

/** @param {EmpirePhone} phone */
function head(phone) {
  const { turn } = phone.snapshot.view ?? {};
  const isDay = turn === "human";
  return seatBanner(
    phone,
    task(phone),
    turn && [icon(isDay ? "sun" : "moon"), " ", text(`vampire_empire.${isDay ? "day" : "night"}`)],
  );
}

/** @param {EmpirePhone} phone */
function task({ snapshot, seat }) {
  if (phaseOf(snapshot) === "lobby") return "";
  return snapshot.to_move === seat ? stepWords(snapshot.view) : waitWords(snapshot);
}

/** The last message, for a waiting player. @param {EmpireSnapshot} snapshot */
const just = (snapshot) => h("p#just.just", message(lastMessage(snapshot)));

/** @param {EmpirePhone} phone */
function openPage(phone) {
  const { snapshot, seat, notice } = phone;
  const { view } = snapshot;
  return [
    snapshot.phase === "over" ? finale(phone) : head(phone),
    snapshot.phase === "play" && just(snapshot),
    notice && h("p#notice.bad", { role: "alert" }, message(notice)),
    snapshot.phase === "lobby"
      ? [h("p", text("lobby.seated")), rulesLink(snapshot)]
      : [
          votePanel(snapshot, seat),
          snapshot.phase === "over" && proof(phone),
          answerWords(view) && h("p.result", answerWords(view)),
          declines(phone),
          h("div.keep", wall(), castle(view)),
          arithmetic(view) ?? town(view),
          h("div.about", stock(view), steps(view)),
          // In play the last one stands above.
          lastEntries(
            logged(snapshot.log).slice(-4, snapshot.phase === "play" ? -1 : undefined),
            4,
          ),
        ],
  ];
}

/** @param {EmpirePhone} phone */
const finale = ({ snapshot: { outcome }, isLost }) =>
  h(
    "header#banner.finale",
    h("h1", winnerWords(outcome, winners)),
    h("p#task", isLost ? text("link.again") : text(`end.reason.${outcome.reason}`)),
  );

/** The two ways to play no support card, for the seat that is asked. @param {EmpirePhone} phone */
function declines({ snapshot: { view, to_move: mover, phase, paused, vote }, seat, ui }) {
  if (phase !== "play" || paused || vote || mover !== seat || !isAsked(view)) return null;
  return h(
    "div#declines.acts",
    Object.keys(DECLINES).map((name, at) =>
      button(name, text(`vampire_empire.act.${name}`), {
        class: at || ui.cards.length ? null : "prime",
      }),
    ),
  );
}

/* ---- under the hold ---- */

/** @param {EmpirePhone} phone */
function revealed(phone) {
  const { snapshot, secret, seat, refusal, ui } = phone;
  const { own, legal } = secret;
  if (!own) return lobbySecret(phone);
  const { view } = snapshot;
  const isOpen = snapshot.phase === "play" && !snapshot.paused && !snapshot.vote;
  return h(
    "section.secret",
    { translate: "no" },
    head(phone),
    people(view, own, seat),
    own.coming.length > 0 &&
      h(
        "p#coming",
        h("span.muted", text("vampire_empire.coming"), ": "),
        own.coming.map(nameOf).join(", "),
      ),
    refusal && h("p#refusal.bad", message(refusal)),
    answerWords(view) && h("p#answer.result", answerWords(view)),
    ui.notes
      ? notebook(view, own, seat)
      : [
          arithmetic(view),
          !view.has_real_cards && hand(phone, isOpen),
          isOpen && h("div#acts.acts", acts(phone, legal)),
          declines(phone),
        ],
    isOpen &&
      view.options.notebook &&
      button(
        "notes",
        text(ui.notes ? "vampire_empire.notes.close" : "vampire_empire.notes"),
        ui.notes ? CLOSES : {},
      ),
  );
}

/**
 * The characters that a seat knows; those in the castle stand in a lit window.
 * @param {EmpireView} view @param {EmpireOwn} own @param {string} seat
 */
const people = (view, own, seat) =>
  h(
    "div#own.cast",
    h("p.muted", text(`vampire_empire.who.${seat}`)),
    h(
      "ul",
      own.characters.map((name) => {
        const isInside = view.castle.includes(name);
        const isDead = view.dead.some(({ character }) => character === name);
        return h(
          "li",
          { class: [isInside && "inside", isDead && "gone"] },
          portrait(name, seat === "vampire"),
          h("b", nameOf(name)),
          h(
            "span.vh",
            isInside && text("vampire_empire.castle"),
            isDead && text("vampire_empire.dead"),
          ),
        );
      }),
    ),
  );

/**
 * The hand, or the pile that is searched, with the card that is read below it.
 * @param {EmpirePhone} phone @param {boolean} isOpen
 */
function hand({ snapshot: { view }, secret, ui }, isOpen) {
  const cards = cardsOf(secret.own);
  const uses = cards.map((_, at) => (isOpen ? useOf(secret, at) : undefined));
  const isSeveral = uses.some((use) => use && SEVERAL.includes(use.type));
  return [
    h(
      "div#hand.own",
      { role: "group", "aria-label": text("vampire_empire.own.hand") },
      cards.map((id, at) =>
        button(
          ["card", at],
          [face(id, view.turn), uses[at] && h("span.vh", ", ", text("vampire_empire.lit"))],
          {
            ...colours(id),
            class: ["playing-card", uses[at] && "lit"],
            "aria-pressed": String(ui.cards.includes(at)),
            "aria-current": ui.read === at ? "true" : null,
          },
        ),
      ),
    ),
    cards.length > 0 &&
      h(
        "p#card.reading",
        ui.read !== null && cards[ui.read]
          ? description(cards[ui.read])
          : text(isSeveral ? "vampire_empire.hint.lit" : "vampire_empire.hint.read"),
      ),
  ];
}

/** @type {Record<string, (action: EmpireAction) => Child>} */
const WORDS = {
  draw: () => text("vampire_empire.act.draw"),
  draw_none: () => text("vampire_empire.act.draw_none"),
  proceed: () => text("vampire_empire.act.proceed"),
  pass: () => text("vampire_empire.act.pass"),
  done: () => text("vampire_empire.act.done"),
  remake: () => text("vampire_empire.act.remake"),
  no_cards: () => text("vampire_empire.act.no_cards"),
  reveal: ({ character }) => text("vampire_empire.act.reveal", { character }),
  hide: ({ character }) => text("vampire_empire.act.hide", { character }),
  holy_water: ({ character }) => text("vampire_empire.act.water", { character }),
  fight: ({ attacker }) => text("vampire_empire.act.attack", { character: attacker }),
  swap: ({ character }) => text("vampire_empire.act.swap", { character }),
  enter: ({ character }) => text("vampire_empire.act.enter", { character }),
  put_marker: ({ character, side }) => text(`vampire_empire.act.marker.${side}`, { character }),
  cancel: ({ side, number }) => text(`vampire_empire.act.cancel.${side}`, { n: number }),
};
const PRIME = ["draw", "proceed", "done"];
const BESIDE = ["put_marker", "cancel", "swap", "remake"];
/** More actions than this with a character are chosen in two presses: the character, then the verb. */
const FEW = 3;

/** With whom something is done; undefined for nobody. @param {EmpireAction} action */
const whoOf = ({ type, attacker, character }) => (type === "fight" ? attacker : character);

/** All actions without a card. @param {EmpirePhone} phone @param {EmpireAction[]} all */
function acts({ snapshot: { view }, secret, ui, isReading }, all) {
  if (view.step === "answer")
    return all.map((action) =>
      button(pressOf(action), text("vampire_empire.act.read"), {
        class: "prime",
        ...whyNot(isReading && text("vampire_empire.now.answer")),
      }),
    );
  if (ui.cards.length) return uses(secret, ui);
  if (ui.attacker)
    return [
      ...all
        .filter(({ type, attacker }) => type === "fight" && attacker === ui.attacker)
        .map((action) =>
          press(action, [
            portrait(action.target, isVampire(view, action.target)),
            text("vampire_empire.act.target", { character: action.target }),
          ]),
        ),
      button(["attacker", ""], text("no"), CLOSES),
    ];
  const beside =
    view.has_real_cards && !view.support ? all.filter(({ type }) => BESIDE.includes(type)) : [];
  if (ui.beside)
    return [...actionButtons(view, beside, ui), !ui.who && button("beside", text("no"), CLOSES)];
  const plain = all.filter((action) => action.type in WORDS && !beside.includes(action));
  return [
    values(all, ui),
    ...actionButtons(view, plain, ui),
    !ui.who && beside.length > 0 && button("beside", text("vampire_empire.act.beside")),
  ];
}

/**
 * What is done with the chosen cards: the first is the main button.
 * @param {EmpireSecret} secret @param {EmpireChoices} choices
 */
function uses(secret, { cards }) {
  const [at] = cards;
  const ids = cards.map((each) => cardsOf(secret.own)[each]);
  const type = useOf(secret, at)?.type;
  if (type === "discard")
    return ["cellar", "moat"]
      .filter((pile) => useOf(secret, at, pile))
      .map((pile, place) =>
        button(["use", pile], text(`vampire_empire.act.${pile}`), {
          class: place ? null : "prime",
        }),
      );
  const n = type === "lay" ? ids.reduce((sum, id) => sum + cardOf(id).value, 0) : ids.length;
  return [
    button("use", text(`vampire_empire.use.${type}`, { n, card: cardOf(ids[0]).name }), {
      class: "prime",
    }),
  ];
}

/** @param {any} action @returns {ActionName} */
const pressOf = (action) => ["do", actionName(action)];

/** @param {any} action @param {Child} words */
const press = (action, words) =>
  button(pressOf(action), words, { class: PRIME.includes(action.type) ? "prime" : null });

/**
 * Deeds as buttons: of many with characters first the characters, then what is done with the chosen one.
 * @param {EmpireView} view @param {EmpireAction[]} actions @param {EmpireChoices} choices
 */
function actionButtons(view, actions, { who }) {
  /** @type {EmpireAction[]} */
  const verbs = [];
  for (const action of actions) {
    const isKnown = verbs.some(
      (each) => each.type === "fight" && each.attacker === action.attacker,
    );
    if (action.type !== "fight" || !isKnown) verbs.push(action);
  }
  const withWhom = verbs.filter(whoOf);
  /** @param {string} name */
  const pictureOf = (name) => portrait(name, isVampire(view, name));
  /** @param {EmpireAction} action */
  const drawn = (action) => {
    const words = [whoOf(action) && pictureOf(whoOf(action)), WORDS[action.type](action)];
    return action.type === "fight"
      ? button(["attacker", action.attacker], words)
      : press(action, words);
  };
  if (who && withWhom.some((action) => whoOf(action) === who))
    return [
      ...withWhom.filter((action) => whoOf(action) === who).map(drawn),
      button(["who", ""], text("no"), CLOSES),
    ];
  if (withWhom.length <= FEW) return verbs.map(drawn);
  const isAlike = withWhom.every(({ type }) => type === "enter");
  const names = [...new Set(withWhom.map(whoOf))];
  return [
    !isAlike && h("p.muted", text("vampire_empire.act.whom")),
    h(
      "div.even.whom",
      names.map((name) =>
        button(
          isAlike ? pressOf(withWhom.find((action) => whoOf(action) === name)) : ["who", name],
          [pictureOf(name), h("span", namedSign(PROFESSIONS[name]), nameOf(name))],
        ),
      ),
    ),
    ...verbs.filter((action) => !whoOf(action)).map(drawn),
  ];
}

/**
 * With real cards: a real card's value, and in a fight the border that lets it count.
 * @param {EmpireAction[]} all @param {EmpireChoices} ui
 */
function values(all, ui) {
  const typed = all.filter(({ type }) => type === "pay_value" || type === "lay_value");
  if (!typed.length) return [];
  const isLaying = typed[0].type === "lay_value";
  const numbers = [...new Set(typed.map(({ value }) => value))].slice(0, 6);
  return [
    h("p.muted", text("vampire_empire.value")),
    h(
      "div.even.numbers",
      numbers.map((value) =>
        isLaying
          ? button(["value", value], value, { "aria-pressed": String(ui.value === value) })
          : press(
              typed.find((action) => action.value === value),
              value,
            ),
      ),
    ),
    isLaying &&
      ui.value &&
      h(
        "div.even.numbers",
        typed
          .filter(({ value }) => value === ui.value)
          .map((action) =>
            press(action, [sign(action.border), " ", text(`border.${action.border}`)]),
          ),
      ),
  ];
}
