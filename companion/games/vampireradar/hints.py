"""Compute the odds of the vampire's tile, and a suggestion, from public events alone."""

from __future__ import annotations

from companion.core.capabilities import Hints, Suggestion
from companion.core.game import PublicEvent
from companion.core.placement import Cell
from companion.games.vampireradar.bots.bitboard import CELLS
from companion.games.vampireradar.bots.posterior import PosteriorBelief, Weights
from companion.games.vampireradar.suggestions import suggest

WHOLE = 1000
"""The unit of shares."""


def odds(weights: Weights) -> dict[Cell, int]:
    """Return the share of each possible tile in thousandths, in board order, at least 1 each."""
    return {CELLS[tile]: max(1, round(WHOLE * weights[tile])) for tile in sorted(weights)}


class VampireHints(Hints):
    """Odds and suggestions from public events; none before the vampire has hidden."""

    def __init__(self) -> None:
        self._posterior = PosteriorBelief()

    def observe(self, event: PublicEvent) -> None:
        self._posterior.observe(event)

    def odds(self) -> dict[Cell, int]:
        return odds(self._posterior.weights)

    def suggest(self) -> Suggestion | None:
        return suggest(self._posterior)
