"""A field to measure the decoder by, made of other stuff than its tables: two long wires, and a tag
that is a square.

The flux of a strip's two wires (60 mm apart) through a square tag above them is an integral in
closed form. Loops and tags differ, a tag lies a little higher or lower, readings are noisy, and
sometimes a loop or a whole scan misses a tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log, log10
from random import Random

from companion.sensors.rfid.geometry import Geometry
from companion.sensors.rfid.locate import TagReading

HALF_STRIP = 30.0
HALF_TAG = {"pawn": 8.0, "token": 8.0, "tile": 12.5}
LOOP_SPREAD, TAG_SPREAD = 0.12, 0.20
NOISE_DB = 0.5
STEP_DB = 4.0
TOP_STEP_DB = 9.5
"""The loudness at which the highest of the 8 steps begins, 0 dB being an ordinary tag in the middle
of a loop.
"""


def flux(offset: float, height: float = 6.0, half_tag: float = 8.0) -> float:
    """Return the mean vertical field in a square tag so many mm beside a strip's centre line,
    relative to the middle of the strip at 6 mm.
    """

    def potential(x: float) -> float:
        return 0.5 * log(((HALF_STRIP + x) ** 2 + height**2) / ((HALF_STRIP - x) ** 2 + height**2))

    middle = 2 * HALF_STRIP / (HALF_STRIP**2 + 36.0)
    return (potential(offset + half_tag) - potential(offset - half_tag)) / (2 * half_tag) / middle


def decibels(relative: float) -> float:
    """Return a flux in dB; it counts twice, for the way there and the way back."""
    return 40 * log10(max(abs(relative), 1e-4))


def step(loudness: float) -> int:
    """Return the reader's 3-bit strength plus one, 0 for not heard."""
    return max(0, min(8, 8 + floor((loudness - TOP_STEP_DB) / STEP_DB)))


@dataclass
class Wood:
    """One board as it was built: how loud each of its loops is, in dB."""

    geometry: Geometry
    loops: Sequence[float]
    rng: Random

    @classmethod
    def built(cls, geometry: Geometry, rng: Random, spread: float = LOOP_SPREAD) -> Wood:
        """Build a board whose loops differ by a standard deviation of `spread`."""
        return cls(
            geometry,
            [decibels(max(0.3, rng.gauss(1.0, spread))) for _ in range(geometry.loops)],
            rng,
        )

    def tag(self, kind: str, x: float, y: float) -> LyingTag:
        """Lay a tag of its own sensitivity at a point in mm from the board's centre."""
        return LyingTag(
            self,
            kind,
            x,
            y,
            decibels(max(0.3, self.rng.gauss(1.0, TAG_SPREAD))),
            self.rng.uniform(5, 7),
        )


@dataclass
class LyingTag:
    """A tag that rests on a board."""

    wood: Wood
    kind: str
    x: float
    y: float
    sensitivity: float
    height: float

    def read(self, loops: frozenset[int] | None = None, missed: float = 0.0) -> TagReading:
        """Return one scan of it by some loops, or all; each loop misses it with a probability of
        `missed`.
        """
        wood = self.wood
        listening = frozenset(range(wood.geometry.loops)) if loops is None else loops
        heard = [0] * 26
        for axis in wood.geometry.axes:
            for loop, line in axis.lines().items():
                offset = axis.across(self.x, self.y) - line
                loudness = (
                    decibels(flux(offset, self.height, HALF_TAG[self.kind]))
                    + wood.loops[loop]
                    + self.sensitivity
                )
                if loop in listening and wood.rng.random() >= missed:
                    heard[loop] = step(loudness + wood.rng.gauss(0, NOISE_DB))
        return TagReading(tuple(heard), listening)
