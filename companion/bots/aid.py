"""What the table may show those who want help: how likely the vampire is on each tile, from public events alone."""

from __future__ import annotations

from collections.abc import Iterable

from companion.bots.hunch import Hunch, Weights
from companion.bots.terrain import CELLS
from companion.core.game import PublicEvent
from companion.core.placement import Cell

GAME = "vampireradar"
WHOLE = 1000
"""Shares are told in thousandths."""


def odds(weights: Weights) -> dict[Cell, int]:
    """Return the share of each possible tile in thousandths, in board order; a possible tile has 1 at least."""
    return {CELLS[tile]: max(1, round(WHOLE * weights[tile])) for tile in sorted(weights)}


def likely(game: str, told: Iterable[PublicEvent]) -> dict[Cell, int]:
    """Return the odds that the public events of a game leave; none before the vampire has hidden, nor in a game without
    one."""
    hunch = Hunch()
    if game != GAME:
        return {}
    for event in told:
        hunch.hear(event)
    return odds(hunch.weights)
