"""Vampire Radar: what must hold in every random game; answers are computed here a second time."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Action, Event, Seat, State
from companion.core.view import view
from companion.games.vampireradar.actions import Attack, Heal, Walk
from companion.games.vampireradar.events import (
    BatEaten,
    PawnsKilled,
    PawnWalked,
    RadarCalled,
    ShotFired,
    TurnStarted,
)
from companion.games.vampireradar.options import Options, Setup, V
from companion.games.vampireradar.state import Public
from tests.games.vampireradar.builders import GAME

OPTIONS = st.builds(
    Options,
    turn_order=st.sampled_from(["fixed", "rotating"]),
    exhaustion=st.sampled_from(["strict", "hopeless"]),
    announce=st.sampled_from(["immediate", "turn_end"]),
    lazy_landing=st.booleans(),
    vampire_may_share=st.booleans(),
    pawns_per_turn=st.integers(1, 3),
    bullets_each=st.none() | st.integers(1, 6),
)
STEPS = 120
OFFSETS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def place(cell: str) -> tuple[int, int]:
    return "ABCDEF".index(cell[0]), int(cell[1]) - 1


def on_the_line(walls: tuple[str, ...], start: str, direction: str, goal: str) -> bool:
    """Walk the bullet's way tile by tile, by the walls' names alone."""
    blocked = {frozenset(wall.split("-")) for wall in walls}
    cell = start
    while True:
        if cell == goal:
            return True
        (x, y), (dx, dy) = place(cell), OFFSETS[direction]
        if not (0 <= x + dx < 6 and 0 <= y + dy < 6):
            return False
        next_cell = f"{'ABCDEF'[x + dx]}{y + dy + 1}"
        if frozenset((cell, next_cell)) in blocked:
            return False
        cell = next_cell


def check(before: State, seat: Seat, action: Action, events: list[Event], after: State) -> None:
    """Check the effects of one action against the rules' words."""
    table: Public = before.public
    hidden = str(before.private[V].cell)
    for event in events:
        if isinstance(event, RadarCalled):
            (x, y), (hx, hy) = place(event.cell), place(hidden)
            assert abs(x - hx) + abs(y - hy) == event.distance
        if isinstance(event, ShotFired):
            assert (
                on_the_line(table.field.layout.walls, event.cell, event.direction, hidden)
                == event.hit
            )
            assert table.hp - event.hit == event.vampire_hp
        if isinstance(event, PawnWalked):
            (x, y), (tx, ty) = place(event.origin), place(event.to)
            assert 1 == abs(x - tx) + abs(y - ty)
        if isinstance(event, TurnStarted) and event.seat == V:
            assert event.actions_left is None
    if seat == V and isinstance(action, Walk | Attack | Heal):
        assert action.to == after.private[V].cell
    public: Public = after.public
    assert 0 <= public.hp <= public.max_hp
    assert all(0 <= count <= 6 for count in public.bullets.values())
    assert set(public.pawns) <= set(table.pawns)
    assert public.outcome is None or public.to_move is None


@pytest.mark.slow
@given(st.integers(2, 4), st.integers(0, 2**32), OPTIONS)
@settings(max_examples=120)
def test_every_answer_is_right(players: int, seed: int, options: Options) -> None:
    """In random play with any options every radar answer, shot and step equals a second
    computation; hands, lives and pawns stay in their bounds; the vampire walks at most twice a
    night.
    """
    rng = Random(seed)
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(players), Setup(options), rng):
        state = GAME.evolve(state, event)
    dealt = sum(state.public.bullets.values()) + len(state.public.bullet_tokens)
    walks = 0
    for _ in range(STEPS):
        seat = GAME.to_move(state.public)
        if seat is None:
            break
        action = rng.choice(list(GAME.legal_actions(view(state, seat))))
        before, events = state, list(GAME.decide(state, seat, action, rng).events)
        for event in events:
            state = GAME.evolve(state, event)
        check(before, seat, action, events, state)
        walks = walks + isinstance(action, Walk) if seat == V else 0
        assert walks <= 2
        public = state.public
        assert (
            dealt
            == sum(public.bullets.values()) + len(public.bullet_tokens) + public.spent + public.lost
        )


@pytest.mark.slow
@given(st.integers(2, 4), st.integers(0, 2**32))
@settings(max_examples=60)
def test_kills_and_meals_tell_where_the_vampire_is(players: int, seed: int) -> None:
    """At a kill or a meal that is published at once the vampire stands on that very tile."""
    rng = Random(seed)
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(players), Setup(), rng):
        state = GAME.evolve(state, event)
    for _ in range(STEPS):
        seat = GAME.to_move(state.public)
        if seat is None:
            break
        legal = list(GAME.legal_actions(view(state, seat)))
        eventful = [action for action in legal if isinstance(action, Attack | Heal)]
        for event in GAME.decide(state, seat, rng.choice(eventful or legal), rng).events:
            state = GAME.evolve(state, event)
            if isinstance(event, PawnsKilled | BatEaten):
                assert event.cell == state.private[V].cell
