"""The time of one decision: a search asks as it goes on, and stops before the time is up, not
after.
"""

from __future__ import annotations

from collections.abc import Callable


class TimeIsUp(Exception):
    """Error raised to leave a look ahead that cannot be finished in time."""


class Budget:
    """So many seconds from now on, by the clock `monotonic`.

    It is spent as soon as another stretch of work might not fit that is as long as the longest
    between two questions.
    """

    def __init__(self, seconds: float, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._end = monotonic() + seconds
        self._asked: float | None = None
        self._longest = 0.0

    def spent(self) -> bool:
        """Return whether the search must stop now."""
        now = self._monotonic()
        if self._asked is not None:
            self._longest = max(self._longest, now - self._asked)
        self._asked = now
        return now + self._longest >= self._end

    def check(self) -> None:
        """Raise `TimeIsUp` when the search must stop now."""
        if self.spent():
            raise TimeIsUp
