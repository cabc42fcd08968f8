"""Shisogari's bots: whole games from their own views alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.bot_programs import SeatPrograms
from companion.bot_seats import BotSeats
from companion.bots.shisogari import LEVELS, choose_action
from companion.clock import SimulatedClock
from companion.core.game import PublicEvent, Seat, State
from companion.core.view import view
from companion.games import GAMES
from companion.games.shisogari.model import Hand
from companion.games.shisogari.rules import Shisogari
from companion.table.log import Log, read_bodies
from companion.table.proof import verify
from companion.table.record import export
from companion.table.table import Table

GAME = Shisogari()
MOST = 2000


def game(seed: int, players: int, level: str) -> str:
    """Play a game of bots; return who won and how."""
    rng = Random(seed)
    state = GAME.initial()
    story: list[PublicEvent] = []
    events = GAME.setup(GAME.seat_names(players), GAME.setup_type(), rng)
    for _ in range(MOST):
        for event in events:
            state = GAME.evolve(state, event)
            if isinstance(event, PublicEvent):
                story.append(event)
        if outcome := GAME.outcome(state.public):
            return f"{outcome.winner} {outcome.reason}"
        seat = GAME.to_move(state.public)
        assert seat is not None
        action = choose_action(view(state, seat), story, level, rng)
        assert action in GAME.legal_actions(view(state, seat))
        events = list(GAME.decide(state, seat, action, rng))
    raise AssertionError("no end")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("players", [4, 5])
def test_whole_games(players: int, level: str) -> None:
    """Every game of bots ends, and both sides win some."""
    ends = Counter(game(seed, players, level).split()[0] for seed in range(60))

    assert {"hunters", "vampire"} == set(ends)


def test_a_bot_knows_its_own_view_alone() -> None:
    """What other seats hold changes nothing of what a bot does."""
    rng = Random(3)
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(4), GAME.setup_type(), rng):
        state = GAME.evolve(state, event)
    seat = GAME.to_move(state.public)
    assert seat is not None
    others: Mapping[Seat, Hand] = {
        other: hand if other == seat else replace(hand, cards=hand.cards[::-1], role="kin")
        for other, hand in state.private.items()
    }
    blind = State(state.public, others)

    for level in LEVELS:
        chosen = [choose_action(view(one, seat), [], level, Random(9)) for one in (state, blind)]
        assert chosen[0] == chosen[1]


def test_at_a_table(tmp_path: Path) -> None:
    """Four bots play a whole evening at a table, secret placings in their time, and the record proves it."""
    clock = SimulatedClock()
    with ThreadPoolExecutor(1) as executor:
        table = Table(GAMES, Log(tmp_path), clock, Random(1).randbytes, Random(2))
        bots = BotSeats(table, clock, Random(3).randbytes, executor, lambda: False, SeatPrograms({}, clock.monotonic))
        table.propose({"game": "shisogari", "players": 4})
        for number in range(1, 5):
            table.give(Seat(f"P{number}"), LEVELS[number % 2])
        table.start()
        for _ in range(6000):
            if table.picture()["phase"] == "over":
                break
            clock.advance(0.5)
        assert "over" == table.picture()["phase"]
        assert bots is not None
        proof = verify(export(read_bodies(tmp_path), GAMES), GAMES)
        assert proof.ok, proof.wrong
        table.close()
