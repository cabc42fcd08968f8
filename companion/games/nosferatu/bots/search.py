"""Search by alpha-beta with quiescence: no position with a capture is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from companion.games.nosferatu.bots.engine import (
    NEAR,
    NOWHERE,
    RAYS,
    Position,
    Turn,
    capturing,
    turns,
)

WON = 100_000
DEEPEST = 30


class OutOfTime(Exception):
    """Error raised when a search has used its time; the results before it remain."""


class Search:
    """A search for the best turn.

    positions: how many it evaluated
    is_over: ends the search
    """

    def __init__(self, is_over: Callable[[], bool] = lambda: False) -> None:
        self.positions = 0
        self._is_over = is_over

    def best(self, allowed: Sequence[Turn], depth: int, rng: Random) -> Turn:
        """Return the best of the `allowed` turns, `depth` quiet turns ahead; one of several at
        random.

        With a clock, the best of the deepest search that was finished.
        """
        choice = rng.choice(allowed)
        for deep in range(1, depth + 1):
            try:
                choice = self._root(allowed, deep, rng, choice)
            except OutOfTime:
                break
        return choice

    def _root(self, allowed: Sequence[Turn], depth: int, rng: Random, first: Turn) -> Turn:
        found = list(allowed)
        rng.shuffle(found)
        found.sort(key=lambda turn: turn != first)
        best, choice = -2 * WON, first
        for turn in found:
            worth = -self._worth(turn.after, depth - 1, -2 * WON, -best)
            if worth > best:
                best, choice = worth, turn
        return choice

    def _worth(self, now: Position, depth: int, least: int, most: int) -> int:
        """Return the worth of the position for the side to move, if it is between `least` and
        `most`.
        """
        self.positions += 1
        if self.positions % 256 == 0 and self._is_over():
            raise OutOfTime
        if now.winner:
            return (WON + depth) * now.winner * (1 if now.vampires_move else -1)
        if now.passes == 2:
            return 0
        captures = capturing(now)
        if depth <= 0 and not captures:
            return worth(now)
        for turn in captures or turns(now):
            found = -self._worth(
                turn.after, depth if captures and depth > -DEEPEST else depth - 1, -most, -least
            )
            least = max(least, found)
            if least >= most:
                return least
        return least


def worth(now: Position) -> int:
    """Return the worth of a quiet position for the side to move: pieces, and room for Nosferatu and
    the men.
    """
    vampires = now.vampires.bit_count() + now.hand_vampires
    villagers = now.villagers.bit_count() + now.hand_villagers
    score = 100 * vampires - 100 * villagers + 8 * _room(now) - 25 * _hunters(now)
    return score if now.vampires_move else -score


def _room(now: Position) -> int:
    """Return how many cells Nosferatu sees; a constant if he is still in hand."""
    if now.nosferatu == NOWHERE:
        return 4
    occupied, seen = now.occupied, 0
    for ray in RAYS[now.nosferatu]:
        for cell in ray:
            if occupied >> cell & 1:
                break
            seen += 1
    return seen


def _hunters(now: Position) -> int:
    """Return how many villagers are next to Nosferatu."""
    return 0 if now.nosferatu == NOWHERE else (NEAR[now.nosferatu] & now.villagers).bit_count()
