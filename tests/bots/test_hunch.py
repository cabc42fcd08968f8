"""The weighted belief: exactly the exact set's tiles, and nearer to the truth than an even guess."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.bots.hunch import Hunch
from companion.bots.terrain import INDEX, indices
from companion.core.game import PublicEvent
from companion.games.vampireradar.model import Options, Setup, V
from tests.bots.every_night import GAME
from tests.bots.test_belief import OPTIONS, submission


@given(st.integers(2, 4), st.integers(0, 2**32), OPTIONS)
@settings(max_examples=40)
def test_weights_stand_on_exactly_the_possible_tiles(players: int, seed: int, options: Options) -> None:
    """After every public event of a random game with any options the tiles with weight are those of the exact set,
    and the weights are a share of 1 each."""
    rng = Random(seed)
    hunch = Hunch()
    state = GAME.initial()
    heard = GAME.setup(GAME.seat_names(players), Setup(options), rng)
    for event in heard:
        state = GAME.evolve(state, event)
    told = [event for event in heard if isinstance(event, PublicEvent)]
    for _ in range(60):
        for one in told:
            hunch.hear(one)
            if hunch.belief.public.to_move != V or not hunch.belief.public.placed:
                assert set(indices(hunch.belief.tiles)) == hunch.weights.keys()
        if hunch.weights:
            assert 1 == pytest.approx(sum(hunch.weights.values()))
            assert min(hunch.weights.values()) > 0
            assert INDEX[state.private[V].cell] in hunch.weights
        seat = GAME.to_move(state.public)
        if seat is None:
            break
        _, state, told = submission(state, seat, rng)
