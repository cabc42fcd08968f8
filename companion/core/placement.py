"""What lies on a table: pawns and tokens by cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NewType

from msgspec import Struct

Cell = NewType("Cell", str)
Pawn = NewType("Pawn", str)


class Placement(Struct, frozen=True):
    """What the table should look like now. Cells that hold nothing are not named.

    `pawns` maps a cell to the pawns that stand on it, `tokens` a cell to the kind of the token
    that lies there ("bullet", "bat").
    """

    pawns: Mapping[Cell, frozenset[Pawn]] = {}
    tokens: Mapping[Cell, str] = {}

    @property
    def occupied(self) -> frozenset[Cell]:
        """The cells with at least one pawn: all that a presence board can see."""
        return frozenset(cell for cell, pawns in self.pawns.items() if pawns)
