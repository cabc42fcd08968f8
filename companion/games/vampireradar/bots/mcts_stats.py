"""What trying something often came to."""

from __future__ import annotations


class Tries:
    """How often one way was tried, and what it came to in all."""

    __slots__ = ("count", "whole")

    def __init__(self, count: float = 0.0, mean: float = 0.0) -> None:
        self.count = count
        self.whole = count * mean

    def mean(self) -> float:
        """Return what a try came to, 0 of none."""
        return self.whole / self.count if self.count else 0.0

    def add(self, worth: float) -> None:
        """Count one more."""
        self.count += 1
        self.whole += worth
