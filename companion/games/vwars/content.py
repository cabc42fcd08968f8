"""Define the content file, with what only the box prints: map, cards, events, laws, roles, riot
table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from companion.core.content import (
    Content,
    ContentError,
    ContentFormat,
    Ids,
    Name,
    Path,
    Text,
    Words,
    duplicate_ids,
    unknown_name_error,
)
from companion.core.grid import reach
from companion.core.text import shorten

Side = Literal["human", "vampire"]
SIDES: tuple[Side, ...] = ("human", "vampire")


def other(side: Side) -> Side:
    """Return the enemy side."""
    return SIDES[1 - SIDES.index(side)]


HAND = 6
"""Cards in a full hand."""
Count = Annotated[int, Meta(ge=1, le=20)]
Change = Annotated[int, Meta(ge=-16, le=16)]
Doing = Literal["move", "deploy", "assassinate", "place", "investigate", "awaken"]
PLAYERS = 5
"""The maximum number of players; a content must have enough for all."""
CITIES = 2 * PLAYERS
"""The minimum number of different cities on the cards: the start draws two for each player."""
MOST_ADJACENT = 64
"""The maximum number of neighbours of a region."""
LONGEST_NAME = 40
"""The maximum number of letters in a region's or city's name on a typed map."""
ANY_CITY = ("riot", "draw", "choose")
"""Words of an event in place of a city: the Now card's, the top player card's, or the active
player's choice.
"""


class _Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; an unknown key is an error."""


