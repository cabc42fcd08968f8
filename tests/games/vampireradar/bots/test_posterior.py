"""The weighted belief: exactly the exact set's tiles, and nearer to the truth than an even
guess.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import PublicEvent
from companion.core.placement import Cell
from companion.games.vampireradar.bots.bitboard import INDEX, bitboard_of, indices, mask
from companion.games.vampireradar.bots.posterior import (
    HUNTER,
    NightTargets,
    PosteriorBelief,
    Weights,
    after_night,
)
from companion.games.vampireradar.layout import HOUSE_FIELD, lay
from companion.games.vampireradar.options import Options, Setup, V
from tests.games.vampireradar.bots.belief_oracle import GAME
from tests.games.vampireradar.bots.test_belief import OPTIONS, submission


@pytest.mark.slow
@given(st.integers(2, 4), st.integers(0, 2**32), OPTIONS)
@settings(max_examples=40)
def test_weights_stand_on_exactly_the_possible_tiles(
    players: int, seed: int, options: Options
) -> None:
    """After every public event of a random game with any options the tiles with weight are those of
    the exact set, and the weights add up to 1.
    """
    rng = Random(seed)
    posterior = PosteriorBelief()
    state = GAME.initial()
    all_events = GAME.setup(GAME.seat_names(players), Setup(options), rng)
    for event in all_events:
        state = GAME.evolve(state, event)
    events = [event for event in all_events if isinstance(event, PublicEvent)]
    for _ in range(60):
        for public_event in events:
            posterior.observe(public_event)
            if posterior.belief.public.to_move != V or not posterior.belief.public.placed:
                assert set(indices(posterior.belief.tiles)) == posterior.weights.keys()
        if posterior.weights:
            assert 1 == pytest.approx(sum(posterior.weights.values()))
            assert min(posterior.weights.values()) > 0
            assert INDEX[state.private[V].cell] in posterior.weights
        seat = GAME.to_move(state.public)
        if seat is None:
            break
        _, state, events = submission(state, seat, rng)


HOUSE = bitboard_of(lay(HOUSE_FIELD))


def at(*names: str) -> int:
    return mask([Cell(name) for name in names])


def share(weights: Weights, tiles: int) -> float:
    return sum(weight for tile, weight in weights.items() if tiles >> tile & 1) / sum(
        weights.values()
    )


def test_a_kill_after_which_it_did_not_go_on_bounds_how_far_it_can_be() -> None:
    """A hunter killed on C1, coming from there or from A1. Had it come from C1 it would have had
    the points for the pawn on C3 too; so it came from A1, and is a step from C1 at most.
    """
    start = {INDEX[Cell("A1")]: 0.5, INDEX[Cell("C1")]: 0.5}
    after = after_night(
        HOUSE, start, NightTargets(at("C1", "C3"), 0, 0, False), [INDEX[Cell("C1")]], HUNTER
    )

    assert share(after, at("B1", "C1", "D1", "C2")) > 0.95


def test_a_hunter_comes_for_pawns_that_are_far() -> None:
    """Where all pawns are more than three steps away a silent hunter came nearer, unless they are
    one human's: then it may be anywhere that it could reach.
    """
    start = {INDEX[Cell("A1")]: 1.0}
    nearer = HOUSE.ball[INDEX[Cell("A1")]] & ~HOUSE.near[INDEX[Cell("A1")]]
    several, alone = (
        after_night(HOUSE, start, NightTargets(at("F6"), 0, 0, has_radar), [], HUNTER)
        for has_radar in (False, True)
    )

    assert share(several, nearer) > 0.9
    assert share(alone, nearer) < 0.6


def test_a_hurt_vampire_that_did_not_eat_was_where_no_bat_is() -> None:
    """After a silent night a hurt hunter was not beside the bat on C1; unhurt it may have been."""
    start = {INDEX[Cell("C2")]: 0.5, INDEX[Cell("F6")]: 0.5}
    near_f6 = HOUSE.ball[INDEX[Cell("F6")]]
    hurt, healthy = (
        after_night(HOUSE, start, NightTargets(0, at("C1"), wounds, False), [], HUNTER)
        for wounds in (1, 0)
    )

    assert share(hurt, near_f6) > 0.95
    assert pytest.approx(share(healthy, near_f6)) == 0.5


def test_no_bat_is_missed_once_it_heals_no_more() -> None:
    """A vampire with one wound that ate once had no reason to eat the bat beside it."""
    assert (0, 0) == NightTargets(0, at("C1", "C2"), 1, False).left([INDEX[Cell("C1")]])
    assert (0, at("C2")) == NightTargets(0, at("C1", "C2"), 2, False).left([INDEX[Cell("C1")]])
