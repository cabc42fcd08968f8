"""What the table may show those who want help: how likely the vampire is on each tile, from public
events alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import PublicEvent
from companion.core.placement import Cell
from companion.games.vampireradar.bots.bitboard import CELLS
from companion.games.vampireradar.bots.posterior import Hunch, Weights
from companion.locks import Level, make_lock

GAME = "vampireradar"
WHOLE = 1000
"""Shares are told in thousandths."""


def odds(weights: Weights) -> dict[Cell, int]:
    """Return the share of each possible tile in thousandths, in board order; a possible tile has 1
    at least.
    """
    return {CELLS[tile]: max(1, round(WHOLE * weights[tile])) for tile in sorted(weights)}


class Aid:
    """The odds of the game at the table. What was folded of it is kept, so that each event is
    folded once; may be asked from several threads.
    """

    def __init__(self) -> None:
        self._lock = make_lock(Level.BOT_AID)
        self._hunch = Hunch()
        self._folded: list[PublicEvent] = []

    def likely(self, game: str, told: Sequence[PublicEvent]) -> dict[Cell, int]:
        """Return the odds that the public events of a game, all of them in order, leave; none
        before the vampire has hidden, nor in a game without one.
        """
        if game != GAME:
            return {}
        with self._lock:
            if self._folded != told[: len(self._folded)]:
                # Something was taken back, or another game is played.
                self._hunch, self._folded = Hunch(), []
            for event in told[len(self._folded) :]:
                self._folded.append(event)
                self._hunch.hear(event)
            return odds(self._hunch.weights)
