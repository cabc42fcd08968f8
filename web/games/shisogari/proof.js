/** Verify Shisogari: recompute the public events from the deal, the picks' seeds and the placings. Pure. */
import { chosen, Generator } from "../../proof/mersenne_twister.js";
import { assert, same } from "../../proof/assert.js";

/** @type {Record<string, string>} */
const ITEMS = {
  crucifix: "white",
  holy_water: "white",
  dagger: "white",
  stake: "black",
  bible: "black",
  garlic: "black",
};
const BITES = ["white_bloodsucking", "black_bloodsucking"];
const BLANKS = ["white_blank", "black_blank"];
const SIDES = ["white", "black"];
const CARDS = [...Object.keys(ITEMS), ...BITES, ...BLANKS];
const COPIES = 3;
/** @type {Record<number, number>} */
const SIZE = { 4: 5, 5: 4 };
/** @type {Record<number, number>} */
const NEEDED = { 4: 5, 5: 6 };

/** @param {string} card */
const colourOf = (card) => ITEMS[card] ?? card.split("_")[0];
/** @param {string[]} cards */
const inOrder = (cards) =>
  [...cards].sort((one, other) => CARDS.indexOf(one) - CARDS.indexOf(other));
/** @param {string[]} cards */
const backs = (cards) =>
  cards
    .map((card) => colourOf(card)[0])
    .sort()
    .reverse()
    .join("");
/** @param {string[]} cards */
const colours = (cards) => new Set(cards.map(colourOf));
/** @param {[string, string]} laid */
const isReal = ([one, other]) => one === other && one in ITEMS;
/** @param {string[]} cards @param {string} card */
const without = (cards, card) => cards.filter((_, index) => index !== cards.indexOf(card));
/** @param {Record<string, ShisogariProved>} hands @param {(hand: ShisogariProved) => any} value */
const each = (hands, value) =>
  Object.fromEntries(Object.entries(hands).map(([seat, hand]) => [seat, value(hand)]));

/**
 * With which cards of a hand a picked one may be laid; null among them: it may be kept.
 * @param {{role: string, cards: string[]}} hand @param {string} picked
 */
function partners({ role, cards }, picked) {
  const alike = [...new Set(cards)].filter((card) => colourOf(card) === colourOf(picked));
  if (BITES.includes(picked)) return alike.length ? alike : [null];
  if (picked in ITEMS && cards.includes(picked)) return [picked];
  return [
    null,
    ...(role === "vampire" ? alike.filter((card) => card in ITEMS !== picked in ITEMS) : []),
  ];
}

/** Whether these could have been dealt. @param {ShisogariDeal} deal @param {number} players */
function isDeal({ roles, hands, last }, players) {
  const seats = Array.from({ length: players }, (_, index) => `P${index + 1}`);
  if (!same(Object.keys(roles).sort(), seats) || !same(Object.keys(hands).sort(), seats))
    return false;
  if (Object.values(roles).filter((role) => role === "vampire").length !== 1) return false;
  const all = [...Object.values(hands).flat(), ...last];
  const size = SIZE[players] - (last.length ? 1 : 0);
  /** @param {string} card */
  const most = (card) => (card in ITEMS ? COPIES : 1);
  const boxed = CARDS.flatMap((card) =>
    Array(most(card) - all.filter((one) => one === card).length).fill(colourOf(card)),
  );
  /** @param {string} seat */
  const isHand = (seat) => {
    const whites = hands[seat].filter((card) => colourOf(card) === "white").length;
    const bites = hands[seat].filter((card) => BITES.includes(card)).length;
    return (
      hands[seat].length === size &&
      whites >= 2 &&
      whites <= size - 2 &&
      bites === (roles[seat] === "vampire" ? 2 : 0)
    );
  };
  if (
    last.length &&
    (players !== 4 || backs(last) !== "wwbb" || last.some((card) => BITES.includes(card)))
  )
    return false;
  return (
    all.every((card) => CARDS.includes(card)) &&
    seats.every(isHand) &&
    same(boxed.sort(), ["black", "white"])
  );
}

/**
 * Shisogari, roles, hands, the last cards and the first seat: `stocks` are the items that are in play, `bites` and `blanks` one card of each colour.
 * @param {string[]} seats @param {ShisogariBox} box @param {Record<string, any>} options
 * @param {string} drawn
 */
