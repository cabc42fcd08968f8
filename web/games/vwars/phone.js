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
import { isLookedUp, lookUp, nameThings } from "../../core/reference.js";
import { handPhone, handStack, hasCover, proof, seatStripe } from "../../core/hand_phone.js";
import { phaseOf } from "../../core/snapshot.js";
import { h } from "../../core/dom.js";
import { choiceAt, choiceList } from "../../screens/table/seat_choices.js";
import {
  card,
  choices,
  coming,
  finale,
  taskWords,
  isRioting,
  lastMessage,
  map,
  people,
  pressed,
  riot,
  publicEntries,
  tracks,
  waitWords,
} from "./board.js";
import { readFocus, texts, textsButton } from "./texts.js";
import { message, plainText, seatChip, text, translated } from "../../core/i18n.js";

/**
 * Open the page: `request` sends, `show` draws. Returns {update, pressed, linked, draw}.
 * @param {{seat: string, request: SendRequest, show: (trees: Child[]) => void}} parts
 */
export const openPhone = (parts) =>
  handPhone(parts, {
    choices: { mode: null, sure: null, texts: false },
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
      texts: (where) => {
        phone.ui.texts = !phone.ui.texts;
        readFocus(phone.ui.texts, where);
      },
    }),
  });

const isSecond = secondPress();

/**
 * The first press asks whether the player is sure, the second one submits.
 * @param {VWarsPhone} phone
 * @param {Action} action
 */
function twice({ ui }, action) {
  const name = nameOf(action);
  return isSecond(ui.sure === name) ? { sure: null, submit: action, isLast: true } : { sure: name };
}

/** @param {Action} action */
const nameOf = ({ type, target = "" }) => `${type} ${target}`;

/**
 * What is done under the hold; then the page is covered again.
 * @type {GameActions<VWarsPhone>}
 */
const COVERED = {
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
    h("div.over", { tabindex: "0" }, look && isCoverable ? revealed(phone) : openPage(phone)),
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
    seatStripe(phone),
    snapshot.view && textsButton(snapshot.view, ui.texts),
  );
  if (ui.texts && snapshot.view) return [head, texts(snapshot.view)];
  return [
    head,
    now === "over"
      ? finale(snapshot.outcome, "task")
      : h("p#task", { class: isMine ? "mine" : null }, words),
    // The task may repeat the last message.
    now === "turn" && h("p#just.just", plainText(last) === words ? "" : message(last)),
    now === "lobby"
      ? lobby(phone)
      : [
          votePanel(snapshot, seat),
          notice && h("p#notice.bad", message(notice)),
          now === "over" && snapshot.seal && proof(phone),
          legal.length > 0 && h("div#choices.choices", choices(snapshot.view, legal, ui)),
          isRioting(snapshot) && riot(snapshot.view),
          tracks(snapshot.view),
          coming(snapshot.view),
          role(snapshot.view.players[seat]),
          people(snapshot.view, now === "over" ? null : snapshot.to_move),
          !isRioting(snapshot) && riot(snapshot.view),
          h(
            "ol#log.clues",
            publicEntries(snapshot, 4)
              .reverse()
              .map((entry) => h("li", message(entry.message))),
          ),
          map(snapshot.view),
        ],
  ];
}

/**
 * Before the game: the role that this seat chooses, where there is one to choose.
 * @param {VWarsPhone} phone
 */
function lobby({ snapshot, seat, notice }) {
  const chosen = snapshot.lobby.roles?.[seat];
  return [
    notice && h("p#notice.bad", message(notice)),
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
function task({ snapshot }, now, isMine) {
  if (now === "lobby" || now === "over") return "";
  const { step } = snapshot.view;
  if (isMine && ["card", "rally", "discard"].includes(step)) return text(`vwars.task.${step}`);
  return isMine ? taskWords(snapshot) : waitWords(snapshot);
}

/* ---- under the hold ---- */

/** @param {VWarsPhone} phone */
function revealed(phone) {
  const { snapshot, secret, seat, refusal } = phone;
  const { own } = secret;
  if (!own) return lobbySecret(phone);
  const { step } = snapshot.view;
  const isMine = snapshot.to_move === seat && phaseOf(snapshot) === "turn";
  return h(
    "section.secret",
    { translate: "no" },
    h("h2", text("vwars.faction")),
    h("h1#faction.faction", text(`faction.${own.faction}`)),
    refusal && h("p#refusal.bad", message(refusal)),
    isMine && step === "discard"
      ? [
          h("h2", text("vwars.task.discard")),
          cards(
            snapshot.view.riot.turned.filter(([, removed]) => !removed).map(([name]) => name),
            "discard",
          ),
        ]
      : [
          own.cards.length > 0 && h("h2", text("vwars.hand")),
          cards(own.cards, isMine && step === "card" ? "put" : null),
        ],
    isMine && step === "rally" ? rally(phone) : actionButtons(phone, isMine && step === "turn"),
  );
}

/** @param {string[]} names @param {string | null} action */
const cards = (names, action) =>
  h(
    "div#hand.own",
    { "data-why-not": action ? null : text("not_at_this_step") },
    names.map((name) =>
      action ? button([action, name], card(name), { "aria-label": null }) : card(name),
    ),
  );

/**
 * Actions that only some have are offered to everybody in the same way.
 * @param {VWarsPhone} phone
 * @param {boolean} isOpen
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
    h("p", text("vwars.investigate")),
    h(
      "div.row",
      Object.keys(snapshot.view.players)
        .filter((other) => other !== seat)
        .map((other) => press({ type: "investigate", target: other }, seatChip(other))),
    ),
    h("p.muted", text("vwars.alike")),
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
          {
            "aria-pressed": String(ui.sure === nameOf({ type: "reveal" })),
          },
        ),
    button("stay", text("vwars.stay")),
    !isKnown && h("p.muted", text("vwars.alike")),
  );
}
