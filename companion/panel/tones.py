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

HEARTBEAT_TUNE: Tune = (Tone(0.12, 70), Tone(0.18, 0), Tone(0.12, 70), Tone(0.78, 0))
"""Heartbeat before the answer, 1.2 s as on the display."""

_GROAN = (
    210,
    220,
    216,
    205,
    208,
    196,
    190,
    193,
    182,
    176,
    178,
    167,
    160,
    162,
    150,
    141,
    143,
    130,
    118,
    104,
)
_WIND = (
    520,
    610,
    560,
    690,
    740,
    660,
    810,
    760,
    880,
    790,
    850,
    730,
    770,
    640,
    700,
    590,
    630,
    540,
    580,
    500,
)

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