function dealtCards(seats, box, options, drawn) {
  const generator = new Generator(drawn);
  /** @param {string[]} hand */
  const hasPair = (hand) => new Set(hand).size < hand.length;
  let dealt;
  do dealt = cardsDealt(seats, box, options, generator);
  while (options.dealt_pairs === "redealt" && Object.values(dealt.hands).some(hasPair));
  return { ...dealt, first: options.start === "first" ? seats[0] : generator.choice(seats) };
}

/**
 * @param {string[]} seats @param {ShisogariBox} box @param {Record<string, any>} options
 * @param {Generator} generator
 */
function cardsDealt(seats, { stocks, bites, blanks }, options, generator) {
  const vampire = generator.choice(seats);
  const left = stocks.map((stock) => generator.shuffled(stock));
  const pops = () => left.map((stock) => stock.pop());
  /** @type {Record<string, string[]>} */
  const hands = Object.fromEntries(seats.map((seat) => [seat, []]));
  for (const seat of seats) {
    const items = pops();
    hands[seat].push(...(seat === vampire ? bites : items));
  }
  if (seats.length === 4) for (const seat of seats) hands[seat].push(...pops());
  const rests = (
    seats.length === 4
      ? [[...left.flat(), ...blanks]]
      : left.map((stock, index) => [...stock, blanks[index]])
  ).map((rest) => generator.shuffled(rest));
  const isChosen = seats.length === 4 && options.last_card === "chosen";
  if (!isChosen)
    for (const rest of rests) rest.forEach((card, index) => hands[seats[index]].push(card));
  const roles = Object.fromEntries(
    seats.map((seat) => [seat, seat === vampire ? "vampire" : "hunter"]),
  );
  return { roles, hands, last: isChosen ? rests[0] : [] };
}

/** Every hand, and the present turn. */
class ShisogariRules {
  /**
   * @param {{players: number, options: Record<string, any>, deal: ShisogariDeal, first: string}} start
   */
  constructor({ players, options, deal, first }) {
    assert(isDeal(deal, players), "proof.deal");
    this.seats = Object.keys(deal.hands).sort();
    this.options = options;
    this.deal = deal;
    this.start = first;
    /** @type {Record<string, ShisogariProved>} */
    this.hands = Object.fromEntries(
      this.seats.map((seat) => [
        seat,
        { role: deal.roles[seat], cards: inOrder(deal.hands[seat]), laid: [], picked: null },
      ]),
    );
    this.turn = first;
    this.step = deal.last.length ? "last_card" : "turn";
    /** @type {any} */
    this.transfer = null;
    this.last = deal.last;
  }

  copy() {
    return Object.assign(Object.create(ShisogariRules.prototype), this, {
      hands: structuredClone(this.hands),
      transfer: structuredClone(this.transfer),
    });
  }

  /**
   * Whether this was dealt from what a draw starts from; the fields of `customSetup` were typed.
   * @param {string} drawn @param {string[]} customSetup
   */
  isDealtFrom(drawn, customSetup) {
    const box = {
      stocks: SIDES.map((side) =>
        Object.keys(ITEMS)
          .filter((item) => ITEMS[item] === side)
          .flatMap((item) => Array(COPIES).fill(item)),
      ),
      bites: BITES,
      blanks: BLANKS,
    };
    const { roles, hands, last, first } = dealtCards(this.seats, box, this.options, drawn);
    const isSame =
      same(roles, this.deal.roles) &&
      same(last, this.deal.last) &&
      this.seats.every((seat) => same(inOrder(hands[seat]), this.deal.hands[seat]));
    return (
      (customSetup.includes("deal") || isSame) &&
      (customSetup.includes("first") || customSetup.includes("deal") || first === this.start)
    );
  }

  /** @param {RecordLine} recordLine */
  begin({ public: events, to_move: mover }) {
    const shown = each(this.hands, ({ cards }) => backs(cards));
    assert(this.seats.includes(this.start) && mover === this.start, "proof.deal");
    const begun = {
      event: this.last.length ? "last_cards_offered" : "turn_started",
      seat: this.start,
    };
    assert(
      same(events, [
        {
          event: "game_set_up",
          players: this.seats.length,
          options: this.options,
          backs: shown,
          last: backs(this.last),
        },
        begun,
      ]),
      "proof.deal",
    );
  }

