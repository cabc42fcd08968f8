"""A suggestion follows from public events: two games that differ in the secret alone give the same
one, after the same work.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Sequence
from random import Random
from types import FrameType
from typing import Any, Protocol

import msgspec
import pytest

from companion.core.codec import encode_action
from companion.core.game import Action, Event, Game, PublicEvent, Seat
from companion.games import find_game
from tools.secrecy import paired_manhunt, paired_vampireradar

PAIRS = 3
MAKERS: dict[str, Callable[[Random, int], Any]] = {
    "vampireradar": lambda rng, players: paired_vampireradar.twins(rng, players, 40),
    "manhunt": lambda rng, players: paired_manhunt.twins(rng, players, 60),
}


class Turn(Protocol):
    """One submission of a twin."""

    @property
    def seat(self) -> Seat:
        """Who makes it."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """What is done."""


class Work:
    """Counts the calls of functions while it is entered, without the finalizers of garbage that
    other tests left.
    """

    def __init__(self) -> None:
        self.calls = 0

    def __enter__(self) -> Work:
        gc.disable()
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        gc.enable()

    def _count(self, frame: FrameType, event: str, _: object) -> None:
        self.calls += event == "call"


def suggestions(game: Game, players: int, setup: Any, turns: Sequence[Turn]) -> list[bytes]:
    """Play a twin's turns; return the suggestion before each, as its bytes, with the work."""
    assert game.hints is not None
    hints, state = game.hints(), game.initial()
    found: list[bytes] = []

    def publish(events: Iterable[Event]) -> None:
        nonlocal state
        for event in events:
            state = game.evolve(state, event)
            if isinstance(event, PublicEvent):
                hints.observe(event)

    publish(game.setup(game.seat_names(players), setup, Random(0)))
    for turn in turns:
        with Work() as work:
            suggestion = hints.suggest()
        shown = suggestion and [encode_action(suggestion.action), suggestion.reason]
        found.append(msgspec.json.encode([shown, work.calls]))
        for action in turn.actions:
            publish(game.decide(state, turn.seat, action, Random(0)).events)
    return found


@pytest.mark.parametrize("name", MAKERS)
def test_twins_get_the_same_suggestions(name: str) -> None:
    """Before each turn of two games with the same public events and different secrets the
    suggestion is the same, byte by byte, and so is the number of functions that it calls.
    """
    game, given = find_game(name), 0
    for seed in range(PAIRS):
        pair = MAKERS[name](Random(seed), 3)
        assert pair.one != pair.two
        # What is kept of a field or map is computed once.
        suggestions(game, pair.players, pair.setup, pair.one)
        one, two = (
            suggestions(game, pair.players, pair.setup, turns) for turns in (pair.one, pair.two)
        )

        assert one == two
        given += sum(not each.startswith(b"[null") for each in one)
    assert given > 20


@pytest.mark.parametrize("name", MAKERS)
def test_the_secret_seat_gets_none(name: str) -> None:
    """In the turn of the seat that hides there is no suggestion."""
    game = find_game(name)
    pair = MAKERS[name](Random(0), 3)
    shown = suggestions(game, pair.players, pair.setup, pair.one)
    secret = game.seat_names(3)[0]
    by_night = [each for each, turn in zip(shown, pair.one, strict=True) if turn.seat == secret]

    assert by_night
    assert all(each.startswith(b"[null") for each in by_night)
