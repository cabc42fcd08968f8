"""Sensor snapshots: the report of a sensor, a photo or a tap about the table at one moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from companion.core.placement import Cell, Pawn, Tile

__all__ = ["Ambiguity", "Observation", "Tile"]


class Ambiguity(Struct, frozen=True):
    """A pawn, token or tile whose place is uncertain, by its name ("H1a", "bullet", "17"), or a
    piece without a name ("") that one sensor reports and another does not.

    `why`: the "cell" (one of `cells`, the likeliest first), the "turn" on its cell, or a "crowd" of
    tiles on one cell. People are asked; it is never guessed.
    """

    what: Literal["pawn", "token", "tile", "piece"]
    name: str
    cells: tuple[Cell, ...]
    why: Literal["cell", "turn", "crowd"] = "cell"


class Observation(Struct, frozen=True):
    """Everything that a source reports now; None means the source does not report the field.

    `at`: monotonic seconds. Empty cells are left out. `unknown`: cells without a report (stuck,
    flickering, undecided, covered). `partly`: cells where more pawns may stand than are named.
    `tokens_unknown`: cells without a report about tokens alone.
    """

    source: str
    at: float
    pawns: Mapping[Cell, frozenset[Pawn]] | None = None
    occupied: frozenset[Cell] | None = None
    tiles: Mapping[Cell, Tile] | None = None
    tokens: Mapping[Cell, Counter[str]] | None = None
    unknown: frozenset[Cell] = frozenset()
    partly: frozenset[Cell] = frozenset()
    tokens_unknown: frozenset[Cell] = frozenset()
    ambiguities: tuple[Ambiguity, ...] = ()
