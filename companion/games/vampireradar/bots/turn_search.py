"""Search the rest of a round: the worth of each step if the humans play well after it.

The search branches over public answers, never over tiles of the vampire; the weights give the
chance of each answer. It deepens by one point at a time, so there is a best step when the time is
up.
"""

from __future__ import annotations

from companion.core.search_budget import Deadline, TimeIsUp
from companion.games.vampireradar.bots.evaluate import value
from companion.games.vampireradar.bots.outcomes import outcomes, worth_of
from companion.games.vampireradar.bots.position import Position, Step
from companion.games.vampireradar.bots.posterior import Weights

FIRST_WIDTH = 8
"""The number of own steps to search deeper: the best ones of the shallower search."""
WIDTHS = (6, 4, 3, 2, 2, 2)
"""The number of steps to search at each later point."""

Weighed = list[tuple[float, Step]]


class TurnSearch:
    """A search to a depth in points, within a time limit."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def weigh(
        self, position: Position, weights: Weights, steps: list[Step], horizon: int
    ) -> Weighed:
        """Return the steps with their worth, the best first, at most `horizon` points ahead."""
        weighed = _best_first([(worth_of(position, weights, step), step) for step in steps])
        for points in range(1, horizon):
            try:
                followed = [
                    (self._worth_after(position, weights, step, points, 0), step)
                    for _, step in weighed[:FIRST_WIDTH]
                ]
            except TimeIsUp:
                break
            # Steps that were not searched come last: their worth has another horizon.
            weighed = [*_best_first(followed), *weighed[FIRST_WIDTH:]]
        return weighed

    def _worth_after(
        self, position: Position, weights: Weights, step: Step, points: int, depth: int
    ) -> float:
        return sum(
            chance * self._best(after, left, points, depth)
            for chance, after, left in outcomes(position, weights, step)
        )

    def _best(self, position: Position, weights: Weights, points: int, depth: int) -> float:
        """Return the position's worth if the next `points` of the round are played well."""
        if position.hp > 0 and position.turns and position.turns[0][1] <= 0:
            position = position.copy()
            while position.turns and position.turns[0][1] <= 0:
                position.next_human()
        if position.hp <= 0 or not position.turns or points == 0:
            return value(position, weights)
        glanced = _best_first(
            [(self._immediate_worth(position, weights, step), step) for step in position.steps()]
        )
        if points == 1:
            return glanced[0][0]
        return max(
            self._worth_after(position, weights, step, points - 1, depth + 1)
            for _, step in glanced[: WIDTHS[depth]]
        )

    def _immediate_worth(self, position: Position, weights: Weights, step: Step) -> float:
        self._deadline.check()
        return worth_of(position, weights, step)


def _best_first(weighed: Weighed) -> Weighed:
    return sorted(weighed, key=lambda one: -one[0])