class _Effect(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """An effect of an event, a law or a role; its name is under `do`."""


class AddTroops(_Effect, frozen=True, tag="add_troops"):
    side: Side
    city: str
    count: Count


class RemoveTroops(_Effect, frozen=True, tag="remove_troops"):
    side: Side
    city: str
    count: Count


class ChangeSympathy(_Effect, frozen=True, tag="sympathy"):
    change: Change


class TakeControl(_Effect, frozen=True, tag="control"):
    city: str
    side: Side


class SetMartialLaw(_Effect, frozen=True, tag="martial_law"):
    city: str
    holds: bool = True


class Election(_Effect, frozen=True, tag="election"):
    region: str
    by: Literal["cities", "troops", "ask"]


class Ask(_Effect, frozen=True, tag="ask"):
    text: Words


class RiotStrength(_Effect, frozen=True, tag="riot_strength"):
    side: Side
    change: Annotated[int, Meta(ge=-6, le=6)]


class DeployCount(_Effect, frozen=True, tag="deploy_count"):
    side: Side
    count: Count


class Forbid(_Effect, frozen=True, tag="forbid"):
    side: Side
    action: Doing


class ExtraMove(_Effect, frozen=True, tag="extra_move"):
    count: Count


class Note(_Effect, frozen=True, tag="note"):
    pass


EventEffect = (
    AddTroops | RemoveTroops | ChangeSympathy | TakeControl | SetMartialLaw | Election | Ask
)
CityEffect = AddTroops | RemoveTroops | TakeControl | SetMartialLaw
LastingEffect = RiotStrength | DeployCount | Forbid | ExtraMove | Note


class Region(_Record, frozen=True):
    id: Text
    name: Name
    adjacent: Annotated[tuple[str, ...], Meta(max_length=MOST_ADJACENT)]


class City(_Record, frozen=True):
    id: Text
    name: Name
    region: str


class PlayerCard(_Record, frozen=True, omit_defaults=True):
    city: str
    side: Side
    value: Annotated[int, Meta(ge=1, le=9)]
    copies: Annotated[int, Meta(ge=1, le=20)] = 1
    id: Text | UnsetType = UNSET


class EventCard(_Record, frozen=True):
    id: Text
    name: Name
    text: Words
    effects: tuple[EventEffect, ...]


class Law(_Record, frozen=True):
    id: Text
    name: Name
    text: Words
    side: Side
    effects: tuple[LastingEffect, ...]


class Role(_Record, frozen=True):
    id: Text
    name: Name
    start: str
    human_text: Words
    vampire_text: Words
    human_effects: tuple[LastingEffect, ...]
    vampire_effects: tuple[LastingEffect, ...]


class RiotTable(_Record, frozen=True):
    """The strengths for a victory and a massacre, and the change of sympathy for each result: a
    massacre, a rally without other result, a change of control, a riot that nobody wins.
    """

    human_massacre: Change
    vampire_massacre: Change
    human_rally: Change
    vampire_rally: Change
    human_control: Change = 0
    vampire_control: Change = 0
    sputter: Change = 0
    win_at: Annotated[int, Meta(ge=1, le=20)] = 6
    massacre_at: Annotated[int, Meta(ge=1, le=30)] = 8


class Board(Content, frozen=True):
    """The map alone, as an owner of the box types it; with real cards this is enough. If no regions
    are adjacent, people decide themselves which moves are legal.
    """

    region: Annotated[tuple[Region, ...], Meta(min_length=2, max_length=16)]
    city: Annotated[tuple[City, ...], Meta(min_length=CITIES, max_length=64)]


class Cards(Content, frozen=True):
    """One content file of V-Wars. `sample` content is invented, and every screen says so."""

    region: tuple[Region, ...]
    city: tuple[City, ...]
    player_card: tuple[PlayerCard, ...]
    event: tuple[EventCard, ...]
    law: tuple[Law, ...]
    role: tuple[Role, ...]
    riot: RiotTable


IN_BOX = {"region": 8, "player_card": 84, "event": 30, "role": 8}
LAWS_IN_BOX = 12
"""Numbers in the box, laws for each side; other numbers cause a warning."""


def faults(content: Cards, ids: Ids) -> Iterator[ContentError]:
    """Yield inconsistencies.

    ids: the ids of all entries, including entries that were left out
    """
    cities = ids.get("city", frozenset())
    yield from duplicate_ids(content, ("player_card", "event", "law", "role"))
    yield from _map_faults(content, ids)
    yield from _unreachable_region(content)
    for number, card in enumerate(content.player_card):
        yield from _dangling(("player_card", number, "city"), (card.city,), cities)
    for number, event in enumerate(content.event):
        for index, effect in enumerate(event.effects):
            at: Path = ("event", number, "effects", index)
            match effect:
                case _ if isinstance(effect, CityEffect):
                    yield from _dangling((*at, "city"), (effect.city,), {*cities, *ANY_CITY})
                case Election(region=named):
                    yield from _dangling(
                        (*at, "region"), (named,), {*ids.get("region", ()), *ANY_CITY}
                    )
    for number, role in enumerate(content.role):
        yield from _dangling(("role", number, "start"), (role.start,), cities)
    yield from _number_faults(content, ids)


RESERVED = {"region": ("deck", "discards", "events", "pool", *ANY_CITY), "city": ANY_CITY}
"""Reserved ids."""


def board_faults(board: Board, ids: Ids) -> Iterator[ContentError]:
    """Yield inconsistencies of a map alone.

    People type it and name its places.
    """
    for language in board.translations or ():
        yield ContentError(("translations", language), "content.one_language")
    yield from _map_faults(board, ids)
    if any(region.adjacent for region in board.region):
        yield from _unreachable_region(board)
    inhabited = {city.region for city in board.city}
    for number, region in enumerate(board.region):
        if region.id not in inhabited:
            yield ContentError(("region", number), "content.no_city")
    for table in ("region", "city"):
        known: set[str] = set()
        for number, entry in enumerate(getattr(board, table)):
            if entry.name in known:
                yield ContentError((table, number, "name"), "content.name_twice")
            if len(entry.name) > LONGEST_NAME:
                yield ContentError(
                    (table, number, "name"), "content.too_long", {"most": LONGEST_NAME}
                )
            known.add(entry.name)


def _map_faults(content: Cards | Board, ids: Ids) -> Iterator[ContentError]:
    regions = ids.get("region", frozenset())
    yield from duplicate_ids(content, ("region", "city"))
    for number, region in enumerate(content.region):
        yield from _dangling(("region", number, "adjacent"), region.adjacent, regions)
    for table, reserved in RESERVED.items():
        for number, entry in enumerate(getattr(content, table)):
            if entry.id in reserved:
                yield ContentError((table, number, "id"), "content.reserved", {"id": entry.id})
    touching = {region.id: frozenset(region.adjacent) for region in content.region}
    for number, region in enumerate(content.region):
        for other in region.adjacent:
            if other == region.id or (other in touching and region.id not in touching[other]):
                yield ContentError(
                    ("region", number, "adjacent"), "content.one_sided", {"id": other}
                )
    for number, city in enumerate(content.city):
        yield from _dangling(("city", number, "region"), (city.region,), regions)


def _unreachable_region(content: Cards | Board) -> Iterator[ContentError]:
    near = {region.id: region.adjacent for region in content.region}
    reached = reach(near, list(near)[:1])
    for number, region in enumerate(content.region):
        if region.id not in reached:
            yield ContentError(
                ("region", number, "adjacent"), "content.disconnected", {"id": region.id}
            )
            return


def _number_faults(content: Cards, ids: Ids) -> Iterator[ContentError]:
    if len({card.city for card in content.player_card}) < CITIES:
        yield ContentError(("player_card",), "content.few_cities", {"least": CITIES})
    if len(ids.get("role", ())) < PLAYERS:
        yield ContentError(("role",), "content.few_roles", {"least": PLAYERS})
    least = 3 * len(content.region) + 5 + HAND * PLAYERS
    if sum(card.copies for card in content.player_card) < least:
        yield ContentError(("player_card",), "content.few_cards", {"least": least})
    if content.riot.massacre_at < content.riot.win_at:
        yield ContentError(
            ("riot", "massacre_at"), "content.massacre_first", {"least": content.riot.win_at}
        )


def board_warnings(board: Board) -> Iterator[ContentError]:
    """Yield differences from the box's board."""
    if len(board.region) != IN_BOX["region"]:
        yield ContentError(
            ("region",),
            "content.not_as_in_box",
            {"found": len(board.region), "n": IN_BOX["region"]},
        )


def warnings(content: Cards) -> Iterator[ContentError]:
    """Yield differences from the box."""
    counts = {table: len(getattr(content, table)) for table in IN_BOX}
    counts["player_card"] = len(cards(content))
    for table, count in IN_BOX.items():
        if counts[table] != count:
            yield ContentError(
                (table,), "content.not_as_in_box", {"found": counts[table], "n": count}
            )
    laws = Counter(law.side for law in content.law)
    for side in SIDES:
        if laws[side] != LAWS_IN_BOX:
            yield ContentError(
                ("law",), f"content.laws.{side}", {"found": laws[side], "n": LAWS_IN_BOX}
            )


FORMAT = ContentFormat(Cards, faults, warnings, ContentFormat(Board, board_faults, board_warnings))


def _dangling(at: Path, named: Iterable[str], known: Collection[str]) -> Iterator[ContentError]:
    for name in named:
        if name not in known:
            yield unknown_name_error(at, "content.dangling", {"id": shorten(name)}, name, known)


def cards(content: Cards) -> tuple[str, ...]:
    """Return all player cards in the order of the file."""
    return tuple(
        card_name(card.city, card.side, card.value)
        for card in content.player_card
        for _ in range(card.copies)
    )


def card_name(city: str, side: Side, value: int) -> str:
    """Return the name of a player card: equal cards have one, like `n1-h2`."""
    return f"{city}-{side[0]}{value}"


def city_of(card: str) -> str:
    """Return the city that a card shows."""
    return card.rpartition("-")[0]


def side_of(card: str) -> Side:
    """Return the colour of a card's number."""
    return "human" if card.rpartition("-")[2][0] == "h" else "vampire"


def value_of(card: str) -> int:
    """Return a card's number."""
    return int(card.rpartition("-")[2][1:])
