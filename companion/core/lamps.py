"""Define which public events of a game light cells of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from companion.core.placement import Cell

EventFields = Mapping[str, Any]
"""A public event as JSON-ready values."""


class LampRules(Struct, frozen=True):
    """The public events of a game that light cells.

    moves: for each event that moves a pawn the names of its fields with the cells of the move
    rings: for each answer about the hidden piece a function of the event that returns the cells
    that fit the answer
    """

    moves: Mapping[str, tuple[str, ...]] = {}
    rings: Mapping[str, Callable[[EventFields], Iterable[Cell]]] = {}
