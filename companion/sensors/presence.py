"""Name the cells of a board that flicker."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from companion.core.placement import Cell

MAX_CHANGES = 6
CHANGE_WINDOW = 10.0
CALM_TIME = 60.0
"""Seconds without a change after which a flickering cell is trusted again."""


class FlickerFilter:
    """Counts the changes of each cell, and names the cells to ignore."""

    def __init__(self) -> None:
        self._occupied: frozenset[Cell] | None = None
        self._changes: dict[Cell, deque[float]] = {}
        self._flickering: set[Cell] = set()

    def record(self, occupied: Iterable[Cell], now: float) -> None:
        """Record the occupied cells; a cell with more than 6 changes within 10 s flickers."""
        before, self._occupied = self._occupied, frozenset(occupied)
        for cell in frozenset() if before is None else before ^ self._occupied:
            changes = self._changes.setdefault(cell, deque(maxlen=MAX_CHANGES + 1))
            changes.append(now)
            if len(changes) > MAX_CHANGES and now - changes[0] <= CHANGE_WINDOW:
                self._flickering.add(cell)

    def cells(self, now: float) -> frozenset[Cell]:
        """Return the cells to ignore at `now`."""
        self._flickering = {
            cell for cell in self._flickering if now - self._changes[cell][-1] < CALM_TIME
        }
        return frozenset(self._flickering)
