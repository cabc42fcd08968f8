"""The humans' levels that look ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from companion.core.game import Action
from companion.core.search_budget import Deadline
from companion.games.vampireradar.bots.base import HumanBot, free_gift
from companion.games.vampireradar.bots.opponent_models import (
    HUNTER,
    LURKER,
    STALKER,
    STRAY,
    Character,
)
from companion.games.vampireradar.bots.position import Position, Step
from companion.games.vampireradar.bots.turn_search import TurnSearch, Weighed

FARTHEST = 7
"""Points that the deepest search looks ahead at most."""


class SearchingHuman(HumanBot):
    """Level 4: looks through the rest of its own turn, each radar's answers and each shot's."""

    characters: ClassVar[Sequence[Character]] = (STRAY, HUNTER, LURKER)

    def choose(self, legal: Sequence[Action]) -> Action:
        gift = free_gift(legal)
        if gift is not None:
            return gift
        deadline = self.budget.deadline()
        position, allowed = Position(self.public), set(legal)
        steps = [step for step in position.steps() if position.action(step) in allowed]
        self.budget.rng.shuffle(steps)
        return position.action(self.best(position, steps, deadline))

    def best(self, position: Position, steps: list[Step], deadline: Deadline) -> Step:
        """Return the step to take. May override."""
        return self.weighed(position, steps, deadline)[0][1]

    def weighed(self, position: Position, steps: list[Step], deadline: Deadline) -> Weighed:
        """Return the steps with their worth, the best first, as far as the turn search came until
        it was spent.
        """
        search = TurnSearch(deadline)
        return search.weigh(position, self.hunch.weights, steps, self.horizon(position))

    def horizon(self, position: Position) -> int:
        """Return how many points to look ahead. May override."""
        return position.turns[0][1]


class DeepHuman(SearchingHuman):
    """Level 5: looks through the turns of all humans who still act in the round, as far as the time
    goes, and thinks of one kind of vampire more.
    """

    characters = (STRAY, HUNTER, LURKER, STALKER)

    def horizon(self, position: Position) -> int:
        return min(FARTHEST, sum(points for _, points in position.turns))
