/**
 * Cards, hands and the table of them: drawings and choices, the same on the display and on phones.
 * Pure.
 */
import { button, CLOSES, whyNot } from "../../core/controls.js";
import { h } from "../../core/dom.js";
import { seatChip, text } from "../../core/i18n.js";

/** The drawings of the cards, in a square of 64 around (0, 0). @type {Record<string, string>} */
const FACES = {
  crucifix: "M-5-30H5V-13H20V-3H5V30H-5V-3H-20V-13H-5Z",
  holy_water:
    "M-6-30H6V-20L17-4V24Q17 30 11 30H-11Q-17 30-17 24V-4L-6-20ZM-3 0V8H-11V14H-3V24H3V14H11V8H3V0Z",
  dagger: "M0-31 7-20V6H-7V-20ZM-18 8H18V14H5V30H-5V14H-18Z",
  stake: "M-9-30H9L11-20 3 24 0 31-3 24-11-20Z",
  bible: "M-20-28H18Q22-28 22-24V28H-16Q-22 28-22 22V-26ZM-3-18V-9H-11V-3H-3V16H3V-3H11V-9H3V-18Z",
  garlic:
    "M-3-31H3Q4-20 12-13 25-3 25 9 25 27 0 27-25 27-25 9-25-3-12-13-4-20-3-31ZM-3-8Q-13 8-4 21L-2 20Q-8 8 0-8ZM3-8Q13 8 4 21L2 20Q8 8 0-8Z",
  bloodsucking: "M0-31Q24 0 24 12A24 19 0 0 1-24 12Q-24 0 0-31Z",
  blank: "M0-24A24 24 0 1 1-.1-24ZM0-16A16 16 0 1 0 .1-16Z",
};
const BAT =
  "M-30 0Q-18-17-8-5L-5-12 0-5 5-12 8-5Q18-17 30 0 18-4 12 8 6 2 0 13-6 2-12 8-18-4-30 0Z";
/** @type {Record<string, string>} */
export const ITEMS = {
  crucifix: "white",
  holy_water: "white",
  dagger: "white",
  stake: "black",
  bible: "black",
  garlic: "black",
};
/** @type {Record<string, string>} */
const COLOURS = { w: "white", b: "black", "?": "unknown" };

/** @param {string} card */
export const colourOf = (card) => ITEMS[card] ?? card.split("_")[0];
/** @param {string} card */
const faceOf = (card) => (card in ITEMS ? card : card.split("_")[1]);

/** The drawing of an item, or of the bat. @param {string} sign */
export const drawing = (sign) => (sign === "bat" ? BAT : FACES[sign]);

/**
 * A card: `face` up, or its back of a colour. Each back of a colour looks like every other.
 * @param {string} colour @param {string | null} face @param {string} more
 */
export function card(colour, face = null, more = "") {
  const kind = face && !(face in ITEMS) ? ` ${faceOf(face)}` : "";
  return h(
    "svg",
    {
      class: `playing ${colour}${face ? " up" : ""}${kind} ${more}`.trim(),
      viewBox: "-40 -56 80 112",
      // In a row that is too narrow cards keep their size, each over the one before it.
      preserveAspectRatio: "xMinYMid slice",
      "aria-hidden": "true",
    },
    h("rect", { x: -37, y: -53, width: 74, height: 106, rx: 9 }),
    face
      ? h("path.face", { d: FACES[faceOf(face)], "fill-rule": "evenodd" })
      : [
          h("rect.frame", { x: -29, y: -45, width: 58, height: 90, rx: 5 }),
          h("path.back", { d: BAT, transform: "scale(.72)" }),
        ],
  );
}

/** The words of a row of backs. @param {string} backs */
function countWords(backs) {
  if (backs.includes("?")) return text("cards.real", { n: backs.length });
  const white = [...backs].filter((back) => back === "w").length;
  return text("cards.backs", { white, black: backs.length - white });
}

/**
 * A hand as everybody sees it: its backs, or after the end its cards.
 * @param {string} backs @param {string[] | null} cards
 */
export function hand(backs, cards = null) {
  // An empty hand has no names: its label is the number of its cards.
  const names =
    cards && (cards.map((each) => text(`item.${each}`)).join(", ") || text("cards.real", { n: 0 }));
  return h(
    "span.hand",
    { role: "img", "aria-label": names ?? countWords(backs) },
    cards
      ? cards.map((each) => card(colourOf(each), each))
      : [...backs].map((back) => card(COLOURS[back])),
  );
}

/**
 * A pair that lies on the table: two of an item, two backs, or after the end what it was.
 * @param {{colour: string, item: string | null}} laid @param {[string, string] | null} shown
 * @param {string} role
 */
