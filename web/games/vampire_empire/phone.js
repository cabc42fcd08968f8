/**
 * The phone of a player of Vampire Empire. The open page is the same for both; characters, hand and
 * their actions are in the page only while the player looks.
 */
import {
  answerWords,
  arithmetic,
  castle,
  handCard,
  publicMessages,
  isAsked,
  lastMessage,
  logged,
  nameOf,
  PROFESSIONS,
  sign,
  steps,
  stepWords,
  stock,
  town,
  waitWords,
} from "./characters.js";
import { notebook } from "./notebook.js";
import { actionName, actionNamed } from "../../core/action_names.js";
import {
  button,
  doubleTapGuard,
  lobbySecret,
  rulesLink,
  votePanel,
  whyNot,
  whyWait,
} from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { handPhone, handStack, proof, seatStripe } from "../../core/hand_phone.js";
import { isLookedUp, lookUp } from "../../core/reference.js";
import { phaseOf } from "../../core/snapshot.js";
import { h } from "../../core/dom.js";
import { message, text, winnerWords } from "../../core/i18n.js";
import { game } from "./index.js";

const { winners } = game;

/** Milliseconds for which an answer cannot be pressed away. */
const READ_MS = 4000;
/** @type {EmpireChoices} */
const NO_CHOICE = {
  card: null,
  who: null,
  attacker: null,
  value: null,
  beside: false,
  notes: false,
};

/**
 * Open the page: `request` sends, `show` draws. Returns {update, pressed, linked, draw}.
 * @param {{seat: string, request: SendRequest, show: (trees: Child[]) => void}} parts
 */
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

/**
 * What is done under the hold.
 * @type {GameActions<EmpirePhone>}
 */
const ACTIONS = {
  ...DECLINES,
  do: ({ secret }, name) => ({ submit: actionNamed(secret.legal, name) }),
  card: ({ ui }, card) => ({ ...NO_CHOICE, card: ui.card === card ? null : card }),
  who: ({ ui }, who) => ({ ...NO_CHOICE, beside: ui.beside, who: who || null }),
  attacker: ({ ui }, attacker) => ({ ...NO_CHOICE, who: ui.who, attacker: attacker || null }),
  value: (_, value) => ({ value: Number(value) }),
  notes: ({ ui }) => ({ ...NO_CHOICE, notes: !ui.notes }),
  beside: ({ ui }) => ({ ...NO_CHOICE, beside: !ui.beside }),
};

/**
 * Whether a press may bring another action under the finger; cards are tapped one after another.
 * @param {string} action
 * @param {any} intent
 */
const isDeed = (action, { who, attacker, submit }) =>
  Boolean(action in DECLINES || who || attacker || (submit && !submit.card));

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
  return seatStripe(phone, turn && text(`vampire_empire.${turn === "human" ? "day" : "night"}`));
}

/** @param {EmpirePhone} phone */
function task({ snapshot, seat }) {
  if (phaseOf(snapshot) === "lobby") return "";
  if (phaseOf(snapshot) === "over")
    return [
      winnerWords(snapshot.outcome, winners),
      ". ",
      text(`end.reason.${snapshot.outcome.reason}`),
    ];
  return snapshot.to_move === seat ? stepWords(snapshot.view) : waitWords(snapshot);
}

/**
 * The last message, for a waiting player.
 * @param {EmpireSnapshot} snapshot
 */
const just = (snapshot) => h("p#just.just", message(lastMessage(snapshot)));

/** @param {EmpirePhone} phone */
function openPage(phone) {
  const { snapshot, seat, notice } = phone;
  const { view } = snapshot;
  const isMine = snapshot.phase === "play" && snapshot.to_move === seat;
  return [
    head(phone),
    h("p#task", { class: isMine ? "mine" : null }, task(phone)),
    snapshot.phase === "play" && just(snapshot),
    notice && h("p#notice.bad", message(notice)),
    snapshot.phase === "lobby"
      ? [h("p", text("lobby.seated")), rulesLink(snapshot)]
      : [
          votePanel(snapshot, seat),
          snapshot.phase === "over" && proof(phone),
          answerWords(view) && h("p.result", answerWords(view)),
          declines(phone),
          castle(view),
          arithmetic(view) ?? town(view),
          stock(view),
          steps(view),
          h(
            "ol#log.clues",
            logged(snapshot.log)
              .slice(-4)
              .reverse()
              .map((entry) => h("li", message(entry.message))),
          ),
        ],
  ];
}

