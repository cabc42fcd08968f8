"""Actions of a seat."""

from __future__ import annotations

from companion.core.game import Action, tagged_types
from companion.core.placement import Cell, Pawn


class Enter(Action, frozen=True, tag="enter"):
    """Put a piece from the hand onto an empty cell where it is not open to immediate attack."""

    pawn: Pawn
    to: Cell


class Move(Action, frozen=True, tag="move"):
    """Move a piece one step; Nosferatu any distance through empty cells."""

    pawn: Pawn
    to: Cell


class Jump(Action, frozen=True, tag="jump", omit_defaults=True):
    """Make one jump of a capture.

    `convert`: Nosferatu turns the villager into a vampire instead of removing it.
    """

    pawn: Pawn
    to: Cell
    convert: bool = False


class Pass(Action, frozen=True, tag="pass"):
    """Do nothing; legal only when nothing else is."""


PASS = Pass()


ACTIONS = tagged_types(Action, globals())
