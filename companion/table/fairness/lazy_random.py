"""What a game draws in one submission, so that it can be drawn again."""

from __future__ import annotations

from collections.abc import Callable
from random import Random


class LazyRandom(Random):
    """A generator that starts from what `source` gives when something is first drawn, which is kept
    in `drawn`: a submission can be decided again from it. "" while nothing was drawn; `has_begun`
    says whether anything was.
    """

    def __init__(self, source: Callable[[], str]) -> None:
        super().__init__(0)
        self._source = source
        self.has_begun = False
        self.drawn = ""

    def random(self) -> float:
        self._begin()
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        self._begin()
        return super().getrandbits(k)

    def _begin(self) -> None:
        if not self.has_begun:
            self.has_begun = True
            self.drawn = self._source()
            self.seed(self.drawn)