export function pair({ colour, item }, shown = null, role = "hunter") {
  const kind = shown && kindOf(shown, role);
  const label = shown
    ? `${text(`cards.pair.${kind}`)}: ${shown.map((each) => text(`item.${each}`)).join(", ")}`
    : item
      ? text("cards.up", { item })
      : text("cards.down", { colour });
  const [one, other] = shown ?? (item ? [item, item] : [null, null]);
  return h(
    "span",
    { class: `pair${shown ? ` was ${kind}` : ""}`, role: "img", "aria-label": label },
    card(colour, one),
    card(colour, other),
    shown && h("small", { "aria-hidden": "true" }, text(`cards.pair.${kind}`)),
  );
}

/**
 * What an open pair was: two of an item, the Vampire's fake, or what a bite left.
 * @param {[string, string]} shown @param {string} role
 */
function kindOf([one, other], role) {
  if (one === other && one in ITEMS) return "real";
  return role === "vampire" ? "fake" : "bite";
}

/**
 * The players of a view in their order, each with its hand and pairs; `more(seat)` adds what can be pressed.
 * @param {ShisogariRound} view @param {string | null} mover @param {(seat: string) => any} more
 */
export function players(view, mover, more = (_seat) => null) {
  const { shown, outcome } = view;
  const transfer = outcome ? null : view.transfer;
  return h(
    "ol#players",
    {
      class: `players n${Object.keys(view.backs).length}${shown ? " opened" : ""}`,
      "aria-label": text("players"),
    },
    Object.keys(view.backs).map((seat, index) =>
      h(
        "li",
        {
          "data-seat": seat,
          "--hand": shown ? index : null,
          class:
            [seat === mover && "now", transfer && giverOf(transfer) === seat && "gives"]
              .filter(Boolean)
              .join(" ") || null,
        },
        h(
          "div.who",
          seatChip(seat),
          shown?.roles[seat] &&
            h("b", { class: `role ${shown.roles[seat]}` }, text(`role.${shown.roles[seat]}`)),
          more(seat),
        ),
        h(
          "div.lying",
          hand(view.backs[seat], shown?.hands[seat]),
          view.pairs[seat].length > 0 &&
            h(
              "span.pairs",
              view.pairs[seat].map((each, number) =>
                pair(each, shown?.pairs[seat][number], shown?.roles[seat]),
              ),
            ),
        ),
      ),
    ),
  );
}

/** @param {ShisogariTransfer} transfer */
export const pickerOf = ({ seat, way, partner }) => (way === "take" ? seat : partner);
/** @param {ShisogariTransfer} transfer */
export const giverOf = ({ seat, way, partner }) => (way === "take" ? partner : seat);

/** The present transfer: who takes from whom, and what. @param {Partial<ShisogariView>} view */
export function deedWords({ transfer }) {
  if (!transfer) return "";
  const words = text(transfer.way === "take" ? "event.takes_from" : "event.gives_to", {
    seat: transfer.seat,
    partner: transfer.partner,
  });
  return transfer.item ? [words, " · ", h("b.named", text(`item.${transfer.item}`))] : words;
}

/** @param {ShisogariAction[]} legal @param {Record<string, unknown>} wanted */
const can = (legal, wanted) =>
  legal.some((action) => Object.entries(wanted).every(([key, value]) => action[key] === value));
/**
 * Why none of these actions is legal, by the code of its words; null if one is.
 * @param {ShisogariAction[]} legal @param {Record<string, unknown>} wanted @param {string} code
 */
const whyNone = (legal, wanted, code) => (can(legal, wanted) ? null : text(code));
/**
 * @param {ActionName} name
 * @param {Child} label
 * @param {string | null} why it must not be pressed
 * @param {Record<string, any>} [attrs]
 */
const press = (name, label, why, attrs = {}) => button(name, label, { ...attrs, ...whyNot(why) });

/**
 * The two buttons of a partner; dimmed where the two have no colour in common.
 * @param {ShisogariAction[]} legal @param {string} seat
 */
export function partnerButtons(legal, seat) {
  const mayTake = can(legal, { type: "take", partner: seat });
  const whyNoGift = mayTake ? "last_card" : "no_common_colour";
  return h(
    "span.ways",
    press(["take", seat], text("cards.take"), mayTake ? null : text("no_common_colour"), {
      "aria-label": text("cards.take.from", { seat }),
    }),
    press(
      ["give", seat],
      text("cards.give"),
      whyNone(legal, { type: "give", partner: seat }, whyNoGift),
      { "aria-label": text("cards.give.to", { seat }) },
    ),
  );
}

