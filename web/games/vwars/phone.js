/**
 * The phone of a player of V-Wars. Public actions are chosen on the open page; faction, cards, and
 * actions that only some have are in the page only while the player looks, and look the same for
 * everybody.
 */
import {
  button,
  keptCode,
  lobbySecret,
  rulesLink,
  secondPress,
  votePanel,
} from "../../core/controls.js";
import { isLookedUp, lookUp, nameThings } from "../../core/reference.js";
import { footButtons, openStack, proof } from "../../core/hand_phone.js";
import { secretPhone, stack } from "../../core/phone.js";
import { scene } from "../../core/snapshot.js";
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
  told,
  tracks,
  waitWords,
} from "./board.js";
import { readFocus, texts, textsButton } from "./texts.js";
import { message, plainText, seatChip, text, translated } from "../../core/i18n.js";

const FRESH = { mode: null, sure: null, texts: false };

/**
 * Open the page: `request` sends, `show` draws. Returns {update, pressed, linked, draw}.
 * @param {{seat: string, request: SendRequest, show: (trees: Child[]) => void}} parts
 */
export function openPhone({ seat, request, show }) {
  const base = secretPhone({
    seat,
    request,
    show,
    fresh: () => ({ ui: { ...FRESH } }),
    renewed: ({ ui }) => ({ ui: { ...FRESH, texts: ui.texts } }),
    isReady: isLookedUp,
    ready: lookUp,
    page,
  });
  const { phone, send, reveal, hide, draw } = base;
  const isSecond = secondPress();
  /** @param {Action | undefined} action */
  const submit = (action) => action && send("submit", { actions: [action] });
  /**
   * What was taken under the hold is done: the page is covered again.
   * @param {Action} action
   */
  const submitAndCover = async (action) => {
    await submit(action);
    if (!phone.refusal) hide();
  };
  /** @type {Record<string, (argument: string) => unknown>} */
  const covered = {
    /** @param {string} name */
    put: (name) => submitAndCover({ type: "put", card: name }),
    /** @param {string} name */
    discard: (name) => submitAndCover({ type: "discard", card: name }),
    stay: () => submitAndCover({ type: "stay" }),
    /** @param {string} target */
    wake: (target) => submitAndCover({ type: "awaken", target }),
    reveal: () => twice("reveal", { type: "reveal" }),
    /** @param {string} target */
    investigate: (target) => twice(`investigate-${target}`, { type: "investigate", target }),
  };
  /**
   * @param {string} name
   * @param {Action} action
   */
  const twice = (name, action) => {
    const isSure = isSecond(phone.ui.sure === name);
    phone.ui.sure = isSure ? null : name;
    return isSure ? submitAndCover(action) : null;
  };
  /** @type {Record<string, (argument: string) => unknown>} */
  const actions = {
    ...base.actions,
    look: base.toggle,
    /** @param {string} at */
    take: (at) => send("choose", choiceAt(phone.snapshot, "roles", seat, Number(at))),
    /** @param {string} where */
    texts: (where) => {
      phone.ui.texts = !phone.ui.texts;
      readFocus(phone.ui.texts, where);
    },
  };
  return {
    draw,
    hide,
    update: base.update,
    linked: base.linked,
    /** @param {string | null} action */
    async pressed(action) {
      const [, name, argument] = /^([a-z]+)-?(.*)$/.exec(action ?? "") ?? [];
      if (phone.look === "tap") reveal("tap");
      if (phone.look && name in covered) await covered[name](argument);
      else if (["do", "mode"].includes(name) && phone.snapshot.phase === "play") {
        const { submit: wanted, ...chosen } = pressed(phone.secret.legal)[name](phone, argument);
        Object.assign(phone.ui, chosen);
        await submit(wanted);
      } else await actions[name]?.(argument);
      draw();
    },
  };
}

/** @param {VWarsPhone} phone */
function page(phone) {
  const { snapshot, look } = phone;
  if (snapshot.view) nameThings(snapshot.view);
  // Before the game a code that the table drew is covered too.
  const isHolding =
    snapshot.phase === "lobby" ? keptCode() !== null : snapshot.view?.options.factions === "phones";
  const replay = button("replay", text("replay"), { class: "prime" });
  return h(
    "main.vwars-phone",
    { "data-position": snapshot.position },
    h("div.over", { tabindex: "0" }, look && isHolding ? revealed(phone) : openPage(phone)),
    isHolding ? stack(phone, footButtons(phone, replay), "look") : openStack(phone, replay),
  );
}

/* ---- what anybody may see over a shoulder ---- */

/** @param {VWarsPhone} phone */
function openPage(phone) {
  const { snapshot, seat, secret, ui, notice } = phone;
  const now = scene(snapshot);
  const isMine = now === "turn" && snapshot.to_move === seat;
  const legal = isMine && !snapshot.vote ? secret.legal : [];
  const words = task(phone, now, isMine);
  const last = lastMessage(snapshot);
  const head = h(
    "div.head",
    h(
      "h1#banner",
      { class: `stripe under-${seat}` },
      seatChip(seat),
      h("span.small", phone.isLost ? text("link.again") : ""),
    ),
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
            told(snapshot, 4)
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

/**
 * @param {VWarsPhone} phone
 * @param {string} now
 * @param {boolean} isMine
 */
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
  const isMine = snapshot.to_move === seat && scene(snapshot) === "turn";
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

/**
 * @param {string[]} names
 * @param {string | null} action
 */
const cards = (names, action) =>
  h(
    "div#hand.own",
    names.map((name) =>
      action ? button(`${action}-${name}`, card(name), { "aria-label": null }) : card(name),
    ),
  );

/**
 * Actions that only some have are offered to everybody in the same way.
 * @param {VWarsPhone} phone
 * @param {boolean} isOpen
 */
function actionButtons({ snapshot, seat, ui }, isOpen) {
  /**
   * @param {string} name
   * @param {Child} words
   */
  const press = (name, words) =>
    button(name, ui.sure === name ? text("vwars.sure") : words, {
      "aria-disabled": isOpen ? null : "true",
      "aria-pressed": String(ui.sure === name),
    });
  return h(
    "div#actions.actions",
    press("reveal", text("vwars.reveal")),
    h("p", text("vwars.investigate")),
    h(
      "div.row",
      Object.keys(snapshot.view.players)
        .filter((other) => other !== seat)
        .map((other) => press(`investigate-${other}`, seatChip(other))),
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
            button(`wake-${target}`, [text("vwars.awaken"), " ", seatChip(target)]),
          )
      : button("reveal", ui.sure === "reveal" ? text("vwars.sure") : text("vwars.reveal"), {
          "aria-pressed": String(ui.sure === "reveal"),
        }),
    button("stay", text("vwars.stay")),
    !isKnown && h("p.muted", text("vwars.alike")),
  );
}
