"""RF model: the flux of a 56 × 360 mm loop through a tag above it.

No radio frequency has been measured: see firmware/README.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import floor, log10
from random import Random

from msgspec import Struct

from companion.sensors.rfid.geometries import SQUARE
from companion.sensors.rfid.geometry import Geometry
from companion.sensors.serial.messages import LOOPS, MAX_STRENGTH

_FLUX = (
    (0.0, 1.00), (15.0, 1.25), (20.0, 1.27), (24.0, 0.87), (28.0, 0.26), (30.0, -0.05),
    (32.0, -0.34), (36.0, -0.70), (40.0, -0.72), (45.0, -0.56), (60.0, -0.26), (90.0, -0.09),
    (120.0, -0.04), (400.0, 0.0),
)  # fmt: skip
"""Flux relative to the loop's centre line by mm; beyond 60 mm as a dipole."""
_STEP_DB = 4.0
_TOP = 3.0
"""Signal that just reaches the highest strength."""


def flux(offset: float) -> float:
    """Return the relative flux at a distance in mm from a loop's centre line."""
    offset = min(abs(offset), _FLUX[-1][0])
    i = min(bisect_right(_FLUX, (offset, 9.0)), len(_FLUX) - 1)
    (x0, y0), (x1, y1) = _FLUX[i - 1], _FLUX[i]
    return y0 + (y1 - y0) * (offset - x0) / (x1 - x0)


def strength(signal: float) -> int:
    """Return a signal's strength, 0 to 8, in steps of 4 dB."""
    if signal <= 0:
        return 0
    return max(0, min(MAX_STRENGTH, MAX_STRENGTH + floor(20 * log10(signal / _TOP) / _STEP_DB)))


class RfModel(Struct, frozen=True):
    """One board's loops with their relative gains (1.0 if all are equal)."""

    gains: Sequence[float] = (1.0,) * LOOPS
    geometry: Geometry = SQUARE

    @classmethod
    def with_spread(cls, rng: Random, spread: float, geometry: Geometry = SQUARE) -> RfModel:
        """Return a model whose gains differ by a standard deviation of `spread` (0.12 is 12 %)."""
        return cls(tuple(max(0.1, rng.gauss(1.0, spread)) for _ in range(LOOPS)), geometry)

    def strengths(self, x: float, y: float, sensitivity: float = 1.0) -> tuple[int, ...]:
        """Return a tag's 26 strengths; `x` and `y` in mm from the centre, y pointing down.

        The flux counts twice: the tag is powered and read through it.
        """
        by_loop = [0] * LOOPS
        for axis in self.geometry.axes:
            for loop, line in axis.lines().items():
                through = flux(axis.across(x, y) - line)
                by_loop[loop] = strength((through * sensitivity * self.gains[loop]) ** 2)
        return tuple(by_loop)
