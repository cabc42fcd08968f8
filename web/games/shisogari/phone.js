/**
 * The phone of a player with a hand. The open page is the same for all; role and cards are in the
 * page only while the player looks, and every picked card is placed on one page in one manner.
 */
import {
  ACTIONS,
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
import { button, keptCode, lobbySecret, rulesLink, votePanel } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { footButtons, openStack, proof } from "../../core/hand_phone.js";
import { secretPhone, stack } from "../../core/phone.js";
import { scene } from "../../core/snapshot.js";
import { news } from "../../screens/table/news.js";
import { h } from "../../core/dom.js";
import { message, seatChip, text } from "../../core/i18n.js";
import { game } from "./index.js";
import { finale, waitingCandle } from "./round_table.js";

const SECRET = ["lay", "keep", "accuse", "suspect", "name"];
const NOTHING = { isAccusing: false, suspect: null, pairs: undefined, hunters: undefined };

/**
 * Open the page: `request` sends, `show` draws. Returns {update, pressed, linked, draw}.
 * @param {{seat: string, request: SendRequest, show: (trees: Child[]) => void}} parts
 */
export function openPhone({ seat, request, show }) {
  const base = secretPhone({
    seat,
    request,
    show,
    fresh: () => ({ ui: { ...NOTHING } }),
    page,
  });
  const { phone, send, reveal, draw } = base;
  /** @type {Record<string, () => unknown>} */
  const actions = { ...base.actions, reveal: base.toggle };
  return {
    draw,
    hide: base.hide,
    /** @param {Update} update */
    announced: (update) => news(update, game).events,
    update: base.update,
    linked: base.linked,
    /** @param {string | null} action */
    async pressed(action) {
      const [name, argument] = (action ?? "").split("-");
      const isHidden =
        phone.snapshot.view?.options.hands === "phones" && SECRET.includes(name) && !phone.look;
      if (phone.look === "tap") reveal("tap");
      if (isHidden) return;
      const wanted = phone.snapshot.phase === "play" && ACTIONS[name]?.(phone, argument);
      if (wanted) {
        const { submit, ...chosen } = wanted;
        Object.assign(phone.ui, chosen);
        if (submit && isLegal(phone, submit)) await send("submit", { actions: [submit] });
      } else await actions[name]?.();
      draw();
    },
  };
}

/**
 * @param {ShisogariPhone} phone
 * @param {Action} action
 */
const isLegal = ({ secret }, { type }) => secret.legal.some((action) => action.type === type);

/** @param {ShisogariPhone} phone */
function page(phone) {
  const { snapshot, look } = phone;
  // After the end all cards lie open; before the game a code that the table drew is covered.
  const isHolding =
    snapshot.phase === "lobby"
      ? keptCode() !== null
      : snapshot.view?.options.hands === "phones" && scene(snapshot) !== "over";
  const replay = button("replay", text("replay"), { class: "prime" });
  return h(
    "main.shisogari-phone",
    look && isHolding ? revealed(phone) : openPage(phone),
    isHolding ? stack(phone, footButtons(phone, replay)) : openStack(phone, replay),
  );
}

/* ---- what anybody may see over a shoulder ---- */

/** @param {ShisogariPhone} phone */
export function openPage(phone) {
  const { snapshot, seat, secret, ui, notice } = phone;
  const now = scene(snapshot);
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
          h(
            "h1#banner",
            { class: `stripe under-${seat}` },
            seatChip(seat),
            h("span.small", phone.isLost ? text("link.again") : ""),
          ),
          h(
            "div#task",
            { class: isMine ? "mine" : now === "lobby" ? null : "waits" },
            task(phone, now, isMine),
          ),
        ],
    notice && h("p#notice.bad", message(notice)),
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
 * @param {ShisogariPhone} phone
 * @param {string} now
 * @param {boolean} isMine
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
      !isMine && isNews && h("p#just", message(last.message)),
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
    accusing(snapshot.view, isMine ? secret.legal : [], ui),
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

/**
 * The picked card and its possible uses: always one row of buttons.
 * @param {ShisogariSecret} secret
 */
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
              action.type === "keep" ? "keep" : `lay-${action.card}`,
              action.type === "keep"
                ? text("cards.keep")
                : text("cards.lay", { item: action.card }),
              { class: "prime" },
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
 * @param {{notes: {events: any[]}[]}} secret
 * @param {string} seat
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
