/**
 * The phone of a player of V-Wars. Public actions are chosen on the open page; faction, cards, and
 * actions that only some have are in the page only while the player looks, and look the same for
 * everybody.
 */
import {
  button,
  lobbySecret,
  rulesLink,
  secondPress,
  votePanel,
  whyNot,
} from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { isLookedUp, lookUp, nameThings } from "../../core/reference.js";
import { handPhone, handStack, hasCover, proof, seatBanner } from "../../core/hand_phone.js";
import { phaseOf } from "../../core/snapshot.js";
import { h } from "../../core/dom.js";
import { choiceAt, choiceList } from "../../screens/table/seat_choices.js";
import {
  card,
  cardButton,
  choices,
  cityKind,
  cityOf,
  coming,
  finale,
  taskWords,
  isRioting,
  lastMessage,
  people,
  pressed,
  pressOf,
  riot,
  publicEntries,
  TARGETS,
  tracks,
  valueOf,
  waitWords,
} from "./board.js";
import { cityCard, cityMap } from "./city_map.js";
import { readFocus, texts, textsButton } from "./texts.js";
import { message, plainText, seatChip, text, translated } from "../../core/i18n.js";
import { lastEntries } from "../../core/phone.js";

/** Open the page. @param {SeatPage} parts */
export const openPhone = (parts) =>
  handPhone(parts, {
    choices: { mode: null, sure: null, city: null, card: null, texts: false },
    keep: ({ texts: areTextsOpen }) => ({ texts: areTextsOpen }),
    isReady: isLookedUp,
    ready: lookUp,
    page,
    toggle: "look",
    intentOf: (phone, { action, argument }) =>
      (phone.look && COVERED[action]?.(phone, argument)) ||
      pressed(phone.secret?.legal ?? [])[action]?.(phone, argument),
    actions: (phone, send) => ({
      take: (at) => send("choose", choiceAt(phone.snapshot, "roles", phone.seat, Number(at))),
      city: (id) => {
        phone.ui.city = phone.ui.city === id ? null : id;
      },
      texts: (where) => {
        phone.ui.texts = !phone.ui.texts;
        if (phone.ui.texts) readFocus(where);
      },
    }),
  });

const isSecond = secondPress();

/** The first press asks, the second submits. @param {VWarsPhone} phone @param {Action} action */
function twice({ ui }, action) {
  const name = nameOf(action);
  return isSecond(ui.sure === name) ? { sure: null, submit: action, isLast: true } : { sure: name };
}

/** @param {Action} action */
const nameOf = ({ type, target = "" }) => `${type} ${target}`;

/** What is done under the hold; then the page is covered again. @type {GameActions<VWarsPhone>} */
const COVERED = {
  card: ({ ui }, at) => ({ card: ui.card === Number(at) ? null : Number(at) }),
  put: (_, card) => ({ submit: { type: "put", card }, isLast: true }),
  discard: (_, card) => ({ submit: { type: "discard", card }, isLast: true }),
  stay: () => ({ submit: { type: "stay" }, isLast: true }),
  wake: (_, target) => ({ submit: { type: "awaken", target }, isLast: true }),
  reveal: (phone) => twice(phone, { type: "reveal" }),
  investigate: (phone, target) => twice(phone, { type: "investigate", target }),
};

/** @param {VWarsPhone} phone */
function page(phone) {
  const { snapshot, look } = phone;
  if (snapshot.view) nameThings(snapshot.view);
  const isCoverable = hasCover(snapshot, snapshot.view?.options.factions === "phones");
  return h(
    "main.vwars-phone",
    { "data-position": snapshot.position },
    look && isCoverable ? revealed(phone) : openPage(phone),
    handStack(phone, isCoverable, "look"),
  );
}

/* ---- what anybody may see over a shoulder ---- */

