"""Give a bot random numbers and time for one decision, and share the time among its actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TypeVar

from msgspec import Struct

from companion.core.game import Action

SEARCH_SHARE = 0.95
"""The search's part of a decision's time. The rest is for folding events and drawing the answer."""


class TimeIsUp(Exception):
    """Error raised to leave a search that cannot finish in time."""


class Deadline:
    """A point in time, `seconds` from now by the clock `monotonic`.

    It counts as reached if the longest work between two calls of `spent` might no longer fit.
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


class SearchBudget(Struct, frozen=True):
    """The resources of one decision: `seconds` by the clock `monotonic`, and random numbers."""

    rng: Random
    seconds: float
    monotonic: Callable[[], float]

    def deadline(self, share: float = 1.0) -> Deadline:
        """Return the deadline of a search that begins now and may take this share of the time."""
        return Deadline(share * SEARCH_SHARE * self.seconds, self.monotonic)


FEWEST = 12
"""Worlds before actions are dropped."""
W = TypeVar("W")


def best_action(
    actions: Sequence[Action],
    worlds: Iterable[W],
    score: Callable[[W, Action], float],
    deadline: Deadline,
) -> Action:
    """Return the action with the best scores, of equal ones the first.

    Each world is scored once after each action. The worse half of the actions is dropped after a
    few worlds, and again after three times as many.
    """
    sums = [0.0] * len(actions)
    order, drop_after = list(range(len(actions))), FEWEST
    for played, world in enumerate(worlds):
        if len(order) == 1 or deadline.spent():
            break
        if played == drop_after and len(order) > 2:
            order.sort(key=lambda number: -sums[number])
            order, drop_after = order[: (len(order) + 1) // 2], 3 * played
        for number in order:
            sums[number] += score(world, actions[number])
    return actions[max(order, key=lambda number: sums[number])]