/**
 * The public choices of the seat to move, except the partner, which is chosen among the players.
 * @param {ShisogariView & {transfer: any}} view @param {ShisogariAction[]} legal
 * @param {ShisogariChoices} ui
 */
export function choices(view, legal, ui) {
  switch (view.step) {
    case "last_card":
      return [
        h(
          "div#backs.backs",
          ["white", "black"].map((colour) =>
            press(
              ["colour", colour],
              card(colour),
              whyNone(legal, { type: "choose_colour", colour }, "no_such_back"),
              { "aria-label": text("cards.colour", { colour }) },
            ),
          ),
        ),
      ];
    case "name":
      return [
        h(
          "div#items.items",
          Object.entries(ITEMS).map(([item, colour]) =>
            press(
              ["item", item],
              [card(colour, item), h("span", text(`item.${item}`))],
              whyNone(legal, { type: "name", item }, "item_colour"),
            ),
          ),
        ),
      ];
    case "pick":
      return [
        h(
          "div#backs.backs",
          [...view.backs[giverOf(view.transfer)]].map((back, index) =>
            press(
              ["pick", index + 1],
              card(COLOURS[back]),
              whyNone(legal, { type: "pick", back: index + 1 }, "back_colour"),
              { "aria-label": text("cards.pick.back", { n: index + 1, colour: COLOURS[back] }) },
            ),
          ),
        ),
      ];
    case "report":
      return [
        ["up", "report.up"],
        ["down_white", "report.down.white"],
        ["down_black", "report.down.black"],
        ["none", "report.none"],
      ].map(([name, key]) =>
        press(
          ["report", name],
          text(`cards.${key}`),
          whyNone(legal, reportNamed(name), "not_what_lies_there"),
        ),
      );
    case "count":
      return counting(view, legal, ui);
    case "turn":
      return [
        can(legal, { type: "accuse" }) && accusing(view, legal, ui),
        !ui.isAccusing && can(legal, { type: "pass" }) && press("pass", text("act.pass"), null),
      ]
        .flat()
        .filter(Boolean);
  }
  return [];
}

/**
 * Name the Vampire: the button, the players, and once more.
 * @param {ShisogariView} view
 * @param {ShisogariAction[]} legal
 * @param {ShisogariChoices} choices
 * @param {string} [code] of the words why nobody can be named
 */
export function accusing(view, legal, { isAccusing, suspect }, code = "only_hunters_accuse") {
  if (!isAccusing)
    return [
      press("accuse", text("cards.accuse"), whyNone(legal, { type: "accuse" }, code), {
        class: "red",
      }),
    ];
  return [
    h("p", text("cards.accuse.who")),
    h(
      "div.row.suspects",
      Object.keys(view.backs)
        .filter((seat) => can(legal, { type: "accuse", suspect: seat }))
        .map((seat) =>
          button(["suspect", seat], seatChip(seat), { "aria-pressed": String(suspect === seat) }),
        ),
    ),
    h(
      "div.row",
      button("accuse", text("cards.accuse.back"), CLOSES),
      suspect && button("name", text("cards.accuse.sure", { seat: suspect }), { class: "red" }),
    ),
  ];
}

/**
 * @param {ShisogariView & {accused: any}} view @param {ShisogariAction[]} legal
 * @param {ShisogariChoices} choices
 */
function counting({ accused }, legal, { pairs, hunters }) {
  /** @param {"pairs" | "hunters"} key */
  const numbers = (key) =>
    [...new Set(legal.map((action) => action[key]))].sort((one, other) => one - other);
  /**
   * @param {"pairs" | "hunters"} key @param {string} name @param {number | undefined} chosen
   * @param {false | Record<string, number>} other
   */
  const row = (key, name, chosen, other) =>
    h(
      "div.row",
      h("span.label", text(`cards.count.${key}`)),
      numbers(key).map((n) =>
        press([name, n], n, whyNone(legal, { [key]: n, ...other }, "not_what_lies_there"), {
          "aria-pressed": String(chosen === n),
        }),
      ),
    );
  const whyHalf = whyNone(legal, { pairs, hunters }, "cards.count");
  return [
    row("pairs", "pairs", pairs, hunters !== undefined && { hunters }),
    row("hunters", "hunters", hunters, pairs !== undefined && { pairs }),
    h(
      "div.row",
      press("right", text("cards.count.right", { seat: accused.suspect }), whyHalf),
      press("wrong", text("cards.count.wrong", { seat: accused.suspect }), whyHalf),
    ),
  ];
}

/** @param {string} name */
function reportNamed(name) {
  const [laid, colour] = name.split("_");
  return { type: "report", laid, ...(colour && { colour }) };
}

