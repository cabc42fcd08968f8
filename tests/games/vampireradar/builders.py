"""Positions on the house field for the rules' cases, and what a line of actions does to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Action, Event, IllegalAction, PublicEvent, Seat, State
from companion.core.placement import Cell, Pawn
from companion.core.view import view
from companion.games.vampireradar.actions import (
    END,
    Attack,
    CallRadar,
    Heal,
    Shoot,
    TakeBullet,
    Walk,
)
from companion.games.vampireradar.layout import HOUSE_FIELD
from companion.games.vampireradar.options import Layout, Options, Setup, V
from companion.games.vampireradar.rules import VampireRadar
from companion.games.vampireradar.state import Public, Vampire
from companion.games.vampireradar.turn_order import turn_points

GAME = VampireRadar()
H1, H2, H3 = Seat("H1"), Seat("H2"), Seat("H3")


def walk(pawn: str, to: str) -> Walk:
    return Walk(pawn=Pawn(pawn), to=Cell(to))


def night_walk(to: str) -> Walk:
    return Walk(to=Cell(to))


def attack(to: str) -> Attack:
    return Attack(to=Cell(to))


def heal(to: str) -> Heal:
    return Heal(to=Cell(to))


def take(pawn: str) -> TakeBullet:
    return TakeBullet(Pawn(pawn))


def radar(pawn: str) -> CallRadar:
    return CallRadar(Pawn(pawn))


def shoot(pawn: str, direction: Any) -> Shoot:
    return Shoot(Pawn(pawn), direction)


def start(players: int = 3, options: Options | None = None, field: Layout = HOUSE_FIELD) -> State:
    """Return the state after the set-up."""
    state = GAME.initial()
    setup = Setup(options or Options(), field)
    for event in GAME.setup(GAME.seat_names(players), setup, Random(0)):
        state = GAME.evolve(state, event)
    return state


def scene(
    vampire: str = "E5",
    pawns: Mapping[str, str] | None = None,
    *,
    players: int = 3,
    turn: Seat = H1,
    points: int | None = None,
    options: Options | None = None,
    **public: Any,
) -> State:
    """Return a position in the middle of a turn. `pawns` are all there are (default: the start);
    more fields of `Public` by name.
    """
    state = start(players, options)
    table: Public = state.public
    standing = (
        table.pawns if pawns is None else {Pawn(pawn): Cell(cell) for pawn, cell in pawns.items()}
    )
    points_left = turn_points(table) if points is None else points
    queue = (*table.humans, V)
    table = replace(
        table,
        pawns=standing,
        placed=True,
        to_move=turn,
        queue=queue[queue.index(turn) + 1 :],
        actions_left=0 if turn == V else points_left,
        **public,
    )
    night = 2 if points is None else points
    own = Vampire(Cell(vampire), night if turn == V else 0, (Cell(vampire),))
    return State(table, {V: own})


def play(state: State, *actions: Action, seat: Seat | None = None) -> tuple[State, list[Event]]:
    """Take the actions, each for the seat to move (or `seat`), and return the state and the
    events.
    """
    events: list[Event] = []
    for action in actions:
        mover = seat or state.public.to_move
        assert mover is not None
        for event in GAME.decide(state, mover, action, Random(0)).events:
            state = GAME.evolve(state, event)
            events.append(event)
    return state, events


def public_of(events: Sequence[Event]) -> list[PublicEvent]:
    return [event for event in events if isinstance(event, PublicEvent)]


def refused(state: State, *actions: Action, seat: Seat | None = None) -> str:
    """Take all actions but the last, expect the last to be refused and not offered, and return the
    reason.
    """
    state, _ = play(state, *actions[:-1], seat=seat)
    mover = seat or state.public.to_move
    assert mover is not None
    assert actions[-1] not in GAME.legal_actions(view(state, mover))
    with pytest.raises(IllegalAction) as error:
        GAME.decide(state, mover, actions[-1], Random(0))
    return error.value.message.code


def cell_of(state: State) -> str:
    """Return the vampire's place."""
    return str(state.private[V].cell)


__all__ = ["END", "GAME", "H1", "H2", "H3", "V"]
