"""The words of V-Wars: options, the deal, actions, and the state they make.

Seats `P1` to `P5`, clockwise; factions `human`, `infected`, `vampire`; a player card is called by
its city, its colour and its number, like `n1-h2`. What cities, regions, events, laws and roles
there are, a content says (`content.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from companion.core.content import BOX, SAMPLE
from companion.core.game import Action, Outcome, Seat
from companion.games.vwars.content import Cards, EventCard, EventEffect, LastingEffect, Law, Side

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
"""Troops of one side that an event fills a city to, and that a deployment may not exceed with
`troop_cap`.
"""
ACTIONS_EACH = 4
MARTIAL = 6
"""Cities under martial law with which the humans win."""
TYPED = 24
"""Changes that people may type in at one moment, at most."""
POOL = "pool"
"""The riot pool, where a region's deck could be named."""
Step = Literal[
    "setup", "turn", "card", "answer", "event", "riot", "turning", "rally", "swing", "discard",
    "soon", "refill", "over",
]  # fmt: skip
"""What is to be done next: type the set-up (beside the box), take actions, give a card, tell a
turned card, settle an event, begin the riot, type its cards (beside the box), answer after a
vampire rally, type the printed table's number, discard a face-up card, type the new riot card, tell
whether the hand was refilled.
"""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every ruling that has an option, with its default; docs/games/v-wars.md has them all, with
    the reasons.

    `content`: ours, a file's name, or "box" for the box's own cards beside the companion.
    `factions`: dealt to the phones, or real cards with the answers typed (beside the box only).
    `roles`: chosen by the seats before the deal, or dealt. `start`: who begins. `troop_cap`: troops
    of a side in a city that deploying may reach. `rally_awakening`: whom a public vampire may call
    after a vampire rally. `human_victory`: when it is looked at whether humans have won.
    `sputter_discards`: a riot that nobody wins ends in a discard too. `empty_riot_pool`: then there
    is no next riot, or one from the player deck. `tie`: who wins when both sides have won after a
    riot.
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
    """Everything that is drawn at the start. Beside the box it is the factions and who begins."""

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
    """A region as the box shows it; without `adjacent` the people themselves see to who may move
    where.
    """

    name: str
    cities: dict[str, str]
    adjacent: tuple[str, ...] = ()


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game is started: another `content` than the table's own, the `roles` that seats chose,
    a `deal` that is drawn unless it is given; beside the box the `map` as it was once typed in,
    eight numbered regions of four cities if it was not.
    """

    options: Options = Options()
    content: Cards | None = None
    roles: dict[str, str] = {}
    map: dict[str, MapRegion] | None = None
    deal: Deal | None = None


class Reveal(Action, frozen=True, tag="reveal"):
    """The Vampire goes public, before the first action of his own turn or after a vampire rally."""

    discloses: ClassVar[bool] = True


class Move(Action, frozen=True, tag="move"):
    """Go to a city in the own or an adjacent region."""

    city: str


class Deploy(Action, frozen=True, tag="deploy"):
    """Put a troop of the apparent faction into a city of the own region; a card is discarded
    next.
    """

    city: str


class Assassinate(Action, frozen=True, tag="assassinate"):
    """Remove an enemy troop in the own city."""


class Place(Action, frozen=True, tag="place", omit_defaults=True):
    """Add a card to the own region's deck or to the riot pool, and another player of the apparent
    faction adds one.
    """

    to: Literal["region", "pool"]
    partner: Seat | None = None


class Put(Action, frozen=True, tag="put"):
    """Give the card that is due."""

    is_private_action: ClassVar[bool] = True

    card: str


class Investigate(Action, frozen=True, tag="investigate"):
    """Say who is the Vampire."""

    discloses: ClassVar[bool] = True

    target: Seat


class Awaken(Action, frozen=True, tag="awaken"):
    """A public vampire asks a player in his city to join him."""

    discloses: ClassVar[bool] = True

    target: Seat


class Answer(Action, frozen=True, tag="answer"):
    """With real faction cards: whether the one who was asked is what he was asked for."""

    yes: bool


class End(Action, frozen=True, tag="end"):
    """No more actions: the event comes."""


class Riot(Action, frozen=True, tag="riot"):
    """Begin the riot in the Now card's city."""

    discloses: ClassVar[bool] = True


class Stay(Action, frozen=True, tag="stay"):
    """After a vampire rally: nothing is done by this seat."""


class PickCity(Action, frozen=True, tag="pick_city"):
    """Choose a city: an event's, the one of which something is typed, or one that the set-up asks
    for.
    """

    city: str


class PickRegion(Action, frozen=True, tag="pick_region"):
    """Choose an event's region, or the one of which an election is typed."""

    region: str


