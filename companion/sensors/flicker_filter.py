"""Cells whose contact cannot be believed: flickering, or set aside by a person."""

from __future__ import annotations

from collections import deque

MAX_CHANGES = 6
CHANGE_WINDOW = 10.0
CALM_TIME = 60.0
"""A flickering cell is believed again after so many seconds without a change."""


class FlickerFilter:
    """Counts the changes of each cell, by its index. Time is handed in, in seconds."""

    def __init__(self) -> None:
        self._on: dict[int, bool] = {}
        self._changes: dict[int, deque[float]] = {}
        self._flickering: set[int] = set()
        self._set_aside: frozenset[int] = frozenset()

    def saw(self, cell: int, on: bool, now: float) -> None:
        """Note what a cell says now; more than 6 changes within 10 s and it is set aside."""
        if self._on.setdefault(cell, on) == on:
            return
        self._on[cell] = on
        changes = self._changes.setdefault(cell, deque(maxlen=MAX_CHANGES + 1))
        changes.append(now)
        if len(changes) > MAX_CHANGES and now - changes[0] <= CHANGE_WINDOW:
            self._flickering.add(cell)

    def set_aside(self, cells: frozenset[int]) -> None:
        """Believe these cells no more, whatever they say (stuck ones, named by a person), and all
        others again.
        """
        self._set_aside = cells

    def cells(self, now: float) -> frozenset[int]:
        """Return the cells not to be believed now."""
        self._flickering = {
            cell for cell in self._flickering if now - self._changes[cell][-1] < CALM_TIME
        }
        return self._set_aside | self._flickering
