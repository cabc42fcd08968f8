"""Draw a deal by the rules, or check a given one: factions, roles, cities and piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from companion.core.content import BOX
from companion.core.game import Event, InvalidSetup, Seat
from companion.core.shape import check_content
from companion.games.vwars import events
from companion.games.vwars.content import HAND, SIDES, Board, Cards, cards, city_of, faults
from companion.games.vwars.options import (
    FACTIONS,
    POOL,
    SYMPATHY,
    Deal,
    Faction,
    MapRegion,
    Options,
    Setup,
)
from companion.games.vwars.state import CityAsk, Region, RoleShown

EACH = 3
"""Cards in each region's deck and in the riot pool at the start."""
NUMBERED = {
    f"r{region}": MapRegion(
        str(region), {f"r{region}{letter}": f"{region}{letter}" for letter in "abcd"}
    )
    for region in range(1, 9)
}
"""The board without a typed map: regions and cities have numbers, and people decide which moves
are legal.
"""


def draw(
    seats: Sequence[Seat],
    content: Cards | None,
    options: Options,
    rng: Random,
    chosen: Mapping[str, str] | None = None,
) -> Deal:
    """Return a deal. Seats have the roles that they chose, or random ones. With real cards
    (`content` None) it has only factions, if they are on the phones.
    """
    first = seats[0] if options.start == "first" else rng.choice(seats)
    factions: dict[str, Faction] = {}
    if options.factions == "phones":
        shuffled = list(FACTIONS[len(seats)])
        rng.shuffle(shuffled)
        factions = dict(zip(seats, shuffled, strict=True))
    if content is None:
        return Deal(first, factions)
    deck = list(cards(content))
    rng.shuffle(deck)
    marked = list(dict.fromkeys(city_of(card) for card in deck))[: 2 * len(seats)]
    rng.shuffle(deck)
    roles = dict(chosen or {})
    left = [seat for seat in seats if seat not in roles]
    free = [role.id for role in content.role if role.id not in roles.values()]
    roles |= zip(left, rng.sample(free, len(left)), strict=True)
    piles = {region.id: tuple(deck.pop() for _ in range(EACH)) for region in content.region}
    return Deal(
        first,
        factions,
        {seat: roles[seat] for seat in seats},
        tuple(marked[: len(seats)]),
        tuple(marked[len(seats) :]),
        {seat: tuple(deck.pop() for _ in range(HAND)) for seat in seats},
        piles,
        tuple(deck.pop() for _ in range(EACH)),
        (deck.pop(), deck.pop()),
        tuple(deck),
        tuple(rng.sample(ids, len(ids))) if (ids := [event.id for event in content.event]) else (),
        {
            side: tuple(rng.sample(ids, len(ids)))
            for side in SIDES
            for ids in [[law.id for law in content.law if law.side == side]]
        },
    )


def check(deal: Deal, seats: Sequence[Seat], content: Cards | None, options: Options) -> Deal:
    """Return a given deal; raise `InvalidSetup` unless it could have been dealt."""
    if deal.first not in seats:
        raise InvalidSetup("no_such_first", seat=deal.first)
    dealt = set(deal.factions) if options.factions == "phones" else set(seats)
    if dealt != set(seats) or (
        options.factions == "phones"
        and sorted(deal.factions.values()) != sorted(FACTIONS[len(seats)])
    ):
        raise InvalidSetup("deal_factions")
    if content is None:
        return deal
    cities = (*deal.vampire_cities, *deal.troop_cities)
    if (
        len(deal.vampire_cities) != len(seats)
        or len(set(cities)) != 2 * len(seats)
        or set(cities) - {city.id for city in content.city}
    ):
        raise InvalidSetup("deal_cities", n=2 * len(seats))
    roles = {role.id for role in content.role}
    if (
        set(deal.roles) != set(seats)
        or len(set(deal.roles.values())) != len(seats)
        or set(deal.roles.values()) - roles
    ):
        raise InvalidSetup("deal_roles")
    piles = [*deal.hands.values(), *deal.regions.values(), deal.pool, deal.riots, deal.deck]
    dealt_hands = set(deal.hands) == set(seats) and all(
        len(hand) == HAND for hand in deal.hands.values()
    )
    dealt_regions = set(deal.regions) == {region.id for region in content.region}
    if not dealt_hands or not dealt_regions or len(deal.riots) != 2:
        raise InvalidSetup("deal_piles")
    if Counter(card for pile in piles for card in pile) != Counter(cards(content)):
        raise InvalidSetup("deal_cards")
    laws = {side: sorted(law.id for law in content.law if law.side == side) for side in SIDES}
    if {side: sorted(ids) for side, ids in deal.laws.items()} != laws or sorted(
        deal.events
    ) != sorted(event.id for event in content.event):
        raise InvalidSetup("deal_events")
    return deal


