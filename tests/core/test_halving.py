"""Sequential halving: the action that does best in possible worlds."""

from __future__ import annotations

from collections import Counter

from companion.core.game import Action
from companion.core.search_budget import FEWEST, Deadline, best_action


class Step(Action, frozen=True, tag="step"):
    """An action with a known worth."""

    worth: int


ACTIONS = [Step(worth) for worth in (3, 1, 4, 1, 5)]
NEVER = Deadline(1.0, lambda: 0.0)


def worth(world: int, action: Action) -> float:
    assert isinstance(action, Step)
    return action.worth


def test_the_best_action_is_chosen() -> None:
    """The action with the best scores is chosen, of equal ones the first."""
    assert Step(5) == best_action(ACTIONS, range(100), worth, NEVER)
    assert ACTIONS[0] is best_action(ACTIONS, range(100), lambda world, action: 1.0, NEVER)


def test_worse_actions_are_dropped() -> None:
    """The worse half gets few worlds, the better ones more, the best two all."""
    tried: Counter[Action] = Counter()

    def score(world: int, action: Action) -> float:
        tried[action] += 1
        return worth(world, action)

    best_action(ACTIONS, range(100), score, NEVER)

    assert {Step(5): 100, Step(4): 100, Step(3): 3 * FEWEST, Step(1): 2 * FEWEST} == tried


def test_the_deadline_ends_the_search() -> None:
    """Nothing is tried when the time is up, and the first action is chosen."""
    over = Deadline(0.0, lambda: 0.0)

    assert ACTIONS[0] is best_action(ACTIONS, range(100), lambda world, action: 1 / 0, over)
