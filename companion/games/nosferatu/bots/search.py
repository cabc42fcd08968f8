"""Search by alpha-beta with quiescence: no position with a capture is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from companion.games.nosferatu.bots.engine import (
    ALL,
    NEAR,
    NOWHERE,
    Position,
    Turn,
    can_capture,
    capturing,
    lines,
    quiet,
)

WON = 100_000
DEEPEST = 30


class OutOfTime(Exception):
    """Error raised when a search has used its time; earlier results remain valid."""


class Search:
    """A search for the best turn.

    positions: number of positions evaluated
    is_over: returns whether the search must end
    """

    def __init__(self, is_over: Callable[[], bool] = lambda: False) -> None:
        self.positions = 0
        self._is_over = is_over
        self._replies: dict[Position, Position] = {}

    def best(self, allowed: Sequence[Turn], depth: int, rng: Random) -> Turn:
        """Return the best of the `allowed` turns, searched `depth` quiet turns ahead. Break ties at
        random.

        Deepen step by step; each search tries the best turn of the previous one first. When time
        runs out, return the best turn of the deepest search.
        """
        order = list(allowed)
        rng.shuffle(order)
        for deep in range(1, depth + 1):
            worths: dict[Turn, int] = {}
            try:
                for turn in order:
                    least = max(worths.values(), default=-2 * WON)
                    worths[turn] = -self._worth(turn.after, deep - 1, -2 * WON, -least)
            except OutOfTime:
                pass
            # A turn that is no better than the best one has only a bound, and keeps its place.
            order.sort(key=lambda turn: -worths.get(turn, -2 * WON))
            if len(worths) < len(order):
                break
        return order[0]

    def _worth(self, now: Position, depth: int, least: int, most: int) -> int:
        """Return the worth of the position for the side to move, exact between `least` and
        `most`.
        """
        self.positions += 1
        if self.positions % 32 == 0 and self._is_over():
            raise OutOfTime
        if now.winner:
            return (WON + depth) * now.winner * (1 if now.vampires_move else -1)
        if now.passes == 2:
            return 0
        captures = can_capture(now)
        if depth <= 0 and not captures:
            return worth(now)
        replies = [turn.after for turn in (capturing(now) if captures else quiet(now))]
        if depth > 1:
            replies.sort(key=worth)
        reply = self._replies.get(now)
        if reply is not None:
            replies.insert(0, reply)
        deeper = depth if captures and depth > -DEEPEST else depth - 1
        for after in replies:
            value = -self._worth(after, deeper, -most, -least)
            if value > least:
                least = value
                self._replies[now] = after
                if least >= most:
                    break
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
    """Return how many cells Nosferatu can reach; a constant if he is still in hand."""
    if now.nosferatu == NOWHERE:
        return 4
    occupied = now.occupied
    return sum(
        before.bit_count() for _, before, _ in lines(now.nosferatu, occupied, ALL & ~occupied)
    )


def _hunters(now: Position) -> int:
    """Return how many villagers are next to Nosferatu."""
    return 0 if now.nosferatu == NOWHERE else (NEAR[now.nosferatu] & now.villagers).bit_count()
