"""Signal model: a loop's level by distance, and the likelihood of a strength.

Calculated from the field of a strip; no radio frequency has been measured.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import erf, hypot, inf, log, log10, sqrt

from msgspec import Struct

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
"""Flux below which the model is not used: over the wire it changes sign within a millimetre."""
_TOP_DB = 20 * log10(3.0)
"""Level that just reaches the highest strength; a board's own offset is part of its gains."""
_NOISE = (0.6, *[0.4 / MAX_STRENGTH] * MAX_STRENGTH)
"""Frequency of each strength of an unknown tag."""

PROPORTIONAL_DECADE = 40.0
"""Decibels by which a proportional tag grows with ten times the flux: it counts twice."""


class TagResponse(Struct, frozen=True):
    """An unmeasured property of a board and its tags.

    `decade`: the decibels by which a tag is read stronger at ten times the flux. `wake`: the level
    in dB below which a tag is silent. `leak`: the current in each loop beside the selected one,
    relative to its own.
    """

    decade: float = PROPORTIONAL_DECADE
    wake: float = -inf
    leak: float = 0.0


DESIGNED = TagResponse()
TAG_RESPONSES = (
    DESIGNED,
    TagResponse(decade=30.0),
    TagResponse(decade=20.0),
    *(TagResponse(wake=wake) for wake in (-12.0, -8.0, -4.0, 0.0)),
    TagResponse(leak=0.1),
)
"""The responses that a decision must hold under, until the tiles decide between them."""
_WAKE_SPREAD_DB = 2.0
"""Standard deviation of the level at which a tag wakes, beside that of the loop's own level."""
_BESIDE = (30.0, 60.0)
"""Millimetres to the loops that share the selected one's current."""
_LEAK_SHARE = 0.85
"""Part of the neighbours' flux that counts as a standard deviation; 0.71 if phases were even."""
_MAX_LEAK_DB = 8.0

RESOLUTION = 0.5
"""Decibels between two entries of a table of likelihoods."""
_LOWEST, _HIGHEST = -120.0, 70.0
_FAINT, _LOUD = -90.0, 50.0
"""Bounds of a loop's level in dB; tables reach farther for faint and strong tags."""

LikelihoodTable = Sequence[float]
"""Log-likelihoods by level, in steps of `RESOLUTION` (see `table_index`)."""


@cache
def signal_db(distance: float) -> float:
    """Return the level in dB at which a loop reads an ordinary tag, by mm from its centre line.

    The flux counts twice: the tag is powered and read through it.
    """
    return PROPORTIONAL_DECADE * log10(max(_FAINTEST, abs(_flux(distance))))


@cache
def leaked_db(distance: float, leak: float) -> tuple[float, float]:
    """Return the level of a loop whose neighbours carry `leak` of its current in any phase, and
    the standard deviation in dB that this adds.
    """
    if not leak:
        return signal_db(distance), 0.0
    own = max(_FAINTEST, abs(_flux(distance)))
    beside = leak * sqrt(
        sum(_flux(distance + side * off) ** 2 for side in (-1, 1) for off in _BESIDE)
    )
    level = PROPORTIONAL_DECADE / 2 * log10(own**2 + beside**2)
    return level, min(_MAX_LEAK_DB, _LEAK_SHARE * PROPORTIONAL_DECADE / log(10) * beside / own)


def _flux(distance: float) -> float:
    distance = min(abs(distance), _FLUX[-1][0])
    (near, a), (far, b) = next((low, high) for low, high in pairwise(_FLUX) if distance <= high[0])
    return a + (b - a) * (distance - near) / (far - near)


def table_index(decibels: float) -> int:
    """Return the table index of a level, clamped to what a loop can have."""
    return _index(min(max(decibels, _FAINT), _LOUD))


def strength_db(strength: float, response: TagResponse = DESIGNED) -> float:
    """Return the level in dB in the middle of a strength from 1 to 8."""
    decibels = _TOP_DB + STEP_DB * (strength - MAX_STRENGTH + 0.5)
    return decibels * PROPORTIONAL_DECADE / response.decade


@cache
def log_likelihoods(
    strengths: tuple[int, ...], spread: float, slip: float, response: TagResponse = DESIGNED
) -> LikelihoodTable:
    """Return log-likelihoods by level; strengths of several scans weigh as one."""
    tables = [_table(strength, spread, slip, response) for strength in strengths]
    return array("d", [sum(column) / len(tables) for column in zip(*tables, strict=True)])


def noise_log_prob(strength: int) -> float:
    """Return the log probability of a strength of an unknown tag."""
    return log(_NOISE[strength])


@cache
def _table(strength: int, spread: float, slip: float, response: TagResponse) -> LikelihoodTable:
    scale = PROPORTIONAL_DECADE / response.decade
    low = scale * (_TOP_DB + STEP_DB * (strength - MAX_STRENGTH))
    likelihoods = array("d")
    for i in range(_index(_HIGHEST) + 1):
        decibels = _LOWEST + i * RESOLUTION
        below = _normal((low - decibels) / spread) if strength else 0.0
        within = (
            _normal((low + scale * STEP_DB - decibels) / spread) if strength < MAX_STRENGTH else 1.0
        )
        awake = _normal((decibels - response.wake) / hypot(_WAKE_SPREAD_DB, spread))
        share = (within - below) * awake
        if not strength:
            share += 1 - awake
        likelihoods.append(log((1 - slip) * share + slip * _NOISE[strength]))
    return likelihoods


def _normal(x: float) -> float:
    return 0.5 * (1 + erf(x / sqrt(2)))


def _index(decibels: float) -> int:
    return round((decibels - _LOWEST) / RESOLUTION)
