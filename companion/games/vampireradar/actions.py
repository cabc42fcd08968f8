"""Actions of a seat."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.core.game import Action, DisclosingAction, tagged_types
from companion.core.grid import Direction
from companion.core.placement import Cell, Pawn


class Place(Action, frozen=True, tag="place"):
    """Choose where the vampire begins."""

    cell: Cell


class Walk(Action, frozen=True, tag="walk", kw_only=True, omit_defaults=True):
    """One orthogonal step of a pawn, or of the vampire (no pawn)."""

    pawn: Pawn | None = None
    to: Cell


class Attack(Action, frozen=True, tag="attack"):
    """Remove every pawn of the vampire's own or an unwalled neighbour tile and stand there."""

    to: Cell


class Heal(Action, frozen=True, tag="heal"):
    """Eat the bat of the vampire's own or an unwalled neighbour tile and stand there."""

    to: Cell


class TakeBullet(Action, frozen=True, tag="take_bullet"):
    """Pick up a bullet token with a pawn that has just landed on it."""

    pawn: Pawn


class CallRadar(DisclosingAction, frozen=True, tag="call_radar"):
    """Ask with a pawn that has just landed on a radar how far the vampire is."""

    pawn: Pawn


class Shoot(DisclosingAction, frozen=True, tag="shoot"):
    """Fire one bullet of the pawn's owner along a line."""

    pawn: Pawn
    direction: Direction


class End(Action, frozen=True, tag="end"):
    """End the turn; always explicit."""


class Hide(Action, frozen=True, tag="hide"):
    """On paper: the vampire has written down where it begins."""


class AnswerRadar(Action, frozen=True, tag="answer_radar"):
    """On paper: answer the radar."""

    distance: Annotated[int, Meta(ge=0, le=10)]


class AnswerShot(Action, frozen=True, tag="answer_shot"):
    """On paper: groan, or keep silent."""

    hit: bool


END = End()
ONLY_END: tuple[Action, ...] = (END,)
HIDE = Hide()
PLACES: tuple[Place, ...] = tuple(
    Place(Cell(f"{column}{row}")) for row in range(2, 6) for column in "BCDE"
)


ACTIONS = tagged_types(Action, globals())
