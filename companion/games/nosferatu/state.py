"""Define the state of a game; nothing is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from companion.core.game import Outcome, Seat
from companion.core.placement import Cell, Pawn
from companion.games.nosferatu.options import FIELD, LETTERS, VAMPIRES, VILLAGERS, Options


class Public(Struct, frozen=True, dict=True):
    """The public state; there is no other. Mappings are never changed in place.

    pieces: the cell of each piece
    hands: the pieces still to be entered
    chain: the piece that must continue its capture
    entered: whether any piece was ever entered
    passes: the number of passes in a row
    seen: how often each position began a turn since the last capture or entering
    taken: the pieces that left the board, in their order
    turned: the villagers that became vampires, in their order
    """

    options: Options
    pieces: Mapping[Pawn, Cell]
    hands: Mapping[Seat, tuple[Pawn, ...]]
    to_move: Seat | None = None
    chain: Pawn | None = None
    entered: bool = False
    passes: int = 0
    seen: Mapping[str, int] = {}
    turns: int = 0
    taken: tuple[Pawn, ...] = ()
    turned: tuple[Pawn, ...] = ()
    outcome: Outcome | None = None

    @cached_property
    def standing(self) -> dict[Cell, Pawn]:
        """The piece on each occupied cell."""
        return {cell: pawn for pawn, cell in self.pieces.items()}

    @cached_property
    def rows(self) -> str:
        """The position in text form, row by row."""
        return "".join(
            LETTERS[self.standing[cell][0]] if cell in self.standing else "."
            for cell in FIELD.cells
        )


def side(pawn: Pawn) -> Seat:
    """Return the seat that owns a piece."""
    return VILLAGERS if pawn[0] == "m" else VAMPIRES


def other(seat: Seat) -> Seat:
    """Return the seat on the other side."""
    return VAMPIRES if seat == VILLAGERS else VILLAGERS
