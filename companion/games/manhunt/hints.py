"""Compute the odds of the fugitive's place, and a suggestion, from public events alone."""

from __future__ import annotations

from companion.core.capabilities import Hints, Suggestion
from companion.core.game import PublicEvent
from companion.core.placement import Cell
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.bots.likelihood import Likelihood
from companion.games.manhunt.suggestions import suggest

WHOLE = 1000
"""The unit of shares."""


def odds(cells: tuple[Cell, ...]) -> dict[Cell, int]:
    """Return the share of each possible place in thousandths: equal shares, at least 1 each."""
    return dict.fromkeys(cells, max(1, round(WHOLE / len(cells)))) if cells else {}


class FugitiveHints(Hints):
    """Odds and suggestions from public events; none before the fugitive has hidden."""

    def __init__(self) -> None:
        self._belief, self._likelihood = Belief(), Likelihood()

    def observe(self, event: PublicEvent) -> None:
        before = self._belief.public
        self._belief.observe(event)
        self._likelihood.observe(before, event, self._belief)

    def odds(self) -> dict[Cell, int]:
        return odds(self._belief.cells)

    def suggest(self) -> Suggestion | None:
        return suggest(self._belief, self._likelihood.weights)
