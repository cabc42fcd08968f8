"""Random games of Nosferatu under rules written without the game's own code; `make soak` plays a
thousand.
"""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.nosferatu import movement
from tests.games.nosferatu.oracle import Broken, play


@pytest.mark.slow
def test_random_games_break_no_law() -> None:
    """In whole random games every offer, change and position follows the rules, counted by
    coordinates alone.
    """
    counts = sum((play(seed) for seed in range(24)), Counter[str]())

    assert {"enter", "jump", "move"} <= set(counts)


def test_a_broken_rule_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that lets pieces enter where they can be taken fails the check."""
    monkeypatch.setattr(movement, "exposed_cells", lambda *_: frozenset())

    with pytest.raises(Broken, match="each safe cell is offered"):
        for seed in range(8):
            play(seed)