/** @param {VWarsPhone} phone */
function openPage(phone) {
  const { snapshot, seat, secret, ui, notice } = phone;
  const now = phaseOf(snapshot);
  const isMine = now === "turn" && snapshot.to_move === seat;
  const legal = isMine && !snapshot.vote ? secret.legal : [];
  const words = task(phone, now, isMine);
  const last = lastMessage(snapshot);
  const head = h(
    "div.head",
    now === "over" ? finale(snapshot.outcome, "task") : seatBanner(phone, words),
    snapshot.view && textsButton(snapshot.view, ui.texts),
  );
  if (ui.texts && snapshot.view) return [head, texts(snapshot.view)];
  return [
    head,
    // The task may repeat the last message; who chooses a city needs the room.
    now === "turn" &&
      !ui.mode &&
      !ui.city &&
      h("p#just.just", plainText(last) === words ? "" : message(last)),
    now === "lobby"
      ? lobby(phone)
      : [
          votePanel(snapshot, seat),
          notice && h("p#notice.bad", { role: "alert" }, message(notice)),
          now === "over" && snapshot.seal && proof(phone),
          isRioting(snapshot) && riot(snapshot.view),
          mapAndChoices(phone, legal),
          tracks(snapshot.view),
          role(snapshot.view.players[seat]),
          people(snapshot.view, now === "over" ? null : snapshot.to_move),
          coming(snapshot.view),
          !isRioting(snapshot) && riot(snapshot.view),
          lastEntries(publicEntries(snapshot, 4), 4),
        ],
  ];
}

/**
 * The map with the lit cities, the chosen one in words, what may be done there, and all else that
 * may be done in the open.
 * @param {VWarsPhone} phone @param {VWarsAction[]} legal
 */
function mapAndChoices({ snapshot: { view }, seat, ui }, legal) {
  const kind = cityKind(legal, ui.mode);
  const targets = legal.filter(({ type }) => TARGETS.includes(type) && (!kind || type === kind));
  const there = ui.mode && !kind ? [] : targets.filter(({ city }) => city === ui.city);
  // One main button: ending what is asked, where that is what comes next.
  const isEnding = view.step === "turn" ? !view.actions_left : view.step !== "setup" && !kind;
  const isMap = ui.mode !== null && kind === ui.mode;
  const buttons = there.map((action, at) =>
    button(pressOf(action), text(`vwars.go.${action.type}`, { city: ui.city }), {
      class: at || isEnding ? null : "prime",
    }),
  );
  return [
    cityMap(view, (id) => targets.some(({ city }) => city === id), ui.city),
    ui.city && cityCard(view, ui.city, seat),
    (isMap || buttons.length > 0) &&
      h("div#there.even.there", isMap && button(["mode", ""], text("vwars.back")), buttons),
    legal.length > 0 &&
      !isMap &&
      h("div#choices.choices", choices(view, legal, ui, kind !== null || view.step === "turn")),
  ];
}

/** Before the game: the role that this seat may choose. @param {VWarsPhone} phone */
function lobby({ snapshot, seat, notice }) {
  const chosen = snapshot.lobby.roles?.[seat];
  return [
    notice && h("p#notice.bad", { role: "alert" }, message(notice)),
    h("p", text("lobby.seated")),
    snapshot.lobby.choices?.roles && [
      h("h2", text(chosen ? "choice.roles" : "choice.roles.own")),
      choiceList(snapshot, "roles", seat),
    ],
    rulesLink(snapshot),
  ];
}

/** @param {VWarsPlayer} player */
const role = ({ role: own, vampire }) =>
  own &&
  h(
    "p.own-role",
    h("b", { translate: "no" }, translated(own.name)),
    " ",
    translated(vampire ? own.vampire_text : own.human_text),
  );

/** @param {VWarsPhone} phone @param {string} now @param {boolean} isMine */
function task({ snapshot, ui }, now, isMine) {
  if (now === "lobby" || now === "over") return "";
  const { step } = snapshot.view;
  if (isMine && ["card", "rally", "discard"].includes(step)) return text(`vwars.task.${step}`);
  if (isMine && TARGETS.includes(ui.mode)) return text(`vwars.task.${ui.mode}`);
  return isMine ? taskWords(snapshot) : waitWords(snapshot);
}