  /**
   * Process a submission; return the empty path of a placing, null without a seal.
   * @param {RecordedTurn} recordedTurn @param {Record<string, number>} count
   */
  act({ seat, actions, chance, public: events, to_move: mover }, count) {
    let isPlaced = false;
    assert((chance === undefined) === actions.every(({ type }) => type !== "pick"), "proof.cards");
    const right = actions.flatMap((action) => {
      assert(seat === this.mover(), "proof.cards");
      isPlaced ||= this.step === "place";
      return this.decide(seat, action, chance, count);
    });
    assert(same(events, right) && mover === this.mover(), "proof.outcome");
    return isPlaced ? [] : null;
  }

  /** Process an end that all agreed on. @param {RecordLine} recordLine */
  happen({ public: events, to_move: mover }) {
    this.step = "over";
    assert(same(events, this.end("draw", "agreed")) && mover === null, "proof.outcome");
  }

  mover() {
    if (this.step === "over") return null;
    return ["pick", "place"].includes(this.step) ? this.sides().picker : this.turn;
  }

  /** Who picks, and whose card is picked. */
  sides() {
    const { seat, way, partner } = this.transfer;
    return way === "take" ? { picker: seat, giver: partner } : { picker: partner, giver: seat };
  }

  /** @param {string} one @param {string} other */
  common(one, other) {
    const theirs = colours(this.hands[other].cards);
    return [...colours(this.hands[one].cards)].filter((colour) => theirs.has(colour));
  }

  pickable() {
    const { picker, giver } = this.sides();
    const may =
      this.options.pick_colour === "free"
        ? [...colours(this.hands[giver].cards)]
        : this.common(picker, giver);
    return this.options.declare_equals_pick && this.transfer.item
      ? may.filter((colour) => colour === ITEMS[this.transfer.item])
      : may;
  }

  /**
   * @param {string} seat @param {any} action @param {string} chance
   * @param {Record<string, number>} count @returns {any[]}
   */
  decide(seat, action, chance, count) {
    const { type } = action;
    const step =
      /** @type {Record<string, string>} */
      ({ choose_colour: "last_card", name: "name", pick: "pick", lay: "place", keep: "place" })[
        type
      ] ?? "turn";
    assert(step === this.step, "proof.cards");
    if (type === "choose_colour") return this.choose(seat, action.colour);
    if (type === "take" || type === "give") return this.declare(seat, type, action.partner);
    if (type === "name") return this.name(seat, action.item);
    if (type === "pick") return this.pick(action.back, chance, count);
    if (step === "place") return this.place(seat, type === "keep" ? null : action.card, count);
    if (type === "accuse") return this.accuse(seat, action.suspect, count);
    assert(
      type === "pass" &&
        this.hands[seat].role !== "hunter" &&
        this.seats.every((other) => other === seat || !this.common(seat, other).length),
      "proof.cards",
    );
    return [{ event: "passed", seat }, this.next()];
  }

  /**
   * The first of the last cards of this colour; when all are taken, the first turn begins.
   * @param {string} seat @param {string} colour
   */
  choose(seat, colour) {
    const card = this.last.find((one) => colourOf(one) === colour);
    assert(card, "proof.cards");
    this.last = without(this.last, card);
    const own = this.hands[seat];
    own.cards = inOrder([...own.cards, card]);
    const begun = this.next();
    if (this.last.length) this.step = "last_card";
    return [{ event: "colour_chosen", seat, colour }, ...(this.last.length ? [] : [begun])];
  }

  /** @param {string} seat @param {string} way @param {string} partner */
  declare(seat, way, partner) {
    assert(
      partner !== seat && this.seats.includes(partner) && this.common(seat, partner).length > 0,
      "proof.cards",
    );
    assert(way === "take" || this.hands[seat].cards.length > 1, "proof.cards");
    Object.assign(this, { transfer: { seat, way, partner, item: null }, step: "name" });
    return [{ event: "partner_chosen", seat, way, partner }];
  }

