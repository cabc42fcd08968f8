/** Check Vampire Empire against its deal: identities, and the order of people and cards. Pure. */
import { assert, same } from "../../proof/assert.js";
import { Dealt, isSameHeap, sizes } from "../../proof/dealt.js";
import { Generator } from "../../proof/mersenne_twister.js";

const CHARACTERS = ["lady", "lord", "officer", "monk", "nun", "bishop", "maid", "cook", "butler"];
const TOKENS = { vampires: 3, trusted: 2 };
const CASTLE = 3;
const SIDES = ["human", "vampire"];

/**
 * Vampire Empire: who is a vampire, whom the human player trusts, the city, and a deck by seat, in the order of `decks`.
 * @param {string[]} characters @param {{vampires: number, trusted: number}} tokens
 * @param {Record<string, string[]> | null} decks @param {string} drawn
 */
function dealtCastle(characters, { vampires, trusted }, decks, drawn) {
  const generator = new Generator(drawn);
  const tokens = generator.sample(characters, vampires + trusted);
  /** @param {string[]} names */
  const inOrder = (names) => characters.filter((name) => names.includes(name));
  const people = {
    vampires: inOrder(tokens.slice(0, vampires)),
    trusted: inOrder(tokens.slice(vampires)),
  };
  if (!decks) return { ...people, city: [], decks: {} };
  const city = generator.sample(characters, characters.length);
  return {
    ...people,
    city,
    decks: Object.fromEntries(
      Object.entries(decks).map(([seat, deck]) => [seat, generator.sample(deck, deck.length)]),
    ),
  };
}

/** Vampire Empire: who is a vampire, who comes from the city, and that each card lay in its player's deck. */
class VampireEmpireRules extends Dealt {
  /** @param {{deal: any, content: {card: EmpireCard[]} | null}} start */
  constructor(start) {
    super(start);
    this.listed = start.content?.card ?? [];
    this.cards = Object.fromEntries(this.listed.map((card) => [card.id, card]));
    this.city = start.deal.city.slice(CASTLE);
  }

  /** @param {string} drawn @param {string[]} customSetup */
  isDealtFrom(drawn, customSetup) {
    const decks = Object.fromEntries(["vampire", "human"].map((seat) => [seat, this.all(seat)]));
    return (
      customSetup.includes("deal") ||
      same(dealtCastle(CHARACTERS, TOKENS, this.isBox ? null : decks, drawn), this.deal)
    );
  }

  /** All cards of a player's deck, in the order of the list. @param {string} seat */
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

  /** @param {any} event @param {Record<string, number>} count */
  hear(event, count) {
    const { deal, cards } = this;
    /** @param {string} seat @param {string} card @param {number} [value] */
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

export const proof = {
  Rules: VampireEmpireRules,
  counts: ["identities", "entries", "cards"],
  seats: ["human", "vampire"],
  isDealt: true,
  isShuffled: true,
};
