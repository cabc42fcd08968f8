"""Decode a presence board's snapshots, ignoring cells that flicker."""

from __future__ import annotations

from collections import deque

from companion.core.placement import Cell
from companion.sensors.observation import Observation

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


BITS = 40


def presence_bits(occupied: frozenset[int]) -> bytes:
    """Return the 5 bytes in which bit 7 of the first is cell 0."""
    return sum(1 << (BITS - 1 - cell) for cell in occupied).to_bytes(BITS // 8, "big")


def occupied_cells(bits: bytes) -> frozenset[int]:
    """Return the indices of the cells that the 5 bytes call occupied."""
    value = int.from_bytes(bits, "big")
    return frozenset(cell for cell in range(BITS) if value >> (BITS - 1 - cell) & 1)


class PresenceDecoder:
    """The snapshots of one board with these cells, in the board's order. Time is handed in."""

    def __init__(self, source: str, cells: tuple[Cell, ...], quarantine: FlickerFilter) -> None:
        self.cells = cells
        self.bits: bytes | None = None
        self._source = source
        self._quarantine = quarantine
        self._based = False

    @property
    def based(self) -> bool:
        """Whether two snapshots have agreed since the start."""
        return self._based

    def raw(self) -> dict[Cell, bool]:
        """Return what the last snapshot said of each cell, believed or not; nothing before the
        first.
        """
        on = frozenset() if self.bits is None else occupied_cells(self.bits)
        return {} if self.bits is None else {cell: i in on for i, cell in enumerate(self.cells)}

    def hint(self, cell: int, on: bool, now: float) -> None:
        """Note an event of a cell: no picture, but it counts as a change."""
        if cell < len(self.cells):
            self._quarantine.saw(cell, on, now)

    def snapshot(self, bits: bytes, now: float) -> Observation | None:
        """Take a snapshot; return what is seen, None until two have agreed in all cells that are
        believed.
        """
        on = occupied_cells(bits)
        for cell in range(len(self.cells)):
            self._quarantine.saw(cell, cell in on, now)
        doubtful = self._quarantine.cells(now)
        before = None if self.bits is None else occupied_cells(self.bits) - doubtful
        self.bits = bits
        self._based = self._based or before == on - doubtful
        return self._observation(on, doubtful, now) if self._based else None

    def _observation(self, on: frozenset[int], doubtful: frozenset[int], now: float) -> Observation:
        return Observation(
            self._source, now, occupied=self._named(on - doubtful), unknown=self._named(doubtful)
        )

    def _named(self, cells: frozenset[int]) -> frozenset[Cell]:
        return frozenset(self.cells[cell] for cell in cells if cell < len(self.cells))
