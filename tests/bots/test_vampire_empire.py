"""Vampire Empire's bots: whole games from their own views alone."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.bot_programs import SeatPrograms
from companion.bot_seats import BotSeats
from companion.bots.vampire_empire import LEVELS, choose_action
from companion.clock import SimulatedClock
from companion.core.game import PublicEvent, State
from companion.core.view import view
from companion.games import GAMES
from companion.games.vampire_empire.cards import HUMAN, SEATS, VAMPIRE
from companion.games.vampire_empire.rules import VampireEmpire
from companion.table.log import Log, read_bodies
from companion.table.proof import verify
from companion.table.record import export
from companion.table.table import Table

GAME = VampireEmpire()
MOST = 2000


def game(seed: int, vampire: str, human: str) -> str:
    """Play a game of bots of these levels; return who won."""
    rng = Random(seed)
    state = GAME.initial()
    story: list[PublicEvent] = []
    events = GAME.setup(SEATS, GAME.setup_type(), rng)
    for _ in range(MOST):
        for event in events:
            state = GAME.evolve(state, event)
            if isinstance(event, PublicEvent):
                story.append(event)
        if outcome := GAME.outcome(state.public):
            return outcome.winner
        seat = GAME.to_move(state.public)
        assert seat is not None
        action = choose_action(view(state, seat), story, vampire if seat == VAMPIRE else human, rng)
        assert action in GAME.legal_actions(view(state, seat))
        events = list(GAME.decide(state, seat, action, rng))
    raise AssertionError("no end")


@pytest.mark.parametrize(("vampire", "human"), [(one, two) for one in LEVELS for two in LEVELS])
def test_whole_games(vampire: str, human: str) -> None:
    """Every game of bots ends; simple ones against each other win a fifth or more with either side."""
    ends = Counter(game(seed, vampire, human) for seed in range(60))

    if vampire == human:
        assert min(ends["vampire"], ends["human"]) >= 12, ends


def test_a_bot_knows_its_own_view_alone() -> None:
    """What the other one holds and who is who change nothing of what a bot does."""
    rng = Random(3)
    state = GAME.initial()
    for event in GAME.setup(SEATS, GAME.setup_type(), rng):
        state = GAME.evolve(state, event)
    own = state.private
    blind = State(state.public, {**own, HUMAN: replace(own[HUMAN], characters=("maid",), hand=own[HUMAN].hand[::-1])})

    for level in LEVELS:
        chosen = [choose_action(view(one, VAMPIRE), [], level, Random(9)) for one in (state, blind)]
        assert chosen[0] == chosen[1]


def test_at_a_table(tmp_path: Path) -> None:
    """Two bots play a whole evening at a table, and the record, which bears the sample's label, proves it."""
    clock = SimulatedClock()
    with ThreadPoolExecutor(1) as executor:
        table = Table(GAMES, Log(tmp_path), clock, Random(1).randbytes, Random(2))
        bots = BotSeats(table, clock, Random(3).randbytes, executor, lambda: False, SeatPrograms({}, clock.monotonic))
        table.propose({"game": "vampire_empire", "players": 2})
        for seat in SEATS:
            table.give(seat, "greedy")
        table.start()
        for _ in range(6000):
            if table.picture()["phase"] == "over":
                break
            clock.advance(0.5)
        assert "over" == table.picture()["phase"]
        assert bots is not None
        lines = list(export(read_bodies(tmp_path), GAMES))
        assert any('"label":"SAMPLE CONTENT, not from the box"' in line for line in lines)
        proof = verify(lines, GAMES)
        assert proof.ok, proof.wrong
        table.close()
