"""Taps on the table display: a person's statement of where a pawn stands, which needs no
settling.
"""

from __future__ import annotations

from typing import ClassVar

from companion.core.game import GameError
from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.observation import Observation


class BoardRefused(GameError, ValueError):
    """Error raised when what a person tells the board reader cannot be done."""

    code: ClassVar[str] = "board_refused"


def touch_observation(placement: Placement, pawn: Pawn, cell: Cell, at: float) -> Observation:
    """Return the table as it should look but for `pawn`, which stands on `cell`; raise
    `BoardRefused`.
    """
    if not any(pawn in pawns for pawns in placement.pawns.values()):
        raise BoardRefused("board_no_such_pawn", pawn=pawn)
    pawns = {where: others - {pawn} for where, others in placement.pawns.items() if others - {pawn}}
    pawns[cell] = pawns.get(cell, frozenset()) | {pawn}
    return Observation(source="touch", at=at, pawns=pawns)
