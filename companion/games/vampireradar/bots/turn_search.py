"""The humans' search: what each step is worth if what follows in the round is played as well,
answer by answer.

It searches over what everybody knows, never over places of the vampire: each answer is met with its
chance by the weights. It looks one point further at a time, so that there is a best step whenever
the time is up.
"""

from __future__ import annotations

from companion.core.search_budget import Deadline, TimeIsUp
from companion.games.vampireradar.bots.evaluate import value
from companion.games.vampireradar.bots.outcomes import outcomes, worth_of
from companion.games.vampireradar.bots.position import Position, Step
from companion.games.vampireradar.bots.posterior import Weights

FIRST_WIDTH = 8
"""Own steps that are followed further, the most promising of the horizon before."""
WIDTHS = (6, 4, 3, 2, 2, 2)
"""Steps that are followed at each point after it."""

Weighed = list[tuple[float, Step]]


class TurnSearch:
    """Looks ahead as far as a horizon of points and the time allow."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def weigh(
        self, position: Position, weights: Weights, steps: list[Step], horizon: int
    ) -> Weighed:
        """Return the steps with their worth, the best first, having looked at most `horizon` points
        ahead.
        """
        weighed = _ordered([(worth_of(position, weights, step), step) for step in steps])
        for points in range(1, horizon):
            try:
                followed = [
                    (self._followed(position, weights, step, points, 0), step)
                    for _, step in weighed[:FIRST_WIDTH]
                ]
            except TimeIsUp:
                break
            # What was not followed stands behind: its worth is of another horizon.
            weighed = [*_ordered(followed), *weighed[FIRST_WIDTH:]]
        return weighed

    def _followed(
        self, position: Position, weights: Weights, step: Step, points: int, depth: int
    ) -> float:
        return sum(
            chance * self._best(after, left, points, depth)
            for chance, after, left in outcomes(position, weights, step)
        )

    def _best(self, position: Position, weights: Weights, points: int, depth: int) -> float:
        """Return what the position is worth when the next `points` of the round are played well."""
        if position.hp > 0 and position.turns and position.turns[0][1] <= 0:
            position = position.copy()
            while position.turns and position.turns[0][1] <= 0:
                position.next_human()
        if position.hp <= 0 or not position.turns or points == 0:
            return value(position, weights)
        glanced = _ordered(
            [(self._glance(position, weights, step), step) for step in position.steps()]
        )
        if points == 1:
            return glanced[0][0]
        return max(
            self._followed(position, weights, step, points - 1, depth + 1)
            for _, step in glanced[: WIDTHS[depth]]
        )

    def _glance(self, position: Position, weights: Weights, step: Step) -> float:
        self._deadline.check()
        return worth_of(position, weights, step)


def _ordered(weighed: Weighed) -> Weighed:
    return sorted(weighed, key=lambda one: -one[0])
