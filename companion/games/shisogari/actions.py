"""Actions of a seat."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.core.game import Action, DisclosingAction, Seat, tagged_types
from companion.games.shisogari.cards import Colour


class ChooseColour(DisclosingAction, frozen=True, tag="choose_colour"):
    """Take the last card of the deal from the backs of this colour."""

    colour: Colour


class Take(Action, frozen=True, tag="take"):
    """A: take from a partner; the seat then names an item and picks a back."""

    partner: Seat


class Give(Action, frozen=True, tag="give"):
    """B: give to a partner, who picks a back after the seat names an item."""

    partner: Seat


class Name(Action, frozen=True, tag="name"):
    """Name an item of a colour that the seat holds."""

    item: str


class Pick(DisclosingAction, frozen=True, tag="pick"):
    """Pick a back, counted from 1, white ones first; the cards behind each colour are shuffled for
    each pick.
    """

    back: int


class Lay(Action, frozen=True, tag="lay"):
    """Lay the picked card with this card of one's own hand."""

    card: str


class Keep(Action, frozen=True, tag="keep"):
    """Put the picked card into the hand."""


class Accuse(DisclosingAction, frozen=True, tag="accuse"):
    """C: a Hunter accuses a player of being the Vampire; all cards are shown."""

    suspect: Seat


class Pass(Action, frozen=True, tag="pass"):
    """Do nothing: no partner can be taken from or given to, and the seat has no Hunter's card."""


class Report(Action, frozen=True, tag="report", omit_defaults=True):
    """With real cards: report where the picked card went; of a face-down pair also its colour."""

    laid: Literal["up", "down", "none"]
    colour: Colour | None = None


class Count(Action, frozen=True, tag="count"):
    """With real cards: report what all cards show after an accusation."""

    pairs: Annotated[int, Meta(ge=0, le=6)]
    hunters: Annotated[int, Meta(ge=0, le=4)]
    is_vampire: bool


KEEP, PASS = Keep(), Pass()


ACTIONS = tagged_types(Action, globals())
