"""A clock that stands still until a test advances it."""

from __future__ import annotations

from concurrent.futures import Future, wait
from typing import Any

from companion.clock import Callback, TimerQueue


class SimulatedClock:
    """A clock that stands still until `advance`; it starts at 0 and at the wall time `wall`.

    Work takes no simulated time: `call_after` waits for it.
    """

    def __init__(self, wall: float = 0.0) -> None:
        self._timers = TimerQueue()
        self._now = 0.0
        self._wall = wall

    def monotonic(self) -> float:
        return self._now

    def wall(self) -> float:
        return self._wall + self._now

    def call_at(self, when: float, action: Callback) -> None:
        self._timers.add(when, action)

    def call_after(self, work: Future[Any], action: Callback) -> None:
        wait([work])
        self.call_at(self._now, action)

    def advance(self, seconds: float) -> None:
        """Advance by `seconds` and run the due actions in order, each at its own time."""
        end = self._now + seconds
        while (when := self._timers.next_time()) is not None and when <= end:
            self._now = max(self._now, when)
            self._timers.pop()()
        self._now = end

    def shift_wall(self, seconds: float) -> None:
        """Set the wall clock forward (or back) as a network time service would."""
        self._wall += seconds
