"""What a game draws in one submission, so that it can be drawn again."""

from __future__ import annotations

from collections.abc import Callable
from random import Random


class Chance(Random):
    """A generator that starts from what `source` gives when something is first drawn, which is kept in `drawn`: a
    submission can be decided again from it. "" while nothing was drawn."""

    def __init__(self, source: Callable[[], str]) -> None:
        super().__init__(0)
        self._source = source
        self._begun = False
        self.drawn = ""

    @property
    def is_drawn(self) -> bool:
        """Whether anything was drawn."""
        return self._begun

    def random(self) -> float:
        self._begin()
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        self._begin()
        return super().getrandbits(k)

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self.drawn = self._source()
            self.seed(self.drawn)