/* ---- under the hold ---- */

/** @param {VWarsPhone} phone */
function revealed(phone) {
  const { snapshot, secret, seat, refusal, ui } = phone;
  const { own } = secret;
  if (!own) return lobbySecret(phone);
  const { step } = snapshot.view;
  const isMine = snapshot.to_move === seat && phaseOf(snapshot) === "turn";
  return h(
    "section.secret",
    { translate: "no" },
    seatBanner(phone, task(phone, phaseOf(snapshot), isMine)),
    h(
      "div.you",
      h("h2", text("vwars.faction")),
      h("h1#faction.faction", icon(FACTIONS[own.faction]), " ", text(`faction.${own.faction}`)),
    ),
    refusal && h("p#refusal.bad", message(refusal)),
    isMine && step === "discard"
      ? [
          h("h2", text("vwars.which.discard")),
          cards(
            snapshot.view.riot.turned.filter(([, removed]) => !removed).map(([name]) => name),
            "discard",
            ui,
          ),
        ]
      : [
          own.cards.length > 0 && h("h2", text("vwars.hand")),
          cards(own.cards, isMine && step === "card" ? "put" : null, ui),
        ],
    isMine && step === "rally" ? rally(phone) : actionButtons(phone, isMine && step === "turn"),
  );
}

/** The signs of the factions. @type {Record<string, string>} */
const FACTIONS = { human: "circle", infected: "heart", vampire: "bat" };

/**
 * Cards; with an action one is chosen, and then given by the button below them.
 * @param {string[]} names @param {string | null} action @param {Record<string, any>} ui
 */
const cards = (names, action, { card: chosen }) => [
  h(
    "div#hand.own",
    { "data-why-not": action ? null : text("not_at_this_step") },
    names.map((name, at) => (action ? cardButton(["card", at], name, at === chosen) : card(name))),
  ),
  action &&
    names[chosen] &&
    button(
      [action, names[chosen]],
      text(`vwars.use.${action}`, { n: valueOf(names[chosen]), city: cityOf(names[chosen]) }),
      { class: "prime" },
    ),
];

/**
 * Actions that only some have are offered to everybody in the same way.
 * @param {VWarsPhone} phone @param {boolean} isOpen
 */
function actionButtons({ snapshot, seat, ui }, isOpen) {
  /** @param {Action} action @param {Child} words */
  const press = (action, words) => {
    const isSure = ui.sure === nameOf(action);
    return button([action.type, action.target], isSure ? text("vwars.sure") : words, {
      ...whyNot(!isOpen && text("not_at_this_step")),
      "aria-pressed": String(isSure),
    });
  };
  return h(
    "div#actions.actions",
    press({ type: "reveal" }, text("vwars.reveal")),
    h("h2", text("vwars.investigate")),
    h(
      "div.even",
      Object.keys(snapshot.view.players)
        .filter((other) => other !== seat)
        .map((other) => press({ type: "investigate", target: other }, seatChip(other))),
    ),
    h("p.alike", text("vwars.alike")),
  );
}

/** @param {VWarsPhone} phone */
function rally({ snapshot, secret, seat, ui }) {
  const isKnown = snapshot.view.players[seat].vampire;
  return h(
    "div#actions.actions",
    isKnown
      ? secret.legal
          .filter(({ type }) => type === "awaken")
          .map(({ target }) =>
            button(["wake", target], [text("vwars.awaken"), " ", seatChip(target)]),
          )
      : button(
          "reveal",
          ui.sure === nameOf({ type: "reveal" }) ? text("vwars.sure") : text("vwars.reveal"),
          { "aria-pressed": String(ui.sure === nameOf({ type: "reveal" })) },
        ),
    button("stay", text("vwars.stay")),
    !isKnown && h("p.alike", text("vwars.alike")),
  );
}
