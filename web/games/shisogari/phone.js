/**
 * The phone of a player with a hand. The open page is the same for all; role and cards are in the
 * page only while the player looks, and every picked card is placed on one page in one manner.
 */
import {
  ACTIONS,
  NO_CHOICE,
  accusing,
  card,
  choices,
  colourOf,
  deedWords,
  moverWords,
  pair,
  partnerButtons,
  players,
  sum,
} from "./cards.js";
import { button, lobbySecret, rulesLink, votePanel } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { handPhone, handStack, hasCover, proof, seatStripe } from "../../core/hand_phone.js";
import { phaseOf } from "../../core/snapshot.js";
import { news } from "../../screens/table/news.js";
import { h } from "../../core/dom.js";
import { message, text } from "../../core/i18n.js";
import { game } from "./index.js";
import { finale, waitingCandle } from "./round_table.js";

const SECRET = ["lay", "keep", "accuse", "suspect", "name"];

/** Open the page. @param {SeatPage} parts */
export const openPhone = (parts) => ({
  ...handPhone(parts, { choices: NO_CHOICE, intentOf, page }),
  /** @param {Update} update */
  announced: (update) => news(update, game).events,
});

/**
 * What a press means; nothing without a look where it is about a secret.
 * @param {ShisogariPhone} phone @param {Press} press
 */
function intentOf(phone, { action, argument }) {
  if (!phone.look && hasHands(phone.snapshot) && SECRET.includes(action)) return {};
  const intent = ACTIONS[action]?.(phone, argument) ?? null;
  return intent?.submit && !isLegal(phone, intent.submit) ? {} : intent;
}

/** @param {ShisogariSnapshot} snapshot */
const hasHands = ({ view }) => view?.options.hands === "phones";

/** @param {ShisogariPhone} phone @param {Action} action */
const isLegal = ({ secret }, { type }) => secret.legal.some((action) => action.type === type);

/** @param {ShisogariPhone} phone */
function page(phone) {
  const { snapshot, look } = phone;
  // After the end all cards lie open.
  const isCoverable = hasCover(snapshot, hasHands(snapshot) && phaseOf(snapshot) !== "over");
  return h(
    "main.shisogari-phone",
    look && isCoverable ? revealed(phone) : openPage(phone),
    handStack(phone, isCoverable),
  );
}

/* ---- what anybody may see over a shoulder ---- */

/** @param {ShisogariPhone} phone */
export function openPage(phone) {
  const { snapshot, seat, secret, ui, notice } = phone;
  const now = phaseOf(snapshot);
  const isMine = now !== "over" && now !== "lobby" && snapshot.to_move === seat;
  const legal = isMine && !snapshot.secret && !snapshot.vote ? secret.legal : [];
  const open =
    snapshot.view?.options.hands === "phones"
      ? legal.filter(({ type }) => type !== "accuse")
      : legal;
  return [
    now === "over"
      ? [finale(snapshot), phone.isLost && h("p#task", text("link.again"))]
      : [
          seatStripe(phone),
          h(
            "div#task",
            { class: isMine ? "mine" : now === "lobby" ? null : "waits" },
            task(phone, now, isMine),
          ),
        ],
    notice && h("p#notice.bad", { role: "alert" }, message(notice)),
    now === "lobby"
      ? [h("p", text("lobby.seated")), rulesLink(snapshot)]
      : [
          h("p#transfer.transfer", now === "over" ? "" : deedWords(snapshot.view)),
          votePanel(snapshot, seat),
          legal.length > 0 && h("div#choices", choices(snapshot.view, open, ui)),
          players(snapshot.view, now === "over" ? null : snapshot.to_move, (other) =>
            legal.length && snapshot.view.step === "turn" && other !== seat
              ? partnerButtons(open, other)
              : null,
          ),
          sum(snapshot.view),
          now === "over" && snapshot.view.options.hands === "phones" && proof(phone),
        ],
  ];
}

/**
 * What may be done now, or who does what and the last message, beside a candle that is alike for all.
 * @param {ShisogariPhone} phone @param {string} now @param {boolean} isMine
 */
