"""Count the fugitive's ways that pawns leave open."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from companion.core.placement import Cell
from companion.games.manhunt.board import Board

AHEAD = 4
"""Turns of the fugitive that are looked ahead."""


def covered(board: Board, pawns: Iterable[Cell]) -> Sequence[int]:
    """Return for each turn ahead the mask of the places where a pawn can be before it."""
    moves, cells = board.rules.hunter_moves, set(pawns)
    found = [0] * AHEAD
    for turn in range(AHEAD):
        for cell in cells:
            found[turn] |= board.within(cell, turn * moves)
    return found


def open_ways(board: Board, cell: Cell, barred: Sequence[int]) -> float:
    """Return of each turn ahead the doublings of the places that the fugitive reaches from a place
    without a place of `barred`.
    """
    reached, count = 1 << board.index[cell], 0.0
    for mask in barred:
        reached = board.spread(reached, None) & ~mask
        if not reached:
            break
        count += math.log2(1 + reached.bit_count())
    return count
