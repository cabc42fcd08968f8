"""Regret matching comes to mixtures and values that are known by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from companion.games.vampireradar.bots.hiding import RegretMatching, Start
from tools.exploitability import separately


def one_place(chances: Mapping[int, float]) -> tuple[float, list[int]]:
    """Look where it is likeliest, at one place."""
    place = max(chances, key=lambda place: chances[place])
    return chances[place], [place]


@pytest.mark.parametrize(
    ("starts", "value", "first"),
    [
        ([Start(1, [0, 1, 2])], 1 / 3, [1 / 3, 1 / 3, 1 / 3]),
        # The second start has one place alone, so the first one goes to the other.
        ([Start(1 / 2, [0, 1]), Start(1 / 2, [0])], 1 / 2, [0, 1]),
        # The same, but the second start is rarer: the first one makes both places as likely.
        ([Start(3 / 4, [0, 1]), Start(1 / 4, [0])], 1 / 2, [1 / 3, 2 / 3]),
    ],
)
def test_values_by_hand(starts: Sequence[Start], value: float, first: list[float]) -> None:
    """The bounds enclose the value and come together; the first start's mixture is the best one."""
    matching = RegretMatching(starts, one_place)
    for _ in range(1000):
        matching.step()
    low, high = matching.bounds()

    assert low - 1e-9 <= value <= high + 1e-9
    assert high - low < 0.02
    assert pytest.approx(first, abs=0.02) == matching.mixtures()[0]


def test_the_bounds_hold_from_the_first_step() -> None:
    """However few steps were taken, the value is between the bounds."""
    matching = RegretMatching([Start(3 / 4, [0, 1]), Start(1 / 4, [0])], one_place)
    for _ in range(20):
        matching.step()
        low, high = matching.bounds()

        assert low - 1e-9 <= 1 / 2 <= high + 1e-9


def test_each_part_is_answered_alone() -> None:
    """A side that is told the part looks at one place of each."""
    answer = separately(
        [
            lambda chances: one_place({place: chances[place] for place in (0, 1)}),
            lambda chances: one_place({place: chances[place] for place in (2, 3)}),
        ]
    )

    assert (0.75, [1, 2]) == answer({0: 0.125, 1: 0.25, 2: 0.5, 3: 0.125})