export const NO_CHOICE = { isAccusing: false, suspect: null, pairs: undefined, hunters: undefined };

/**
 * This game's presses: each returns the action to submit, or this screen's choices.
 * @type {GameActions<{ui: ShisogariChoices}>}
 */
export const ACTIONS = {
  colour: (_, colour) => ({ submit: { type: "choose_colour", colour } }),
  take: (_, partner) => ({ submit: { type: "take", partner } }),
  give: (_, partner) => ({ submit: { type: "give", partner } }),
  item: (_, item) => ({ submit: { type: "name", item } }),
  pick: (_, back) => ({ submit: { type: "pick", back: Number(back) } }),
  pass: () => ({ submit: { type: "pass" } }),
  lay: (_, with_) => ({ submit: { type: "lay", card: with_ } }),
  keep: () => ({ submit: { type: "keep" } }),
  report: (_, name) => ({ submit: reportNamed(name) }),
  accuse: ({ ui }) => ({ ...NO_CHOICE, isAccusing: !ui.isAccusing }),
  suspect: (_, suspect) => ({ suspect }),
  name: ({ ui }) => ({
    ...NO_CHOICE,
    ...(ui.suspect && { submit: { type: "accuse", suspect: ui.suspect } }),
  }),
  pairs: (_, n) => ({ pairs: Number(n) }),
  hunters: (_, n) => ({ hunters: Number(n) }),
  right: ({ ui }) => counted(ui, true),
  wrong: ({ ui }) => counted(ui, false),
};

/** @param {ShisogariChoices} choices @param {boolean} isVampire */
function counted({ pairs, hunters }, isVampire) {
  return pairs === undefined || hunters === undefined
    ? {}
    : { submit: { type: "count", pairs, hunters, is_vampire: isVampire } };
}

/** @type {Record<string, string>} */
const LIGHTS = { pair: "#e06a10", hunter: "#1f7a45" };

/**
 * A lantern for each pair or Hunter that is needed: lit for the public ones.
 * @param {number} needed @param {number} pairs @param {number} hunters
 */
function lanterns(needed, pairs, hunters) {
  const kinds = [...Array(pairs).fill("pair"), ...Array(hunters).fill("hunter")];
  return h(
    "span.lanterns",
    { "aria-hidden": "true" },
    Array.from({ length: Math.max(needed, kinds.length) }, (_, index) =>
      h(
        "svg",
        {
          class: `lantern ${kinds[index] ?? "dark"}${index < needed ? "" : " more"}`,
          viewBox: "-24 -32 48 60",
        },
        h("path", { d: "M-3-30H3V-24L18-13V16L12 24H-12L-18 16V-13L-3-24Z" }),
        h("path", { d: "M-11-9H11V14H-11Z", fill: kinds[index] ? "#fff3c4" : "#1c0f17" }),
        h("path", { d: "M0-8Q9 3 0 13-9 3 0-8Z", fill: LIGHTS[kinds[index]] ?? "#1c0f17" }),
      ),
    ),
  );
}

/**
 * The determination as a sum, or what is needed.
 * @param {{counted?: any, needed?: any, pairs?: Record<string, ShisogariLaid[]>}} view
 */
export function sum({ counted, needed, pairs }) {
  const open = Object.values(pairs ?? {})
    .flat()
    .filter(({ item }) => item).length;
  if (!counted)
    return h("p#sum.sum", h("span", text("cards.need", { n: needed })), lanterns(needed, open, 0));
  /** @param {string} name @param {number} n */
  const part = (name, n) => h("span", text(`cards.count.${name}`), " ", h("b", n));
  return h(
    "p#sum.sum.counted",
    part("pairs", counted.pairs),
    h("i", "+"),
    part("hunters", counted.hunters),
    h("i", "="),
    h(
      "b",
      { class: counted.pairs + counted.hunters >= counted.needed ? "enough" : "few" },
      `${counted.pairs + counted.hunters} / ${counted.needed}`,
    ),
    lanterns(counted.needed, counted.pairs, counted.hunters),
  );
}

/**
 * The next instruction: as an invitation for the seat to move, or who does what for all others.
 * @param {ShisogariSnapshot} snapshot @param {boolean} [isMine]
 */
export const moverWords = ({ view, to_move: seat }, isMine = false) =>
  isMine
    ? text(STEPS[view.step] ?? "cards.turn")
    : text(`${STEPS[view.step] ?? "cards.turn"}.theirs`, { seat });
/** @type {Record<string, string>} */
const STEPS = {
  last_card: "cards.last_card",
  name: "cards.name",
  pick: "cards.pick",
  place: "cards.place",
  report: "cards.report",
  count: "cards.count",
};