function task({ snapshot }, now, isMine) {
  if (now === "lobby") return [];
  const last = news({ snapshot, events: snapshot.log }, game).events.findLast(
    ({ message: sentence, event }) => sentence && event.event !== "turn_started",
  );
  // What was declared stands below.
  const isNews = last && (!snapshot.view.transfer || snapshot.view.step === "place");
  return [
    (snapshot.view.step === "place" || !isMine) && waitingCandle(snapshot.view),
    h(
      "div",
      h("p", isMine && h("b", text("turn.mine")), isMine && " · ", moverWords(snapshot, isMine)),
      !isMine && isNews && h("p#just.just", message(last.message)),
    ),
  ];
}

/* ---- under the hold ---- */

/** @param {ShisogariPhone} phone */
function revealed(phone) {
  const { snapshot, secret, seat, refusal, ui } = phone;
  const { own } = secret;
  if (!own) return lobbySecret(phone);
  const isPlacing = snapshot.secret && snapshot.to_move === seat;
  const isMine = !snapshot.secret && snapshot.to_move === seat && snapshot.view.step === "turn";
  const accusation = h(
    "div#accuse.accuse",
    accusing(
      snapshot.view,
      isMine ? secret.legal : [],
      ui,
      isMine ? undefined : "not_at_this_step",
    ),
  );
  return h(
    "section.secret",
    { translate: "no" },
    h(
      "div.line",
      h("h1#role", { class: `role ${own.role}` }, text(`role.${own.role}`)),
      h("span.muted", own.picked || isPlacing ? "" : text("nobody")),
    ),
    refusal && h("p#refusal.bad", message(refusal)),
    isPlacing && placing(secret),
    // Above the cards, where it stays: on a small phone they fill the screen.
    !isPlacing && accusation,
    h("h2", text("cards.hand")),
    h(
      "div#hand.own",
      { "data-why-not": text(isPlacing ? "cards.choose" : "not_at_this_step") },
      own.cards.map((each) => named(each)),
    ),
    h("h2", text("cards.own.pairs")),
    h(
      "div.own.pairs",
      own.laid.length
        ? own.laid.map((each) => pair({ colour: colourOf(each[0]), item: null }, each, own.role))
        : h("p.muted", "–"),
    ),
    own.boxed.length > 0 && [
      h("h2", text("cards.boxed")),
      h("p", own.boxed.map((each) => text(`item.${each}`)).join(", ")),
    ],
    !isPlacing && [h("h2", text("cards.passed")), passed(secret, seat)],
  );
}

/** The picked card and its uses: always one row of buttons. @param {ShisogariSecret} secret */
function placing({ own, legal, submitted }) {
  return h(
    "div#placing.placing",
    own.picked && h("div.picked", h("h2", text("cards.picked")), named(own.picked)),
    h(
      "div.ends",
      submitted || !own.picked
        ? h("p#placed", icon("check"), " ", text("cards.placed"))
        : legal.map((action) =>
            button(
              action.type === "keep" ? "keep" : ["lay", action.card],
              action.type === "keep"
                ? text("cards.keep")
                : text("cards.lay", { item: action.card }),
            ),
          ),
    ),
  );
}

/** @param {string} each */
const named = (each) =>
  h("figure", card(colourOf(each), each), h("figcaption", text(`item.${each}`)));

/**
 * The cards that this seat gave and got, as far as the snapshot has them.
 * @param {{notes: {events: any[]}[]}} secret @param {string} seat
 */
function passed({ notes }, seat) {
  const seen = notes
    .flatMap(({ events }) => events)
    .filter(({ event }) => event === "card_passed")
    .slice(-5);
  return h(
    "ol#passed.clues",
    seen.length
      ? seen.reverse().map(({ picker, giver, card: each }) =>
          h(
            "li",
            text(picker === seat ? "cards.passed.from" : "cards.passed.to", {
              item: each,
              seat: picker === seat ? giver : picker,
            }),
          ),
        )
      : h("li.muted", text("cards.nothing.passed")),
  );
}