/**
 * The two ways to play no support card, for the seat that is asked.
 * @param {EmpirePhone} phone
 */
function declines({ snapshot: { view, to_move: mover, phase, paused, vote }, seat }) {
  if (phase !== "play" || paused || vote || mover !== seat || !isAsked(view)) return null;
  return h(
    "div#declines.acts",
    Object.keys(DECLINES).map((name, at) =>
      button(name, text(`vampire_empire.act.${name}`), { class: at ? null : "prime" }),
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
    h(
      "div#own.who",
      h("span.muted", text(`vampire_empire.who.${seat}`), ": "),
      own.characters.map((name) =>
        h(
          "span",
          {
            class: `mine${view.castle.includes(name) ? " inside" : ""}${view.dead.some(({ character }) => character === name) ? " gone" : ""}`,
          },
          sign(PROFESSIONS[name]),
          nameOf(name),
        ),
      ),
    ),
    own.coming.length > 0 &&
      h(
        "p#coming",
        h("span.muted", text("vampire_empire.coming"), ": "),
        own.coming.map(nameOf).join(", "),
      ),
    refusal && h("p#refusal.bad", message(refusal)),
    h("h1#task", { class: snapshot.to_move === seat ? "mine" : null }, task(phone)),
    answerWords(view) && h("p#answer.result", answerWords(view)),
    ui.notes
      ? notebook(view, own, seat)
      : [
          arithmetic(view),
          !view.has_real_cards &&
            h(
              "div#hand.own",
              {
                "aria-label": text("vampire_empire.own.hand"),
                "data-why-not": whyWait(snapshot, seat) ?? text("not_at_this_step"),
              },
              hand(own, isOpen ? legal : [], ui),
            ),
          isOpen && h("div#acts.acts", acts(phone, legal)),
          declines(phone),
        ],
    isOpen &&
      view.options.notebook &&
      button("notes", text(ui.notes ? "vampire_empire.notes.close" : "vampire_empire.notes")),
  );
}

/**
 * The hand, or the pile that is searched; a card is pressed to use it, before drawing to choose its pile.
 * @param {EmpireOwn} own
 * @param {EmpireAction[]} legal
 * @param {EmpireChoices} ui
 */
function hand(own, legal, ui) {
  const isSearching = own.seen.length > 0;
  return (isSearching ? own.seen : own.hand).map((id) => {
    const use = legal.find(({ card, type }) => card === id && (type === "take") === isSearching);
    if (!use) return handCard(id, null);
    return use.type === "discard"
      ? handCard(id, ["card", id], ui.card === id)
      : handCard(id, pressOf(use));
  });
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
  /** @param {EmpireAction} action */
  reveal: ({ character }) => text("vampire_empire.act.reveal", { character }),
  /** @param {EmpireAction} action */
  hide: ({ character }) => text("vampire_empire.act.hide", { character }),
  /** @param {EmpireAction} action */
  holy_water: ({ character }) => text("vampire_empire.act.water", { character }),
  /** @param {EmpireAction} action */
  fight: ({ attacker }) => text("vampire_empire.act.attack", { character: attacker }),
  /** @param {EmpireAction} action */
  swap: ({ character }) => text("vampire_empire.act.swap", { character }),
  /** @param {EmpireAction} action */
  enter: ({ character }) => text("vampire_empire.act.enter", { character }),
  /** @param {EmpireAction} action */
  put_marker: ({ character, side }) => text(`vampire_empire.act.marker.${side}`, { character }),
  /** @param {EmpireAction} action */
  cancel: ({ side, number }) => text(`vampire_empire.act.cancel.${side}`, { n: number }),
};
const PRIME = ["draw", "proceed", "done"];
const BESIDE = ["put_marker", "cancel", "swap", "remake"];
/** More actions than this with a character are chosen in two presses: the character, then the verb. */
const FEW = 3;

/**
 * The character with whom something is done; undefined where it is done with none.
 * @param {EmpireAction} action
 */
const whoOf = ({ type, attacker, character }) => (type === "fight" ? attacker : character);

/**
 * All actions without a card.
 * @param {EmpirePhone} phone
 * @param {EmpireAction[]} all
 */
function acts({ snapshot: { view }, ui, isReading }, all) {
  if (view.step === "answer")
    return all.map((action) =>
      button(pressOf(action), text("vampire_empire.act.read"), {
        class: "prime",
        ...whyNot(isReading && text("vampire_empire.now.answer")),
      }),
    );
  if (ui.card)
    return all
      .filter(({ type, card }) => type === "discard" && card === ui.card)
      .map((action) => press(action, text(`vampire_empire.act.${action.pile}`)));
  if (ui.attacker)
    return [
      ...all
        .filter(({ type, attacker }) => type === "fight" && attacker === ui.attacker)
        .map((action) =>
          press(action, text("vampire_empire.act.target", { character: action.target })),
        ),
      button(["attacker", ""], text("no")),
    ];
  const beside =
    view.has_real_cards && !view.support ? all.filter(({ type }) => BESIDE.includes(type)) : [];
  if (ui.beside) return [...actionButtons(beside, ui), !ui.who && button("beside", text("no"))];
  const plain = all.filter((action) => action.type in WORDS && !beside.includes(action));
  return [
    values(all, ui),
    ...actionButtons(plain, ui),
    !ui.who && beside.length > 0 && button("beside", text("vampire_empire.act.beside")),
  ];
}

/** @param {any} action @returns {ActionName} */
const pressOf = (action) => ["do", actionName(action)];

/** @param {any} action @param {Child} words */
const press = (action, words) =>
  button(pressOf(action), words, { class: PRIME.includes(action.type) ? "prime" : null });

/**
 * Deeds as buttons: of many with characters first the characters, then what is done with the chosen one.
 * @param {EmpireAction[]} actions
 * @param {EmpireChoices} choices
 */
function actionButtons(actions, { who }) {
  /** @type {EmpireAction[]} */
  const verbs = [];
  for (const action of actions) {
    const isKnown = verbs.some(
      (each) => each.type === "fight" && each.attacker === action.attacker,
    );
    if (action.type !== "fight" || !isKnown) verbs.push(action);
  }
  const withWhom = verbs.filter(whoOf);
  /** @param {EmpireAction} action */
  const drawn = (action) =>
    action.type === "fight"
      ? button(["attacker", action.attacker], [icon("sword"), " ", WORDS.fight(action)])
      : press(action, WORDS[action.type](action));
  if (who && withWhom.some((action) => whoOf(action) === who))
    return [
      ...withWhom.filter((action) => whoOf(action) === who).map(drawn),
      button(["who", ""], text("no")),
    ];
  if (withWhom.length <= FEW) return verbs.map(drawn);
  const isAlike = withWhom.every(({ type }) => type === "enter");
  const names = [...new Set(withWhom.map(whoOf))];
  return [
    !isAlike && h("p.muted", text("vampire_empire.act.whom")),
    h(
      "div.whom",
      names.map((name) =>
        button(
          isAlike ? pressOf(withWhom.find((action) => whoOf(action) === name)) : ["who", name],
          [sign(PROFESSIONS[name]), nameOf(name)],
        ),
      ),
    ),
    ...verbs.filter((action) => !whoOf(action)).map(drawn),
  ];
}

/**
 * With real cards: a real card's value, and in a fight the border that lets it count.
 * @param {EmpireAction[]} all
 * @param {EmpireChoices} ui
 */
function values(all, ui) {
  const typed = all.filter(({ type }) => type === "pay_value" || type === "lay_value");
  if (!typed.length) return [];
  const isLaying = typed[0].type === "lay_value";
  const numbers = [...new Set(typed.map(({ value }) => value))].slice(0, 6);
  return [
    h("p.muted", text("vampire_empire.value")),
    h(
      "div.row.numbers",
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
        "div.row.numbers",
        typed
          .filter(({ value }) => value === ui.value)
          .map((action) =>
            press(action, [sign(action.border), " ", text(`border.${action.border}`)]),
          ),
      ),
  ];
}
