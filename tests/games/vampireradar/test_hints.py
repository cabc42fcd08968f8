"""Hints that continue from a folded state equal hints computed from the start."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.bots.hints import HintCache
from companion.core.game import PublicEvent
from companion.games import GAMES
from companion.games.vampireradar.options import Options, Setup
from tests.games.vampireradar.bots.belief_oracle import GAME
from tests.games.vampireradar.bots.test_belief import OPTIONS, submission

ALL_GAMES = {game.name: game for game in GAMES}


@pytest.mark.slow
@given(st.integers(2, 4), st.integers(0, 2**32), OPTIONS)
@settings(max_examples=20)
def test_what_was_folded_changes_nothing(players: int, seed: int, options: Options) -> None:
    """In a random game, also after submissions were taken back, and in the next game, each call
    returns the same as a first call.
    """
    rng, hint_cache = Random(seed), HintCache(ALL_GAMES)
    for _ in range(2):
        state, events = GAME.initial(), list[PublicEvent]()
        for event in GAME.setup(GAME.seat_names(players), Setup(options), rng):
            assert isinstance(event, PublicEvent)
            state, events = GAME.evolve(state, event), [*events, event]
        before = [(state, events)]
        for _ in range(20):
            seat = GAME.to_move(state.public)
            if seat is None:
                break
            if rng.random() < 0.2:
                state, events = before[rng.randrange(len(before))]
                continue
            before.append((state, events))
            _, state, new_events = submission(state, seat, rng)
            events = [*events, *new_events]
            assert HintCache(ALL_GAMES).odds(GAME.name, events) == hint_cache.odds(
                GAME.name, events
            )


def test_other_games_have_no_such_help() -> None:
    """A game without a hidden place has no odds."""
    assert {} == HintCache(ALL_GAMES).odds("nosferatu", [])
