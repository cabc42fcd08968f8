"""Actions of a seat."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from companion.core.game import Action, DisclosingAction, Seat, tagged_types
from companion.games.vwars.content import Side


class Reveal(DisclosingAction, frozen=True, tag="reveal"):
    """Go public as the Vampire, before the first action of one's own turn or after a vampire
    rally.
    """


class Move(Action, frozen=True, tag="move"):
    """Go to a city in one's own or an adjacent region."""

    city: str


class Deploy(Action, frozen=True, tag="deploy"):
    """Put a troop of the apparent faction into a city of one's own region; a card is discarded
    next.
    """

    city: str


class Assassinate(Action, frozen=True, tag="assassinate"):
    """Remove an enemy troop in one's own city."""


class Place(Action, frozen=True, tag="place", omit_defaults=True):
    """Add a card to one's own region's deck or to the riot pool. Another player of the apparent
    faction adds one too.
    """

    to: Literal["region", "pool"]
    partner: Seat | None = None


class Put(Action, frozen=True, tag="put"):
    """Give a card that the game asked for."""

    is_private_action: ClassVar[bool] = True

    card: str


class Investigate(DisclosingAction, frozen=True, tag="investigate"):
    """Name a player as the Vampire."""

    target: Seat


class Awaken(DisclosingAction, frozen=True, tag="awaken"):
    """Ask a player in the same city to join (a public vampire)."""

    target: Seat


class Answer(Action, frozen=True, tag="answer"):
    """With real faction cards: answer whether one's own card is the one asked for."""

    yes: bool


class End(Action, frozen=True, tag="end"):
    """End the actions; the event is next."""


class Riot(DisclosingAction, frozen=True, tag="riot"):
    """Begin the riot in the Now card's city."""


class Stay(Action, frozen=True, tag="stay"):
    """After a vampire rally: do nothing."""


class PickCity(Action, frozen=True, tag="pick_city"):
    """Choose a city: an event's, the subject of a typed change, or one of the set-up."""

    city: str


class PickRegion(Action, frozen=True, tag="pick_region"):
    """Choose an event's region, or that of a typed election."""

    region: str


class Elect(Action, frozen=True, tag="elect"):
    """Report who won an election."""

    side: Side


class Troops(Action, frozen=True, tag="troops"):
    """Report by how much a side's troops change in the picked city."""

    side: Side
    change: Annotated[int, Meta(ge=-6, le=6)]


class Control(Action, frozen=True, tag="control"):
    """Report who now controls the picked city."""

    side: Side


class Martial(Action, frozen=True, tag="martial"):
    """Report that martial law begins or ends in the picked city."""

    holds: bool


class Sympathy(Action, frozen=True, tag="sympathy"):
    """Report by how much the sympathy changes."""

    change: Annotated[int, Meta(ge=-6, le=6)]


class Done(Action, frozen=True, tag="done"):
    """Report no more."""


class NoEvent(Action, frozen=True, tag="no_event"):
    """With real cards: report that no event card is left."""


class Turn(Action, frozen=True, tag="turn"):
    """With real cards: report a card of the riot, its colour and its number."""

    side: Side
    value: Annotated[int, Meta(ge=1, le=9)]


class Strength(Action, frozen=True, tag="strength"):
    """With real cards: report that a law or a role changes a side's strength in this riot."""

    side: Side
    change: Annotated[int, Meta(ge=-6, le=6)]


class NoMore(Action, frozen=True, tag="no_more"):
    """With real cards: report that the region's deck, or the riot pool, is empty."""


class Swing(Action, frozen=True, tag="swing"):
    """With real cards: report the number of the printed riot table."""

    change: Annotated[int, Meta(ge=-6, le=6)]


class Discard(Action, frozen=True, tag="discard"):
    """After a riot: discard one of its face-up cards in secret."""

    is_private_action: ClassVar[bool] = True

    card: str


class Refilled(Action, frozen=True, tag="refilled"):
    """With real cards: report whether the hand could be refilled."""

    enough: bool


EventChange = PickCity | PickRegion | Troops | Control | Martial | Sympathy
"""A change by an event that people type."""

ACTIONS = tagged_types(Action, globals())
