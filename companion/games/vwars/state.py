"""Define the state of a game: the public part, each hand, and the hidden piles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from companion.core.content import BOX
from companion.core.game import Outcome, Seat
from companion.games.vwars.content import Cards, EventCard, EventEffect, LastingEffect, Law, Side
from companion.games.vwars.options import Faction, Options, Setup, Step


class RoleShown(Struct, frozen=True):
    """A role as printed on its card."""

    name: str
    human_text: str
    vampire_text: str
    human_effects: tuple[LastingEffect, ...] = ()
    vampire_effects: tuple[LastingEffect, ...] = ()


class Region(Struct, frozen=True):
    """A region: its name, its neighbours, the winner of its last election, and its law; beside the
    box the law card is on the table.
    """

    name: str
    adjacent: tuple[str, ...]
    elected: Side | None = None
    law: Law | None = None


class City(Struct, frozen=True):
    """A city on the board."""

    name: str
    region: str
    human: int = 0
    vampire: int = 0
    control: Side = "human"
    martial: bool = False

    def troops(self, side: Side) -> int:
        return self.human if side == "human" else self.vampire


class Player(Struct, frozen=True):
    """The public part of a player: its city, its number of cards (None for real ones), whether it
    is a public vampire, and whether it may still investigate.
    """

    city: str = ""
    hand: int | None = None
    role: RoleShown | None = None
    vampire: bool = False
    token: bool = True

    @property
    def side(self) -> Side:
        """The apparent faction."""
        return "vampire" if self.vampire else "human"


class CardsDue(Struct, frozen=True):
    """The players who must give a card, in this order, and where the cards go (None: to the
    discards).
    """

    seats: tuple[Seat, ...]
    to: str | None
    city: str | None = None


class Question(Struct, frozen=True):
    """With real faction cards: the seat that must answer whether its card is Vampire, or
    Infected.
    """

    seat: Seat
    target: Seat
    what: Literal["investigate", "awaken"]
    rallying: bool = False


class RiotSeen(Struct, frozen=True):
    """The turned cards of a riot, each with the troops that it removed, none for one that stays up;
    the changes of strength by typed laws; the result.
    """

    city: str
    turned: tuple[tuple[str, int], ...] = ()
    human: int = 0
    vampire: int = 0
    winner: Side | None = None
    strength: int = 0
    result: str | None = None

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that stay up."""
        return tuple(card for card, removed in self.turned if not removed)


class CityAsk(Struct, frozen=True, omit_defaults=True):
    """A city of the set-up that people type with real cards; `seat`: who starts there."""

    what: Literal["start", "vampires", "troops", "now", "soon"]
    seat: Seat | None = None


class Public(Struct, frozen=True):
    """The public state. Mappings are never changed in place."""

    options: Options
    title: str = ""
    sample: bool = False
    regions: Mapping[str, Region] = {}
    cities: Mapping[str, City] = {}
    players: Mapping[Seat, Player] = {}
    sympathy: int = 0
    turn: Seat | None = None
    step: Step = "setup"
    asked: tuple[Seat, ...] = ()
    to_type: tuple[CityAsk, ...] = ()
    picked: str | None = None
    picked_region: str | None = None
    typed: int = 0
    overflowed: tuple[str, ...] = ()
    actions_left: int = 0
    moved_free: int = 0
    turns: int = 0
    due: CardsDue | None = None
    question: Question | None = None
    effects: tuple[EventEffect, ...] = ()
    event: EventCard | None = None
    next_event: EventCard | None = None
    riot_now: str | None = None
    riot_soon: str | None = None
    laws: Mapping[str, Law | None] = {}
    piles: Mapping[str, int] = {}
    riot: RiotSeen | None = None
    factions: Mapping[str, Faction] = {}
    outcome: Outcome | None = None

    @property
    def controlled(self) -> int:
        """Cities that the vampires control."""
        return sum(city.control == "vampire" for city in self.cities.values())

    @property
    def martial(self) -> int:
        """Cities under martial law."""
        return sum(city.martial for city in self.cities.values())

    def under_martial_law(self, region: str) -> bool:
        """Return whether a city of the region is under martial law."""
        return any(city.martial for city in self.cities.values() if city.region == region)

    @property
    def has_real_cards(self) -> bool:
        return self.options.content == BOX

    def vampires(self) -> list[Seat]:
        """Return the public vampires."""
        return [seat for seat, player in self.players.items() if player.vampire]

    def order(self) -> list[Seat]:
        """Return the seats, clockwise from the one whose turn it is."""
        seats = list(self.players)
        at = seats.index(self.turn) if self.turn in seats else 0
        return seats[at:] + seats[:at]


class Hand(Struct, frozen=True):
    """The private part of a seat: its faction and its cards."""

    faction: Faction
    cards: tuple[str, ...] = ()


class Piles(Struct, frozen=True):
    """The face-down piles, and the discards.

    laws: the laws below each top law
    events: the events after Soon
    """

    deck: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()
    regions: Mapping[str, tuple[str, ...]] = {}
    events: tuple[EventCard, ...] = ()
    laws: Mapping[str, tuple[Law, ...]] = {}


class Hidden(Struct, frozen=True):
    """The hidden part: the set-up, and the piles."""

    setup: Setup
    content: Cards | None
    piles: Piles


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return the cards without one such card."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
