"""Random games of Shisogari keep every invariant; a thousand of them by `python -m
tests.games.shisogari.invariants`.
"""

from __future__ import annotations

import pytest

from companion.games.shisogari.options import Options
from tests.games.shisogari.invariants import play

OPTIONS = [
    Options(),
    Options(pick_colour="free"),
    Options(declare_equals_pick=True),
    Options(pick_colour="free", declare_equals_pick=True),
    Options(last_card="dealt", dealt_pairs="redealt", count_pairs="all"),
    Options(hands="cards", start="first"),
]


@pytest.mark.parametrize("players", [4, 5])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_random_games(players: int, options: Options) -> None:
    """20 cards in hands and pairs, one Vampire, at most two Kins, hands that change by one card a
    turn, real open pairs; every game ends.
    """
    ends = {play(seed, options, players) for seed in range(12)}

    assert ends <= {"vampire_found", "wrong_suspect", "too_few", "hand_lost", "all_bitten"}
