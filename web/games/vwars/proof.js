/** Check V-Wars against its deal: factions, and the order of people and cards. Pure. */
import { assert, same } from "../../proof/assert.js";
import { Dealt, isSameHeap, sizes } from "../../proof/dealt.js";
import { Generator } from "../../proof/mersenne_twister.js";

const SIDES = ["human", "vampire"];
/** @type {Record<number, string[]>} */
const FACTIONS = {
  3: ["human", "human", "vampire"],
  4: ["human", "human", "vampire", "infected"],
  5: ["human", "human", "vampire", "infected", "infected"],
};
const SHOWN = 2;
const [HAND, EACH] = [6, 3];

/**
 * V-Wars: who begins, factions if phones hold them, and all of `content` unless the box lies on the table; `chosen` are the roles that seats chose.
 * @param {string[]} seats
 * @param {{factions: string[] | null, start: string, chosen: Record<string, string>}} wanted
 * @param {VWarsContent} content @param {string[]} cards @param {string} drawn
 */
function dealtWar(seats, { factions, start, chosen }, content, cards, drawn) {
  const generator = new Generator(drawn);
  const first = start === "first" ? seats[0] : generator.choice(seats);
  /** @param {any[]} values */
  const bySeat = (values) => Object.fromEntries(seats.map((seat, index) => [seat, values[index]]));
  const secret = { first, factions: factions ? bySeat(generator.shuffled(factions)) : {} };
  if (!content)
    return {
      ...secret,
      roles: {},
      vampire_cities: [],
      troop_cities: [],
      hands: {},
      regions: {},
      pool: [],
      riots: [],
      deck: [],
      events: [],
      laws: {},
    };
  let deck = generator.shuffled(cards);
  const cities = [...new Set(deck.map((card) => card.slice(0, card.lastIndexOf("-"))))];
  deck = generator.shuffled(deck);
  const left = seats.filter((seat) => !(seat in chosen));
  const free = content.role.map(({ id }) => id).filter((id) => !Object.values(chosen).includes(id));
  const rest = generator.sample(free, left.length);
  const roles = bySeat(seats.map((seat) => chosen[seat] ?? rest[left.indexOf(seat)]));
  /** @param {number} count */
  const taken = (count) => deck.splice(-count).reverse();
  const regions = Object.fromEntries(content.region.map(({ id }) => [id, taken(EACH)]));
  const hands = bySeat(seats.map(() => taken(HAND)));
  const [pool, riots] = [taken(EACH), taken(2)];
  /** @param {{id: string}[]} list */
  const mixed = (list) =>
    generator.sample(
      list.map(({ id }) => id),
      list.length,
    );
  const events = mixed(content.event);
  const laws = Object.fromEntries(
    ["human", "vampire"].map((side) => [
      side,
      mixed(content.law.filter((law) => law.side === side)),
    ]),
  );
  const [vampire_cities, troop_cities] = [
    cities.slice(0, seats.length),
    cities.slice(seats.length, 2 * seats.length),
  ];
  return {
    ...secret,
    roles,
    vampire_cities,
    troop_cities,
    hands,
    regions,
    pool,
    riots,
    deck,
    events,
    laws,
  };
}

/** V-Wars: who is of which faction, the events and laws in their order, and that each riot card is one of the cards. */
class VWarsRules extends Dealt {
  /** @param {VWarsStart} start */
  constructor(start) {
    super(start);
    /** @type {Record<string, any[]>} */
    const content = start.content ?? { player_card: [], event: [], law: [], role: [] };
    this.players = start.players;
    this.options = start.options;
    this.content = start.content;
    this.chosen = start.roles ?? {};
    this.cards = content.player_card.flatMap(({ city, side, value, copies = 1 }) =>
      Array(copies).fill(`${city}-${side[0]}${value}`),
    );
    this.of = Object.fromEntries(
      ["event", "law", "role"].map((kind) => [
        kind,
        Object.fromEntries(content[kind].map((each) => [each.id, each])),
      ]),
    );
    this.laws = Object.fromEntries(SIDES.map((side) => [side, [...(start.deal.laws[side] ?? [])]]));
    this.events = start.deal.events.slice(SHOWN);
  }

