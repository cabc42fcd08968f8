"""Compute the odds of the fugitive's place from public events alone."""

from __future__ import annotations

from companion.core.capabilities import Hints
from companion.core.game import PublicEvent
from companion.core.placement import Cell
from companion.games.manhunt.belief import Belief

WHOLE = 1000
"""The unit of shares."""


def odds(cells: tuple[Cell, ...]) -> dict[Cell, int]:
    """Return the share of each possible place in thousandths: all alike, at least 1 each."""
    return dict.fromkeys(cells, max(1, round(WHOLE / len(cells)))) if cells else {}


class PlaceHints(Hints):
    """Odds from public events; none before the fugitive has hidden."""

    def __init__(self) -> None:
        self._belief = Belief()

    def observe(self, event: PublicEvent) -> None:
        self._belief.observe(event)

    def odds(self) -> dict[Cell, int]:
        return odds(self._belief.cells)
