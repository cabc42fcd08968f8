"""The piezo's sounds for a shot.

A hit and a miss have the same length, step by step.
"""

from __future__ import annotations

from typing import NamedTuple


class Tone(NamedTuple):
    """A pitch in hertz (0: silence) and its length in seconds."""

    seconds: float
    hertz: int


Tune = tuple[Tone, ...]

# A bare piezo disc of 20 mm is nearly mute below 1 kHz; its resonance is above 4 kHz.
HEARTBEAT_TUNE: Tune = (Tone(0.12, 1000), Tone(0.18, 0), Tone(0.12, 1000), Tone(0.78, 0))
"""Heartbeat before the answer, 1.2 s as on the display."""

_GROAN = (
    2100, 2200, 2160, 2050, 2080, 1960, 1900, 1930, 1820, 1760,
    1780, 1670, 1600, 1620, 1500, 1410, 1430, 1300, 1180, 1040,
)  # fmt: skip
_WIND = (
    2340, 2745, 2520, 3105, 3330, 2970, 3645, 3420, 3960, 3555,
    3825, 3285, 3465, 2880, 3150, 2655, 2835, 2430, 2610, 2250,
)  # fmt: skip

HIT: Tune = HEARTBEAT_TUNE + tuple(Tone(0.1, hertz) for hertz in _GROAN)
MISS: Tune = HEARTBEAT_TUNE + tuple(Tone(0.1, hertz) for hertz in _WIND)


def length(tune: Tune) -> float:
    """Return a tune's length in seconds."""
    return sum(step.seconds for step in tune)


def pitch(tune: Tune, elapsed: float) -> int | None:
    """Return the pitch `elapsed` seconds into a tune, None after its end."""
    for step in tune:
        if elapsed < step.seconds:
            return step.hertz
        elapsed -= step.seconds
    return None
