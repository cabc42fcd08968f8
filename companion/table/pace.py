"""When a night is told: pure arithmetic on monotonic seconds, the same for every night that looks
the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.core.game import PublicEvent
from companion.table.events import NightSealed

REVEAL_MARGIN = 1.5
"""Seconds between a commit and the earliest dawn."""
REVEAL_INTERVAL = 2.5
"""Seconds between two announcements of one dawn."""
VOTE_TIMEOUT = 60.0
"""Seconds for which a question to the table stays open."""


def reveal_time(nightfall: float, commit: float, floor: float) -> float:
    """Return when a night that fell at `nightfall` and was committed at `commit` is told: whole
    seconds after nightfall, at least `floor`, so that a short turn does not show.
    """
    return nightfall + max(floor, math.ceil(commit - nightfall + REVEAL_MARGIN))


def next_batch(events: Sequence[PublicEvent]) -> int:
    """Return how many of a dawn's events still to be told, in order, are told at the next beat.

    The seal is told alone; then each event that tells a secret opens a beat of its own, and what
    only follows from it (that the night is over, whose turn it is) is told with it.
    """
    if not events:
        return 0
    if isinstance(events[0], NightSealed):
        return 1
    for index, event in enumerate(events[1:], start=1):
        if type(event).discloses:
            return index
    return len(events)
