"""Choose among actions by sequential halving: play possible worlds on after each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from companion.core.game import Action
from companion.core.search_budget import Deadline

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
