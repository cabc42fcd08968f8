"""The time of a decision: a search stops in time, by the longest stretch of work so far."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.core.search_budget import Deadline, SearchBudget, TimeIsUp
from companion.games.vampireradar.bots.bitboard import START
from companion.games.vampireradar.bots.position import STOP, Position
from companion.games.vampireradar.bots.posterior import restrict_weights
from companion.games.vampireradar.bots.turn_search import TurnSearch
from tests.games.vampireradar.builders import scene


def clock(*times: float) -> Callable[[], float]:
    return iter(times).__next__


def test_a_search_stops_before_another_stretch_might_not_fit() -> None:
    """Of 10 seconds, checked after 2, 5 and 7: the longest stretch was 3, so that at 7 another
    might just not fit; at 6 it would have.
    """
    late, early = Deadline(10, clock(0, 2, 5, 7)), Deadline(10, clock(0, 2, 5, 6))

    assert [False, False, True] == [late.spent() for _ in range(3)]
    assert [False, False, False] == [early.spent() for _ in range(3)]


def test_what_came_before_the_first_question_is_no_stretch() -> None:
    """Preparation took 6 of 10 seconds: that alone ends nothing."""
    deadline = Deadline(10, clock(0, 6, 7))

    assert [False, False] == [deadline.spent() for _ in range(2)]


def test_a_part_of_the_time() -> None:
    """Of 100 s a search may take 95, and one that may take 0.8 of them 76."""
    budget = SearchBudget(Random(1), 100, clock(0, 94, 0, 77))

    assert [False, True] == [budget.deadline(share).spent() for share in (1, 0.8)]


def test_time_that_is_up_ends_a_look() -> None:
    """`check` raises when the end is reached."""
    with pytest.raises(TimeIsUp):
        Deadline(10, clock(0, 10)).check()


def test_the_search_is_done_when_its_time_is() -> None:
    """A search of 10 ms whose clock advances a millisecond at each reading reads it at most ten
    times, the start included, and has weighed every step all the same.
    """
    calls = [0]

    def now() -> float:
        calls[0] += 1
        return calls[0] / 1000

    budget = SearchBudget(Random(1), 0.01, now)
    position = Position(scene(players=3).public)
    steps = position.steps()
    weighed = TurnSearch(budget.deadline()).weigh(position, restrict_weights({}, START), steps, 7)

    assert calls[0] <= 10
    assert STOP in [step for _, step in weighed]
    assert len(steps) == len(weighed)
