"""What a source sees on the table at one moment: the only thing that a sensor, a photo or a tap may say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.placement import Cell, Pawn


@dataclass(frozen=True)
class Tile:
    """A printed tile: its number and its `turn`, the clockwise angle (0, 90, 180, 270) from upright as
    seen from above, None where the source cannot tell."""

    number: int
    turn: int | None = None


@dataclass(frozen=True)
class Observation:
    """The whole of what a source sees now; a field that is None says nothing.

    `at` is monotonic time in seconds, handed in by the caller. Cells that hold nothing are not named.
    `unknown` are cells about which the source makes no claim: stuck, flickering, undecided, covered.
    """

    source: str
    at: float
    pawns: Mapping[Cell, frozenset[Pawn]] | None = None
    occupied: frozenset[Cell] | None = None
    tiles: Mapping[Cell, Tile] | None = None
    tokens: Mapping[Cell, Counter[str]] | None = None
    unknown: frozenset[Cell] = frozenset()
