"""Signal model: a loop's level by distance, and the likelihood of a strength.

Calculated from the field of a strip; no radio frequency has been measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import erf, log, log10, sqrt

from companion.sensors.serial.messages import MAX_STRENGTH

STEP_DB = 4.0
"""Decibels from one strength to the next."""
SPREAD_DB = 2.3
"""Standard deviation of an uncalibrated loop: 12 % of flux, counted twice, and noise."""
CALIBRATED_DB = 1.4
"""Standard deviation that remains once a loop's gain is known to about 1 dB."""
OUTLIER_PROB, REPEATED_OUTLIER_PROB = 1e-4, 1e-5
"""Probability of a strength unrelated to the place, in one scan and in several that agree.

Outliers are more frequent, but no single scan decides anything.
"""

_FLUX = (
    (0.0, 1.00), (15.0, 1.25), (18.0, 1.29), (20.0, 1.25), (24.0, 0.87), (26.0, 0.58), (28.0, 0.26),
    (30.0, -0.05), (32.0, -0.34), (34.0, -0.56), (36.0, -0.70), (38.0, -0.75), (40.0, -0.72),
    (45.0, -0.56), (60.0, -0.26), (90.0, -0.11), (120.0, -0.06), (240.0, -0.02), (480.0, -0.005),
)  # fmt: skip
"""Relative flux through a tag 6 mm above a strip 56 mm wide, by mm from its centre line."""
_FAINTEST = 0.05
"""Flux below which the model is not trusted: over the wire it changes sign within a millimetre."""
_TOP_DB = 20 * log10(3.0)
"""Level that just reaches the highest strength; a board's own offset is part of its gains."""
_NOISE = (0.6, *[0.4 / MAX_STRENGTH] * MAX_STRENGTH)
"""Frequency of each strength of an unknown tag."""

RESOLUTION = 0.5
"""Decibels between two entries of a table of likelihoods."""
_LOWEST, _HIGHEST = -120.0, 70.0
_FAINT, _LOUD = -90.0, 50.0
"""Bounds of a loop's level in dB; tables reach farther for faint and loud tags."""

LikelihoodTable = Sequence[float]
"""Log-likelihoods by level, in steps of `RESOLUTION` (see `table_index`)."""


@cache
def signal_db(distance: float) -> float:
    """Return the level in dB at which a loop reads an ordinary tag, by mm from its centre line.

    The flux counts twice: the tag is powered and read through it.
    """
    distance = min(abs(distance), _FLUX[-1][0])
    (near, a), (far, b) = next((low, high) for low, high in pairwise(_FLUX) if distance <= high[0])
    flux = a + (b - a) * (distance - near) / (far - near)
    return 40 * log10(max(_FAINTEST, abs(flux)))


def table_index(decibels: float) -> int:
    """Return the table index of a level, clamped to what a loop can have."""
    return _index(min(max(decibels, _FAINT), _LOUD))


def strength_db(strength: int) -> float:
    """Return the level in dB in the middle of a strength from 1 to 8."""
    return _TOP_DB + STEP_DB * (strength - MAX_STRENGTH + 0.5)


@cache
def log_likelihoods(strengths: tuple[int, ...], spread: float, slip: float) -> LikelihoodTable:
    """Return log-likelihoods by level; strengths of several scans weigh as one."""
    tables = [_table(strength, spread, slip) for strength in strengths]
    return tuple(sum(column) / len(tables) for column in zip(*tables, strict=True))


def noise_log_prob(strength: int) -> float:
    """Return the log probability of a strength of an unknown tag."""
    return log(_NOISE[strength])


def _table(strength: int, spread: float, slip: float) -> list[float]:
    low = _TOP_DB + STEP_DB * (strength - MAX_STRENGTH)
    likelihoods = []
    for i in range(_index(_HIGHEST) + 1):
        decibels = _LOWEST + i * RESOLUTION
        below = _normal((low - decibels) / spread) if strength else 0.0
        within = _normal((low + STEP_DB - decibels) / spread) if strength < MAX_STRENGTH else 1.0
        likelihoods.append(log((1 - slip) * (within - below) + slip * _NOISE[strength]))
    return likelihoods


def _normal(x: float) -> float:
    return 0.5 * (1 + erf(x / sqrt(2)))


def _index(decibels: float) -> int:
    return round((decibels - _LOWEST) / RESOLUTION)
