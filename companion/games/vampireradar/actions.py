"""Actions of a seat."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.core.game import Action
from companion.core.grid import Direction
from companion.core.placement import Cell, Pawn


class Place(Action, frozen=True, tag="place"):
    """The vampire chooses where it begins."""

    cell: Cell


class Walk(Action, frozen=True, tag="walk", kw_only=True, omit_defaults=True):
    """One orthogonal step of a pawn, or of the vampire (no pawn)."""

    pawn: Pawn | None = None
    to: Cell


class Attack(Action, frozen=True, tag="attack"):
    """The vampire removes every pawn of its own or an unwalled neighbour tile and stands there."""

    to: Cell


class Heal(Action, frozen=True, tag="heal"):
    """The vampire eats the bat of its own or an unwalled neighbour tile and stands there."""

    to: Cell


class TakeBullet(Action, frozen=True, tag="take_bullet"):
    """A pawn that has just landed on a bullet token picks it up."""

    pawn: Pawn


class CallRadar(Action, frozen=True, tag="call_radar"):
    """A pawn that has just landed on a radar asks how far the vampire is."""

    discloses = True

    pawn: Pawn


class Shoot(Action, frozen=True, tag="shoot"):
    """A pawn fires one bullet of its owner along a line."""

    discloses = True

    pawn: Pawn
    direction: Direction


class End(Action, frozen=True, tag="end"):
    """The turn is over; always explicit."""


class Hide(Action, frozen=True, tag="hide"):
    """On paper: the vampire has written down where it begins."""


class AnswerRadar(Action, frozen=True, tag="answer_radar"):
    """On paper: what the vampire says to the radar that was called."""

    distance: Annotated[int, Meta(ge=0, le=10)]


class AnswerShot(Action, frozen=True, tag="answer_shot"):
    """On paper: the vampire groans, or keeps silent."""

    hit: bool


END = End()
HIDE = Hide()
PLACES: tuple[Place, ...] = tuple(
    Place(Cell(f"{column}{row}")) for row in range(2, 6) for column in "BCDE"
)


ACTIONS: tuple[type[Action], ...] = (
    Place, Walk, Attack, Heal, TakeBullet, CallRadar, Shoot, End, Hide, AnswerRadar, AnswerShot,
)  # fmt: skip
