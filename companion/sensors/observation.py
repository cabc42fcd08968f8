"""What a source sees on the table at one moment: the only thing that a sensor, a photo or a tap may
say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from companion.core.placement import Cell, Pawn, Tile

__all__ = ["Ambiguity", "Observation", "Tile"]


@dataclass(frozen=True)
class Ambiguity:
    """Something that lies on the table and is not sure: a pawn, a token or a tile, by its name
    ("H1a", "bullet", "17").

    `why`: its "cell" (it is on one of `cells`, the likeliest first), its "turn" on the one cell, or
    a "crowd" of tiles on it. It is asked for, never guessed.
    """

    what: Literal["pawn", "token", "tile"]
    name: str
    cells: tuple[Cell, ...]
    why: Literal["cell", "turn", "crowd"] = "cell"


@dataclass(frozen=True)
class Observation:
    """The whole of what a source sees now; a field that is None says nothing.

    `at` is monotonic time in seconds, handed in by the caller. Cells that hold nothing are not
    named. `unknown` are cells about which the source makes no claim: stuck, flickering, undecided,
    covered. `partly` are cells of which not all is seen: the pawns named stand there, and others
    may too. `doubts` are the things that hands can make sure.
    """

    source: str
    at: float
    pawns: Mapping[Cell, frozenset[Pawn]] | None = None
    occupied: frozenset[Cell] | None = None
    tiles: Mapping[Cell, Tile] | None = None
    tokens: Mapping[Cell, Counter[str]] | None = None
    unknown: frozenset[Cell] = frozenset()
    partly: frozenset[Cell] = frozenset()
    doubts: tuple[Ambiguity, ...] = ()
