"""Actions of a seat."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from companion.core.game import Action, Seat
from companion.games.vwars.content import Side


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
