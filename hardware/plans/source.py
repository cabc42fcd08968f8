"""Read the plans' input: pins.toml (pins, chain, cells) and parts.toml (what to buy)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

HARDWARE = Path(__file__).resolve().parent.parent


class PlanError(ValueError):
    """Error raised when a plan contradicts itself or its input."""


@cache
def read_pins() -> dict[str, Any]:
    """Return pins.toml as it is written; firmware/generate.py checks it."""
    return tomllib.loads((HARDWARE / "pins.toml").read_text(encoding="utf-8"))


@cache
def read_parts() -> dict[str, Any]:
    """Return the values of parts.toml."""
    return tomllib.loads((HARDWARE / "parts.toml").read_text(encoding="utf-8"))
