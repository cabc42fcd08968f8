"""Decode a presence board's snapshots, ignoring cells that flicker."""

from __future__ import annotations

from collections import deque

from companion.core.placement import Cell
from companion.sensors.observation import Observation

MAX_CHANGES = 6
CHANGE_WINDOW = 10.0
CALM_TIME = 60.0
"""Seconds without a change after which a flickering cell is trusted again."""


class FlickerFilter:
    """Counts the changes of each cell (by index) and names the cells to ignore."""

    def __init__(self) -> None:
        self._on: dict[int, bool] = {}
        self._changes: dict[int, deque[float]] = {}
        self._flickering: set[int] = set()
        self._set_aside: frozenset[int] = frozenset()

    def record(self, cell: int, on: bool, now: float) -> None:
        """Record a cell's contact; a cell with more than 6 changes within 10 s flickers."""
        if self._on.setdefault(cell, on) == on:
            return
        self._on[cell] = on
        changes = self._changes.setdefault(cell, deque(maxlen=MAX_CHANGES + 1))
        changes.append(now)
        if len(changes) > MAX_CHANGES and now - changes[0] <= CHANGE_WINDOW:
            self._flickering.add(cell)

    def set_aside(self, cells: frozenset[int]) -> None:
        """Ignore these stuck cells, named by a person, and no others."""
        self._set_aside = cells

    def cells(self, now: float) -> frozenset[int]:
        """Return the cells to ignore at `now`."""
        self._flickering = {
            cell for cell in self._flickering if now - self._changes[cell][-1] < CALM_TIME
        }
        return self._set_aside | self._flickering


BITS = 40


def presence_bits(occupied: frozenset[int]) -> bytes:
    """Return the 5 bytes of a snapshot; bit 7 of the first byte is cell 0."""
    return sum(1 << (BITS - 1 - cell) for cell in occupied).to_bytes(BITS // 8, "big")


def occupied_cells(bits: bytes) -> frozenset[int]:
    """Return the indices of the occupied cells of a snapshot's 5 bytes."""
    value = int.from_bytes(bits, "big")
    return frozenset(cell for cell in range(BITS) if value >> (BITS - 1 - cell) & 1)


class PresenceDecoder:
    """Decodes the snapshots of one board; `cells` are in the board's order."""

    def __init__(self, source: str, cells: tuple[Cell, ...], flicker_filter: FlickerFilter) -> None:
        self.cells = cells
        self.bits: bytes | None = None
        self._source = source
        self._flicker_filter = flicker_filter
        self._has_baseline = False

    def raw(self) -> dict[Cell, bool]:
        """Return each cell's contact in the last snapshot, empty before the first."""
        on = frozenset() if self.bits is None else occupied_cells(self.bits)
        return {} if self.bits is None else {cell: i in on for i, cell in enumerate(self.cells)}

    def take_cell_event(self, cell: int, on: bool, now: float) -> None:
        """Record a cell's event: no observation, but it counts as a change."""
        if cell < len(self.cells):
            self._flicker_filter.record(cell, on, now)

    def snapshot(self, bits: bytes, now: float) -> Observation | None:
        """Decode a snapshot; return None until two have agreed in all trusted cells."""
        on = occupied_cells(bits)
        for cell in range(len(self.cells)):
            self._flicker_filter.record(cell, cell in on, now)
        doubtful = self._flicker_filter.cells(now)
        before = None if self.bits is None else occupied_cells(self.bits) - doubtful
        self.bits = bits
        self._has_baseline = self._has_baseline or before == on - doubtful
        return self._observation(on, doubtful, now) if self._has_baseline else None

    def _observation(self, on: frozenset[int], doubtful: frozenset[int], now: float) -> Observation:
        return Observation(
            self._source, now, occupied=self._named(on - doubtful), unknown=self._named(doubtful)
        )

    def _named(self, cells: frozenset[int]) -> frozenset[Cell]:
        return frozenset(self.cells[cell] for cell in cells if cell < len(self.cells))