class Elect(Action, frozen=True, tag="elect"):
    """Say who won an election."""

    side: Side


class Troops(Action, frozen=True, tag="troops"):
    """Type by how much a side's troops change in the city that was picked."""

    side: Side
    change: Annotated[int, Meta(ge=-6, le=6)]


class Control(Action, frozen=True, tag="control"):
    """Type who controls the city that was picked from now on."""

    side: Side


class Martial(Action, frozen=True, tag="martial"):
    """Type that martial law holds in the city that was picked from now on, or no more."""

    holds: bool


class Sympathy(Action, frozen=True, tag="sympathy"):
    """Type by how much the sympathy changes."""

    change: Annotated[int, Meta(ge=-6, le=6)]


class Done(Action, frozen=True, tag="done"):
    """Nothing more is typed."""


class NoEvent(Action, frozen=True, tag="no_event"):
    """Beside the box: no event card is left."""


class Turn(Action, frozen=True, tag="turn"):
    """Beside the box: a card of the riot, its colour and its number."""

    side: Side
    value: Annotated[int, Meta(ge=1, le=9)]


class Strength(Action, frozen=True, tag="strength"):
    """Beside the box: a law or a role changes a side's strength in this riot."""

    side: Side
    change: Annotated[int, Meta(ge=-6, le=6)]


class NoMore(Action, frozen=True, tag="no_more"):
    """Beside the box: the region's deck is at its end, or the riot pool is empty."""


class Swing(Action, frozen=True, tag="swing"):
    """Beside the box: the number of the printed riot table."""

    change: Annotated[int, Meta(ge=-6, le=6)]


class Discard(Action, frozen=True, tag="discard"):
    """After a riot: discard one of its face-up cards in secret."""

    is_private_action: ClassVar[bool] = True

    card: str


class Refilled(Action, frozen=True, tag="refilled"):
    """Beside the box: whether there were cards enough to refill the hand."""

    enough: bool


ACTIONS: tuple[type[Action], ...] = (
    Reveal, Move, Deploy, Assassinate, Place, Put, Investigate, Awaken, Answer, End, Riot, Stay,
    PickCity, PickRegion, Elect, Troops, Control, Martial, Sympathy, Done, NoEvent, Turn, Strength,
    NoMore, Swing, Discard, Refilled,
)  # fmt: skip


class RoleShown(Struct, frozen=True):
    """A role as its card says it."""

    name: str
    human_text: str
    vampire_text: str
    human_effects: tuple[LastingEffect, ...] = ()
    vampire_effects: tuple[LastingEffect, ...] = ()


class Region(Struct, frozen=True):
    """A region: its name, what it touches, who won the last election in it, and the law that holds
    in it; beside the box the law itself lies on the table.
    """

    name: str
    adjacent: tuple[str, ...]
    elected: Side | None = None
    law: Law | None = None


class City(Struct, frozen=True):
    """A city as it lies on the board."""

    name: str
    region: str
    human: int = 0
    vampire: int = 0
    control: Side = "human"
    martial: bool = False

    def troops(self, side: Side) -> int:
        return self.human if side == "human" else self.vampire


class Player(Struct, frozen=True):
    """What everybody knows of a player: where he stands, how many cards he holds (None for real
    ones), whether he is a public vampire, and whether he may still investigate.
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
    """Cards that are to be given: from whom, in this order, and where they go (None: to the
    discards).
    """

    seats: tuple[Seat, ...]
    to: str | None
    city: str | None = None


class Question(Struct, frozen=True):
    """With real faction cards: who is asked whether he is the Vampire, or Infected."""

    seat: Seat
    target: Seat
    what: Literal["investigate", "awaken"]
    rallying: bool = False


class RiotSeen(Struct, frozen=True):
    """A riot as it was turned: each card with the troops that it removed, none for one that stays
    up; by how much laws that people typed change strengths; what came of it.
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


class Public(Struct, frozen=True):
    """What everybody knows. Mappings are never changed in place."""

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
    to_type: tuple[str, ...] = ()
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
    def in_box(self) -> bool:
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
    """What a seat alone knows: its faction and its cards."""

    faction: Faction
    cards: tuple[str, ...] = ()


class Piles(Struct, frozen=True):
    """What lies face down, and the cards that are known and gone: `laws` beneath each top law,
    `events` after Soon.
    """

    deck: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()
    regions: Mapping[str, tuple[str, ...]] = {}
    events: tuple[EventCard, ...] = ()
    laws: Mapping[str, tuple[Law, ...]] = {}


class Hidden(Struct, frozen=True):
    """What nobody knows: how the game was set up, and the piles."""

    setup: Setup
    content: Cards | None
    piles: Piles
