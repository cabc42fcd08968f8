"""Random whole games of any game, for the tests that every game must pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from companion.core.game import Action, Event, Game, Seat, State
from companion.core.view import view

MAX_ACTIONS = 3000
"""Random play of every game ends before."""


def begin(game: Game, players: int, rng: Random) -> tuple[State, list[Event]]:
    """Start a game with its default options; return the state and the set-up's events."""
    events = game.setup(game.seat_names(players), game.setup_type(), rng)
    state = game.initial()
    for event in events:
        state = game.evolve(state, event)
    return state, events


Choice = Callable[[Random, Sequence[Action]], Action]


def evenly(rng: Random, legal: Sequence[Action]) -> Action:
    """Draw any legal action with equal probability."""
    return rng.choice(legal)


def random_play(
    game: Game, players: int, rng: Random, choose: Choice = evenly
) -> Iterator[tuple[State, Seat, Action, list[Event], State]]:
    """Yield each step of a random game: state before, seat, action, events, state after."""
    state, _ = begin(game, players, rng)
    for _ in range(MAX_ACTIONS):
        seat = game.to_move(state.public)
        if seat is None:
            return
        action = choose(rng, game.legal_actions(view(state, seat)))
        events = list(game.decide(state, seat, action, rng).events)
        before = state
        for event in events:
            state = game.evolve(state, event)
        yield before, seat, action, events, state
    raise AssertionError(f"{game.name} with {players} players did not end in {MAX_ACTIONS} actions")
