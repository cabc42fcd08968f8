"""Count the ways of escape that pawns leave open."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from companion.core.placement import Cell
from companion.games.manhunt.board import Board

AHEAD = 4
"""The search depth in turns of the fugitive."""


def covered(board: Board, pawns: Iterable[Cell]) -> Sequence[int]:
    """Return, for each turn ahead, the mask of the places that a pawn can reach before it."""
    moves, cells = board.rules.hunter_moves, set(pawns)
    masks = [0] * AHEAD
    for turn in range(AHEAD):
        for cell in cells:
            masks[turn] |= board.within(cell, turn * moves)
    return masks


def open_ways(board: Board, cell: Cell, barred: Sequence[int]) -> float:
    """Return the sum, over the turns ahead, of log2(1 + n): n is the number of places that the
    fugitive reaches from a place without entering the turn's `barred` places.
    """
    reached, count = 1 << board.index[cell], 0.0
    for mask in barred:
        reached = board.spread(reached, None) & ~mask
        if not reached:
            break
        count += math.log2(1 + reached.bit_count())
    return count