def check_roles(setup: Setup, seats: Sequence[Seat], content: Cards | None) -> None:
    """Raise `InvalidSetup` unless each chosen role exists, is chosen by one seat, and fits a given
    deal.
    """
    chosen, offered = (
        setup.roles,
        {} if content is None else {role.id: role for role in content.role},
    )
    if chosen and setup.options.roles == "dealt":
        raise InvalidSetup("roles_are_dealt")
    if (
        set(chosen) - set(seats)
        or set(chosen.values()) - set(offered)
        or len(set(chosen.values())) < len(chosen)
    ):
        raise InvalidSetup("chosen_roles")
    if setup.deal and any(setup.deal.roles.get(seat) != role for seat, role in chosen.items()):
        raise InvalidSetup("deal_roles")


def setup_events(setup: Setup, seats: Sequence[Seat]) -> Iterator[Event]:
    """Yield the events of a complete set-up."""
    content, options, deal = setup.content, setup.options, setup.deal
    assert deal is not None, "nothing was dealt"
    if content is None:
        yield from _box_events(setup, seats)
        return
    piles = {region: len(pile) for region, pile in deal.regions.items()}
    yield events.GameSetUp(
        len(seats),
        options,
        content.title,
        content.sample,
        {region.id: Region(region.name, region.adjacent) for region in content.region},
        {city.id: (city.name, city.region) for city in content.city},
        SYMPATHY[len(seats)],
        deal.vampire_cities,
        deal.troop_cities,
        HAND,
        {
            **piles,
            POOL: len(deal.pool),
            "deck": len(deal.deck),
            "discards": 0,
            "events": max(len(deal.events) - 2, 0),
        },
        deal.riots,
        tuple(next(event for event in content.event if event.id == id) for id in deal.events[:2]),
    )
    roles = {role.id: role for role in content.role}
    for seat in seats:
        role = roles[deal.roles[seat]]
        role_event = RoleShown(
            role.name, role.human_text, role.vampire_text, role.human_effects, role.vampire_effects
        )
        yield events.RoleTaken(seat, role.start, role_event)
    laws = {law.id: law for law in content.law}
    for side in SIDES:
        yield events.LawShown(side, laws[deal.laws[side][0]] if deal.laws[side] else None)
    for seat in seats:
        yield events.Dealt(seat, deal.factions[seat], deal.hands[seat])
    yield events.DealKept(setup)
    yield events.TurnStarted(deal.first)


def _box_events(setup: Setup, seats: Sequence[Seat]) -> Iterator[Event]:
    deal, regions = setup.deal, setup.map or NUMBERED
    assert deal is not None, "nothing was dealt"
    everywhere = tuple(regions)
    is_known = any(region.adjacent for region in regions.values())
    yield events.GameSetUp(
        len(seats),
        setup.options,
        "",
        False,
        {
            id: Region(
                region.name,
                region.adjacent
                if is_known
                else tuple(other for other in everywhere if other != id),
            )
            for id, region in regions.items()
        },
        {
            city: (name, id)
            for id, region in regions.items()
            for city, name in region.cities.items()
        },
        SYMPATHY[len(seats)],
        (),
        (),
        None,
        {},
        (),
        (),
    )
    for seat, faction in deal.factions.items():
        yield events.Dealt(Seat(seat), faction, ())
    yield events.DealKept(setup)
    starts = [CityAsk("start", seat) for seat in seats]
    held = [CityAsk("vampires")] * len(seats) + [CityAsk("troops")] * len(seats)
    yield events.ToType(deal.first, (*starts, *held, CityAsk("now"), CityAsk("soon")))


def content_of(setup: Setup, contents: Mapping[str, Cards], names: Sequence[str]) -> Cards | None:
    """Return the content of a set-up, None with real cards; raise `InvalidSetup`."""
    options = setup.options
    if options.content == BOX:
        if setup.content is not None:
            raise InvalidSetup("content_beside_box")
        if setup.map is not None:
            check_map(setup.map)
        return None
    if options.factions == "cards" or setup.map is not None:
        raise InvalidSetup("only_beside_box")
    if setup.content is not None:
        check_content(setup.content, faults, "content_faults")
        return setup.content
    if options.content not in contents:
        raise InvalidSetup("no_such_content", name=options.content, allowed=", ".join(names))
    return contents[options.content]


def map_of(content: Board | Cards) -> dict[str, MapRegion]:
    """Return the map of a content for a game with real cards."""
    return {
        region.id: MapRegion(
            region.name,
            {city.id: city.name for city in content.city if city.region == region.id},
            region.adjacent,
        )
        for region in content.region
    }


def check_map(regions: dict[str, MapRegion]) -> None:
    """Raise `InvalidSetup` for a typed map that cannot be played."""
    cities = [city for region in regions.values() for city in region.cities]
    if len(cities) < 10 or len(set(cities)) != len(cities):
        raise InvalidSetup("map_cities", least=10)
    for id, region in regions.items():
        if any(
            other == id or other not in regions or id not in regions[other].adjacent
            for other in region.adjacent
        ):
            raise InvalidSetup("map_adjacent", region=region.name)
