"""Pawns, tokens and tiles on a table, by cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NewType

from msgspec import Struct

Cell = NewType("Cell", str)
Pawn = NewType("Pawn", str)


class Tile(Struct, frozen=True):
    """A printed tile: its number and its `turn`, the clockwise angle (0, 90, 180, 270) from upright
    as seen from above, None where nobody can tell.
    """

    number: int
    turn: int | None = None


class Placement(Struct, frozen=True):
    """What the table should look like now. Cells that hold nothing are not named.

    `pawns` maps a cell to the pawns that stand on it, `tokens` a cell to the kind of the token that
    lies there ("bullet", "bat"). `field` are all cells there are: a board without them is no board
    of this game. `enterable` are pawns of the box that may come onto the table now.
    """

    pawns: Mapping[Cell, frozenset[Pawn]] = {}
    tokens: Mapping[Cell, str] = {}
    field: frozenset[Cell] = frozenset()
    enterable: frozenset[Pawn] = frozenset()

    @property
    def occupied(self) -> frozenset[Cell]:
        """The cells with at least one pawn: all that a presence board can see."""
        return frozenset(cell for cell, pawns in self.pawns.items() if pawns)


class PositionEdit(Struct, frozen=True, forbid_unknown_fields=True):
    """What people say the table looks like where it is not as it should be.

    `pawns` stand on these cells; on a cell of `tokens` lies a token of that kind, or none at all.
    """

    pawns: Mapping[Pawn, Cell] = {}
    tokens: Mapping[Cell, str | None] = {}


class Inventory(Struct, frozen=True):
    """What a game's box holds that may lie on the table: pawns by name, so many tokens of each
    kind, and tiles with the numbers from 1 on.
    """

    pawns: tuple[Pawn, ...] = ()
    tokens: Mapping[str, int] = {}
    tiles: int = 0
