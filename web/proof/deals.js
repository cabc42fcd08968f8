/**
 * V-Wars and Vampire Empire held against their deal: who was what, and in which order people and cards that lie in an
 * order came; the deal itself is worked out from the seed of the shuffle, if there is one. What was shuffled during the
 * game, and what may be done with it, is not worked out here. Pure.
 */
import { assert, same } from "./assert.js";
import { dealtCourt, dealtWar } from "./dealing.js";

const SIDES = ["human", "vampire"];
const CHARACTERS = ["lady", "lord", "officer", "monk", "nun", "bishop", "maid", "cook", "butler"];
const FACTIONS = {
  3: ["human", "human", "vampire"],
  4: ["human", "human", "vampire", "infected"],
  5: ["human", "human", "vampire", "infected", "infected"],
};
const TOKENS = { vampires: 3, trusted: 2 };
const CASTLE = 3;
const SHOWN = 2;

const isSameHeap = (one, other) => same([...one].sort(), [...other].sort());
const sizes = (piles) =>
  Object.fromEntries(Object.entries(piles).map(([name, pile]) => [name, pile.length]));

/** What both have in common: every public event is heard, none is decided. */
class Dealt {
  constructor({ deal, content }) {
    this.deal = deal;
    this.isBox = !content;
  }

  /** Whether this deal could have been dealt. */
  isDeal() {
    return true;
  }

  /** Check one public event and count it. */
  hear(_event, _count) {}

  copy() {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), structuredClone({ ...this }));
  }

  begin({ public: told }, count) {
    assert(this.isDeal() && told[0].event === "game_set_up", "proof.deal");
    this.happen({ public: told }, count);
  }

  act({ public: told }, count) {
    this.happen({ public: told }, count);
    return null;
  }

  happen({ public: told }, count) {
    for (const event of told) this.hear(event, count);
  }
}

/** What is counted of Vampire Empire. */
export const COURT_COUNTS = ["identities", "entries", "cards"];

/** Vampire Empire: who is a vampire, who comes from the city, and that each card lay in its player's deck. */
export class Court extends Dealt {
  constructor(start) {
    super(start);
    this.listed = start.content?.card ?? [];
    this.cards = Object.fromEntries(this.listed.map((card) => [card.id, card]));
    this.city = start.deal.city.slice(CASTLE);
  }

  isDealtFrom(drawn, given) {
    const decks = Object.fromEntries(["vampire", "human"].map((seat) => [seat, this.all(seat)]));
    return (
      given.includes("deal") ||
      same(dealtCourt(CHARACTERS, TOKENS, this.isBox ? null : decks, drawn), this.deal)
    );
  }

  /** All cards of a player's deck, in the order of the list. */
  all(seat) {
    return this.listed.flatMap(({ id, deck, copies }) =>
      deck === seat ? Array(copies).fill(id) : [],
    );
  }

  isDeal() {
    const { vampires, trusted, city, decks } = this.deal;
    const tokens = [...vampires, ...trusted];
    if (
      vampires.length !== TOKENS.vampires ||
      trusted.length !== TOKENS.trusted ||
      new Set(tokens).size !== 5 ||
      !tokens.every((name) => CHARACTERS.includes(name))
    )
      return false;
    if (this.isBox) return same(city, []) && same(decks, {});
    return (
      isSameHeap(city, CHARACTERS) &&
      isSameHeap(Object.keys(decks), SIDES) &&
      SIDES.every((seat) => isSameHeap(decks[seat], this.all(seat)))
    );
  }

  hear(event, count) {
    const { deal, cards } = this;
    const lay = (seat, card, value) => {
      assert(
        deal.decks[seat].includes(card) && (value === undefined || cards[card].value === value),
        "proof.dealt",
      );
      count.cards += 1;
    };
    switch (event.event) {
      case "game_set_up":
        return assert(
          same(event.castle, deal.city.slice(0, CASTLE)) && same(event.decks, sizes(deal.decks)),
          "proof.deal",
        );
      case "cards_listed":
        return assert(same(event.cards, this.listed), "proof.deal");
      case "vampire_revealed":
      case "holy_water_answered":
      case "character_died":
        assert(deal.vampires.includes(event.character) === (event.vampire ?? true), "proof.dealt");
        count.identities += 1;
        return null;
      case "identities_shown":
        return assert(
          same([event.vampires, event.trusted], [deal.vampires, deal.trusted]),
          "proof.dealt",
        );
      case "character_hidden":
        return this.city.push(event.character);
      case "character_entered":
        if (this.isBox) return null;
        assert(this.city.shift() === event.character, "proof.dealt");
        count.entries += 1;
        return null;
      case "support_played":
        return lay(event.seat, event.card);
      case "card_paid":
      case "card_laid":
        return event.card && lay(event.seat, event.card, event.value);
      default:
        return null;
    }
  }
}

/** What is counted of V-Wars. */
export const WAR_COUNTS = ["factions", "orders", "turned"];

/** V-Wars: who is of which faction, the events and laws in their order, and that each riot card is one of the cards. */
export class Wars extends Dealt {
  constructor(start) {
    super(start);
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

  begin(line, count) {
    super.begin(line, count);
    assert(line.public.at(-1).seat === this.deal.first, "proof.deal");
  }

  isDealtFrom(drawn, given) {
    const seats = Array.from({ length: this.players }, (_, index) => `P${index + 1}`);
    const factions = this.options.factions === "phones" ? FACTIONS[this.players] : null;
    return (
      given.includes("deal") ||
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

  hear(event, count) {
    const { deal, of } = this;
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

  isShown({ vampire_cities: vampires, troop_cities: troops, riots, events, piles }) {
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

  /** Whether a card is the next one of its heap, which it leaves; null where that is empty. */
  isNext(known, heap, card) {
    const id = heap.shift();
    return same(card, id === undefined ? null : known[id]);
  }
}
