"""Options, factions and set-up of a game, and what the rulebook fixes.

Seats `P1` to `P5`, clockwise; factions `human`, `infected`, `vampire`; a player card's name has its
city, its colour and its number, like `n1-h2`. A content file (`content.py`) has the cities,
regions, events, laws and roles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from companion.core.content import SAMPLE
from companion.core.game import Seat
from companion.games.vwars.content import Cards

SEATS: tuple[Seat, ...] = tuple(Seat(f"P{number}") for number in range(1, 6))
Faction = Literal["human", "infected", "vampire"]
FACTIONS: Mapping[int, tuple[Faction, ...]] = {
    3: ("human", "human", "vampire"),
    4: ("human", "human", "vampire", "infected"),
    5: ("human", "human", "vampire", "infected", "infected"),
}
SYMPATHY = {3: 8, 4: 7, 5: 6}
"""Sympathy tokens at the start, by the number of players."""
TRACK = 16
"""Numbers of the victory track."""
TROOPS = 6
"""The limit of one side's troops in a city, for events and, with `troop_cap`, for deployments."""
ACTIONS_EACH = 4
MARTIAL = 6
"""Cities under martial law with which the humans win."""
TYPED = 24
"""The maximum number of changes that people may type at one moment."""
POOL = "pool"
"""The name of the riot pool, in place of a region."""
Step = Literal[
    "setup", "turn", "card", "answer", "event", "riot", "turning", "rally", "swing", "discard",
    "soon", "refill", "over",
]  # fmt: skip
"""The next decision: type the set-up (with real cards), take actions, give a card, answer whether a
real faction card is the one named, settle an event, begin the riot, type its cards (beside the
box), answer after a vampire rally, type the printed table's number, discard a face-up card, type
the new riot card, report whether the hand was refilled.
"""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every ruling that has an option, with its default; docs/games/v-wars.md has them all, with
    the reasons.

    `content`: ours, a file's name, or "box" for the box's own cards beside the companion.
    `factions`: dealt to the phones, or real cards with the answers typed (if all cards are real).
    `roles`: chosen by the seats before the deal, or dealt. `start`: who begins. `troop_cap`: troops
    of a side in a city that deploying may reach. `rally_awakening`: whom a public vampire may call
    after a vampire rally. `human_victory`: when the humans' victory is checked. `sputter_discards`:
    whether a riot that nobody wins also ends with a discard. `empty_riot_pool`: then there is no
    next riot, or one from the player deck. `tie`: who wins when both sides have won after a riot.
    """

    content: str = SAMPLE
    factions: Literal["phones", "cards"] = "phones"
    roles: Literal["chosen", "dealt"] = "chosen"
    start: Literal["random", "first"] = "random"
    troop_cap: Literal[6, "none"] = 6
    rally_awakening: Literal["anywhere", "same_city"] = "anywhere"
    human_victory: Literal["after_riot", "at_once"] = "after_riot"
    sputter_discards: bool = False
    empty_riot_pool: Literal["none", "player_deck"] = "none"
    tie: Literal["humans", "vampires"] = "humans"


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """All draws of the start. With real cards these are the factions and who begins."""

    first: Seat
    factions: dict[str, Faction] = {}
    roles: dict[str, str] = {}
    vampire_cities: tuple[str, ...] = ()
    troop_cities: tuple[str, ...] = ()
    hands: dict[str, tuple[str, ...]] = {}
    regions: dict[str, tuple[str, ...]] = {}
    pool: tuple[str, ...] = ()
    riots: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    laws: dict[str, tuple[str, ...]] = {}


class MapRegion(Struct, frozen=True, forbid_unknown_fields=True):
    """A region as the box shows it; without `adjacent` people decide themselves which moves are
    legal.
    """

    name: str
    cities: dict[str, str]
    adjacent: tuple[str, ...] = ()


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up of a game: a `content` other than the table's own, the `roles` that seats chose,
    and a `deal`, drawn unless given. With real cards it has the typed `map`; the default is eight
    numbered regions of four cities.
    """

    options: Options = Options()
    content: Cards | None = None
    roles: dict[str, str] = {}
    map: dict[str, MapRegion] | None = None
    deal: Deal | None = None
