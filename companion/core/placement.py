"""Describe pawns, tokens and tiles on a table, by cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NewType

from msgspec import Struct

Cell = NewType("Cell", str)
Pawn = NewType("Pawn", str)


class Tile(Struct, frozen=True):
    """A printed tile.

    turn: the clockwise angle (0, 90, 180, 270) from upright seen from above, None if unknown
    """

    number: int
    turn: int | None = None


class Placement(Struct, frozen=True):
    """The expected position. Empty cells are not named.

    pawns: the pawns on each cell
    tokens: the kind of the token on each cell ("bullet", "bat")
    field: all cells of the game; a board without them is not one for this game
    enterable: the pawns of the box that may come onto the table now
    """

    pawns: Mapping[Cell, frozenset[Pawn]] = {}
    tokens: Mapping[Cell, str] = {}
    field: frozenset[Cell] = frozenset()
    enterable: frozenset[Pawn] = frozenset()

    @property
    def occupied(self) -> frozenset[Cell]:
        """The cells with at least one pawn, as a presence board reports them."""
        return frozenset(cell for cell, pawns in self.pawns.items() if pawns)


class PositionEdit(Struct, frozen=True, forbid_unknown_fields=True):
    """The difference of the real position from the expected one, as people state it.

    pawns: the cells of these pawns
    tokens: the kind of the token on these cells, None for no token
    """

    pawns: Mapping[Pawn, Cell] = {}
    tokens: Mapping[Cell, str | None] = {}


class Inventory(Struct, frozen=True):
    """A box's pieces: pawns, the number of tokens of each kind, and of tiles, numbered from 1."""

    pawns: tuple[Pawn, ...] = ()
    tokens: Mapping[str, int] = {}
    tiles: int = 0
