"""Actions of a seat."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from companion.core.game import Action, Seat
from companion.games.shisogari.cards import Colour


class ChooseColour(Action, frozen=True, tag="choose_colour"):
    """Take the last card of the deal from the backs of this colour."""

    discloses: ClassVar[bool] = True

    colour: Colour


class Take(Action, frozen=True, tag="take"):
    """A: take from a partner; an item is named next, then a back of his is picked."""

    partner: Seat


class Give(Action, frozen=True, tag="give"):
    """B: give to a partner; an item is named next, then he picks one of the giver's backs."""

    partner: Seat


class Name(Action, frozen=True, tag="name"):
    """Name an item of a colour that one holds."""

    item: str


class Pick(Action, frozen=True, tag="pick"):
    """Pick a back, counted from 1, white ones first; what lies behind those of a colour is shuffled
    for each pick.
    """

    discloses: ClassVar[bool] = True

    back: int


class Lay(Action, frozen=True, tag="lay"):
    """Lay the picked card with this card of the own hand."""

    card: str


class Keep(Action, frozen=True, tag="keep"):
    """Put the picked card into the hand."""


class Accuse(Action, frozen=True, tag="accuse"):
    """C: a Hunter determines who the Vampire is; all cards are shown."""

    discloses: ClassVar[bool] = True

    suspect: Seat


class Pass(Action, frozen=True, tag="pass"):
    """Nobody is there to take from or to give to, and no Hunter's card to show."""


class Report(Action, frozen=True, tag="report", omit_defaults=True):
    """With real cards: what became of the picked card; of a face-down pair its colour."""

    laid: Literal["up", "down", "none"]
    colour: Colour | None = None


class Count(Action, frozen=True, tag="count"):
    """With real cards: what all cards show after an accusation."""

    pairs: Annotated[int, Meta(ge=0, le=6)]
    hunters: Annotated[int, Meta(ge=0, le=4)]
    is_vampire: bool


KEEP, PASS = Keep(), Pass()


ACTIONS: tuple[type[Action], ...] = (
    ChooseColour,
    Take,
    Give,
    Name,
    Pick,
    Lay,
    Keep,
    Accuse,
    Pass,
    Report,
    Count,
)
