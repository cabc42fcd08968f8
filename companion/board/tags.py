"""From a tag's strengths on crossed loops to its cell and the turn of its tile.

A loop also hears tags in the neighbour row and is deaf just over its own wire, so "it answered on loop i"
is not "it lies in row i": only the strengths of the same tag on several loops are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.board.message import LOOPS
from companion.core.grid import cell_name
from companion.core.placement import Cell, Pawn

CELLS_A_SIDE = 6
ROW_LOOPS = range(0, 6)
"""Loops centred on the rows; 6 to 12 are centred on the rows' borders."""
COLUMN_LOOPS = range(13, 19)
"""Loops centred on the columns; 19 to 25 are centred on the columns' borders."""
_AXIS = LOOPS // 2
_TURNS = {(0, 0): 0, (0, 1): 90, (1, 1): 180, (1, 0): 270}


@dataclass(frozen=True)
class PawnTag:
    """A tag that sits under a pawn."""

    pawn: Pawn


@dataclass(frozen=True)
class TileTag:
    """A tag that sits under a tile, in the quadrant that is upper left when the tile is upright."""

    number: int


@dataclass(frozen=True)
class TokenTag:
    """A tag that sits under a token ("bullet", "bat")."""

    kind: str


Thing = PawnTag | TileTag | TokenTag


@dataclass(frozen=True)
class TagPlace:
    """Where a tag is: its cell, None if undecided; `near` the cells it may be on; `turn` of a tile lying so."""

    cell: Cell | None
    near: frozenset[Cell]
    turn: int | None = None


def decode_strengths(strengths: Sequence[float], gains: Sequence[float] = ()) -> TagPlace:
    """Return where a tag with these 26 strengths is; `gains` are the loops' corrections, in the same steps."""
    tuned = [s + gain if s else 0.0 for s, gain in zip(strengths, gains or [0.0] * LOOPS, strict=True)]
    rows, row_half = _decode_axis(tuned[:_AXIS])
    columns, column_half = _decode_axis(tuned[_AXIS:])
    near = frozenset(cell_name(column, row) for row in rows for column in columns)
    if len(near) != 1:
        return TagPlace(None, near)
    turn = None if row_half is None or column_half is None else _TURNS[row_half, column_half]
    return TagPlace(next(iter(near)), near, turn)


def place_of(latest: Sequence[int], previous: Sequence[int] | None = None, gains: Sequence[float] = ()) -> TagPlace:
    """Return where a tag is by its last two scans: the latest alone if it moved, else the two taken together."""
    now = decode_strengths(latest, gains)
    if previous is None:
        return now
    before = decode_strengths(previous, gains)
    if not now.near & before.near:
        return now
    both = decode_strengths([a + b for a, b in zip(latest, previous, strict=True)], [2 * gain for gain in gains])
    if now.cell is None:
        return before if before.cell is not None else both
    return both if now.turn is None and both.cell == now.cell else now


def loop_cells(loop: int) -> frozenset[Cell]:
    """Return the cells that cannot be decided while this loop is broken; none for a loop on a border."""
    if loop in ROW_LOOPS:
        return frozenset(cell_name(column, loop) for column in range(CELLS_A_SIDE))
    if loop in COLUMN_LOOPS:
        return frozenset(cell_name(loop - COLUMN_LOOPS.start, row) for row in range(CELLS_A_SIDE))
    return frozenset()


def _decode_axis(strengths: Sequence[float]) -> tuple[Sequence[int], int | None]:
    """Return the possible cells along one axis and, if there is one only, the half of it (0 upper or left)."""
    centred, borders = strengths[:CELLS_A_SIDE], strengths[CELLS_A_SIDE:]
    best = max(centred)
    if not best:
        return _beside(borders), None
    cells = [i for i, strength in enumerate(centred) if strength == best]
    first, second = borders[cells[0]], borders[cells[0] + 1]
    half = None if len(cells) > 1 or first == second else int(first < second)
    return cells, half


def _beside(borders: Sequence[float]) -> Sequence[int]:
    """Return the cells along one axis beside the border that hears a tag best; every cell if none hears it."""
    best = max(borders)
    loudest = [i for i, strength in enumerate(borders) if strength == best] if best else range(CELLS_A_SIDE + 1)
    return sorted({cell for i in loudest for cell in (i - 1, i) if 0 <= cell < CELLS_A_SIDE})
