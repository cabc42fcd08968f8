"""Live sensor data for the diagnostics page; public facts only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.placement import Cell, Placement
from companion.sensors.observation import Observation


class SensorDiagnostics:
    """Keeps the last raw observation and when each cell last changed.

    `source` returns what the source reports about itself.
    """

    def __init__(self) -> None:
        self.source: Callable[[], dict[str, Any]] | None = None
        self._seen: Observation | None = None
        self._changed: dict[Cell, float] = {}

    def record(self, observation: Observation) -> None:
        """Store an observation."""
        before, self._seen = self._seen, observation
        for cell in _cells(observation) | (set() if before is None else _cells(before)):
            if before is None or _raw(before, cell) != _raw(observation, cell):
                self._changed[cell] = observation.at

    def to_json(self, placement: Placement | None, now: float) -> dict[str, Any]:
        """Return per cell the seen and the expected pieces, and the age (s) of the last change."""
        seen, placement = self._seen, placement or Placement()
        named = placement.pawns.keys() | placement.tokens.keys() | self._changed.keys()
        cells = {
            cell: {
                **({} if seen is None else _raw(seen, cell)),
                "expected": sorted(placement.pawns.get(cell, ())),
                "expected_token": placement.tokens.get(cell),
                "age": round(now - self._changed[cell], 3) if cell in self._changed else None,
            }
            for cell in sorted(named)
        }
        return {
            "has_seen": seen is not None,
            "cells": cells,
            "source": None if self.source is None else self.source(),
        }


def _cells(observation: Observation) -> set[Cell]:
    seen = (
        (observation.pawns or {}).keys()
        | (observation.occupied or ())
        | (observation.tokens or {}).keys()
    )
    return set(seen | (observation.tiles or {}).keys() | observation.unknown)


def _raw(observation: Observation, cell: Cell) -> dict[str, Any]:
    pawns, occupied, tokens = observation.pawns, observation.occupied, observation.tokens
    tile = None if observation.tiles is None else observation.tiles.get(cell)
    return {
        "pawns": None if pawns is None else sorted(pawns.get(cell, ())),
        "occupied": None if occupied is None else cell in occupied,
        "tokens": None
        if tokens is None
        else sorted(tokens[cell].elements())
        if cell in tokens
        else [],
        "tile": None if tile is None else {"number": tile.number, "turn": tile.turn},
        "unknown": cell in observation.unknown,
        "partly": cell in observation.partly,
    }