  /** @param {RecordLine} line @param {Record<string, number>} count */
  begin(line, count) {
    super.begin(line, count);
    assert(line.public.at(-1).seat === this.deal.first, "proof.deal");
  }

  /** @param {string} drawn @param {string[]} customSetup */
  isDealtFrom(drawn, customSetup) {
    const seats = Array.from({ length: this.players }, (_, index) => `P${index + 1}`);
    const factions = this.options.factions === "phones" ? FACTIONS[this.players] : null;
    return (
      customSetup.includes("deal") ||
      same(
        dealtWar(
          seats,
          { factions, start: this.options.start, chosen: this.chosen },
          this.content,
          this.cards,
          drawn,
        ),
        this.deal,
      )
    );
  }

  isDeal() {
    const { factions, hands, regions, pool, riots, deck, roles } = this.deal;
    const seats = Array.from({ length: this.players }, (_, index) => `P${index + 1}`);
    if (
      !same(Object.keys(factions).sort(), seats) ||
      !isSameHeap(Object.values(factions), FACTIONS[this.players])
    )
      return false;
    if (this.isBox)
      return (
        [hands, regions, roles].every((each) => same(each, {})) &&
        [...pool, ...riots, ...deck].length === 0
      );
    return isSameHeap(
      [...Object.values(hands), ...Object.values(regions), pool, riots, deck].flat(),
      this.cards,
    );
  }

  /** @param {any} event @param {Record<string, number>} count */
  hear(event, count) {
    const { deal, of } = this;
    /** @param {boolean} holds @param {string} name */
    const tell = (holds, name) => {
      assert(holds, "proof.dealt");
      count[name] += 1;
    };
    switch (event.event) {
      case "game_set_up":
        return assert(this.isBox || this.isShown(event), "proof.deal");
      case "role_taken": {
        const role = of.role[deal.roles[event.seat]];
        return assert(
          role && role.start === event.city && role.name === event.role.name,
          "proof.deal",
        );
      }
      case "law_shown":
        return tell(this.isNext(of.law, this.laws[event.side], event.law), "orders");
      case "events_slid":
        return tell(this.isNext(of.event, this.events, event.soon), "orders");
      case "riot_card_turned":
        return (
          !this.isBox &&
          tell(
            this.cards.includes(event.card) &&
              event.card.endsWith(`-${event.side[0]}${event.value}`),
            "turned",
          )
        );
      case "turned_public":
        return tell(deal.factions[event.seat] !== "human", "factions");
      case "investigated":
        return tell((deal.factions[event.target] === "vampire") === event.right, "factions");
      case "awakened":
        return tell((deal.factions[event.target] === "infected") === event.joins, "factions");
      case "game_over":
        return assert(same(event.factions, deal.factions), "proof.dealt");
      default:
        return null;
    }
  }

  /** @param {any} event */
  isShown({ vampire_cities: vampires, troop_cities: troops, riots, events, piles }) {
    /** @type {{deal: {events: string[], [part: string]: any}, of: Record<string, any>}} */
    const { deal, of } = this;
    return (
      same([vampires, troops, riots], [deal.vampire_cities, deal.troop_cities, deal.riots]) &&
      same(
        events,
        deal.events.slice(0, SHOWN).map((id) => of.event[id]),
      ) &&
      same(piles, {
        ...sizes(deal.regions),
        pool: deal.pool.length,
        deck: deal.deck.length,
        discards: 0,
        events: this.events.length,
      })
    );
  }

  /**
   * Whether a card is the next one of its heap, which it leaves; null where that is empty.
   * @param {Record<string, any>} known @param {string[]} heap @param {any} card
   */
  isNext(known, heap, card) {
    const id = heap.shift();
    return same(card, id === undefined ? null : known[id]);
  }
}

export const proof = {
  Rules: VWarsRules,
  counts: ["factions", "orders", "turned"],
  isDealt: true,
  isShuffled: true,
};
