"""Read the plans' input: pins.toml (pins, chains, loops, cells) and parts.toml (what to buy)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HARDWARE = Path(__file__).resolve().parent.parent


class PlanError(ValueError):
    """Error raised when a plan contradicts itself or its input."""


@dataclass(frozen=True)
class Loop:
    """One loop of wire: a rectangle about `centre`, in mm from the board's centre, y down.

    `angle`: direction of the long sides in degrees.
    """

    number: int
    axis: str
    kind: str
    """ "centred" on a line of cells, or on their "border"."""
    place: int
    centre: tuple[float, float]
    angle: float
    width: float
    length: float


@cache
def read_pins() -> dict[str, Any]:
    """Return pins.toml as it is written; firmware/generate.py checks it."""
    return tomllib.loads((HARDWARE / "pins.toml").read_text(encoding="utf-8"))


@cache
def read_parts() -> dict[str, Any]:
    """Return the values of parts.toml."""
    return tomllib.loads((HARDWARE / "parts.toml").read_text(encoding="utf-8"))


def place_of(cell: str) -> tuple[int, int]:
    """Return a cell's letter and number, each from 0."""
    return ord(cell[0].lower()) - ord("a"), int(cell[1:]) - 1


def cells(geometry: dict[str, Any]) -> list[str]:
    """Return the cells of a geometry in the board's order."""
    return [cell for row in geometry["rows"] for cell in row.split()]