  /** @param {string} seat @param {string} item */
  name(seat, item) {
    const colour = ITEMS[item];
    assert(colour && colours(this.hands[seat].cards).has(colour), "proof.cards");
    assert(!this.options.declare_equals_pick || this.pickable().includes(colour), "proof.cards");
    Object.assign(this, { transfer: { ...this.transfer, item }, step: "pick" });
    return [{ event: "item_named", seat, item }];
  }

  /** @param {number} back @param {string} chance @param {Record<string, number>} count */
  pick(back, chance, count) {
    const { picker, giver } = this.sides();
    const from = this.hands[giver];
    const colour =
      /** @type {Record<string, string>} */
      ({ w: "white", b: "black" })[backs(from.cards)[back - 1]];
    assert(this.pickable().includes(colour) && typeof chance === "string", "proof.cards");
    const card = chosen(
      chance,
      from.cards.filter((one) => colourOf(one) === colour),
    );
    from.cards = without(from.cards, card);
    this.hands[picker].picked = card;
    this.step = "place";
    count.picks += 1;
    return [{ event: "card_picked", picker, giver, back, colour }];
  }

  /** @param {string} seat @param {string | null} beside @param {Record<string, number>} count */
  place(seat, beside, count) {
    const own = this.hands[seat];
    const { picked } = own;
    assert(partners(own, picked).includes(beside), "proof.cards");
    const turned = own.role === "hunter" && BITES.includes(picked);
    own.picked = null;
    if (turned) own.role = "kin";
    if (beside === null) own.cards = inOrder([...own.cards, picked]);
    else {
      own.cards = without(own.cards, beside);
      own.laid.push([picked, beside]);
    }
    count.placings += 1;
    const colour = colourOf(picked);
    const isUp = beside !== null && isReal([picked, beside]) && picked === this.transfer.item;
    const placed =
      beside === null
        ? { event: "card_kept", seat, colour }
        : { event: "pair_laid", seat, colour, item: isUp ? picked : null };
    if (Object.values(this.hands).some(({ cards }) => cards.length === 0))
      return [placed, ...this.end("vampire", "hand_lost")];
    if (turned && Object.values(this.hands).every(({ role }) => role !== "hunter"))
      return [placed, ...this.end("vampire", "all_bitten")];
    return [placed, this.next()];
  }

  /** @param {string} seat @param {string} suspect @param {Record<string, number>} count */
  accuse(seat, suspect, count) {
    assert(
      this.hands[seat].role === "hunter" && suspect !== seat && this.seats.includes(suspect),
      "proof.cards",
    );
    const hands = Object.values(this.hands);
    /** @param {string} item */
    const held = (item) =>
      hands.reduce(
        (sum, { cards }) => sum + Math.floor(cards.filter((card) => card === item).length / 2),
        0,
      );
    const inHands =
      this.options.count_pairs === "all"
        ? Object.keys(ITEMS).reduce((sum, item) => sum + held(item), 0)
        : 0;
    const pairs = hands.flatMap(({ laid }) => laid).filter(isReal).length + inHands;
    const hunters = hands.filter(({ role }) => role === "hunter").length;
    const needed = NEEDED[this.seats.length];
    const isVampire = this.hands[suspect].role === "vampire";
    const isEnough = pairs + hunters >= needed;
    count.determinations += 1;
    const [shown, over] = this.end(
      isEnough && isVampire ? "hunters" : "vampire",
      !isVampire ? "wrong_suspect" : isEnough ? "vampire_found" : "too_few",
    );
    return [
      { event: "accused", seat, suspect },
      shown,
      { event: "pairs_counted", pairs, hunters, needed, suspect, is_vampire: isVampire },
      over,
    ];
  }

  next() {
    Object.assign(this, {
      turn: this.seats[(this.seats.indexOf(this.turn) + 1) % this.seats.length],
      step: "turn",
      transfer: null,
    });
    return { event: "turn_started", seat: this.turn };
  }

  /** @param {string} winner @param {string} reason */
  end(winner, reason) {
    this.step = "over";
    const shown = {
      roles: each(this.hands, ({ role }) => role),
      hands: each(this.hands, ({ cards }) => cards),
      pairs: each(this.hands, ({ laid }) => laid),
    };
    return [
      { event: "cards_shown", ...shown },
      { event: "game_over", winner, reason },
    ];
  }
}

export const proof = {
  Rules: ShisogariRules,
  counts: ["picks", "placings", "determinations"],
  isShuffled: true,
};
