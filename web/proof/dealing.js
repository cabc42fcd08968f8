/** Each game dealt anew, as the table deals it: from what a draw starts from, the very deal. Pure. */
import { Generator } from "./mersenne_twister.js";

const [HAND, EACH] = [6, 3];

/** Shisogari, roles, hands, the last cards and the first seat: `stocks` are the items that are in play, `bites` and `blanks` one card of each colour. */
export function dealtCards(seats, box, options, drawn) {
  const generator = new Generator(drawn);
  const hasPair = (hand) => new Set(hand).size < hand.length;
  let dealt;
  do dealt = cardsDealt(seats, box, options, generator);
  while (options.dealt_pairs === "redealt" && Object.values(dealt.hands).some(hasPair));
  return { ...dealt, first: options.start === "first" ? seats[0] : generator.choice(seats) };
}

function cardsDealt(seats, { stocks, bites, blanks }, options, generator) {
  const vampire = generator.choice(seats);
  const left = stocks.map((stock) => generator.shuffled(stock));
  const pops = () => left.map((stock) => stock.pop());
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

/** Vampire Empire: who is a vampire, whom the human player trusts, the city, and a deck by seat, in the order of `decks`. */
export function dealtCourt(characters, { vampires, trusted }, decks, drawn) {
  const generator = new Generator(drawn);
  const tokens = generator.sample(characters, vampires + trusted);
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

/** V-Wars: who begins, factions if phones hold them, and all of `content` unless the box lies on the table; `chosen` are the roles that seats chose. */
export function dealtWar(seats, { factions, start, chosen }, content, cards, drawn) {
  const generator = new Generator(drawn);
  const first = start === "first" ? seats[0] : generator.choice(seats);
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
  const taken = (count) => deck.splice(-count).reverse();
  const regions = Object.fromEntries(content.region.map(({ id }) => [id, taken(EACH)]));
  const hands = bySeat(seats.map(() => taken(HAND)));
  const [pool, riots] = [taken(EACH), taken(2)];
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
