"""An external bot receives only what its seat may know: its questions are the same in two games
that differ only in what it may not know.
"""

from __future__ import annotations

import json
import random
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from msgspec import Struct

from companion.bots.external_pool import ExternalBotPool
from companion.core.codec import encode_actions
from companion.core.game import Action, GameError, Seat, State, View
from companion.games import find_game
from companion.games.shisogari import deal as shisogari_deal
from companion.games.vampire_empire import deal as vampire_empire_deal
from companion.games.vampireradar.options import V
from companion.games.vwars import deal as vwars_deal
from companion.table import bot_views, snapshot
from companion.table.fairness.shuffle import Shuffle
from companion.table.table import Table
from tests.bots.test_runner import BotMatch, opened
from tests.helpers.repetitions import soak
from tests.table.play import start_with_all
from tools.secrecy.http import MAKERS

pytestmark = pytest.mark.slow

TIMEOUT = 60.0
DEALING: dict[str, Any] = {
    "shisogari": shisogari_deal,
    "vampire_empire": vampire_empire_deal,
    "vwars": vwars_deal,
}
"""The module that deals, for each game with a deal."""
RECORDER = """
import json, random, sys, time
chance = random.Random(sys.argv[3])
with open(sys.argv[1]) as file:
    script = json.load(file)
for number, line in enumerate(sys.stdin):
    with open(sys.argv[2], "a") as questions:
        questions.write(line)
    time.sleep(chance.random() / 50)
    print(json.dumps({"actions": script[number]}), flush=True)
"""
"""A program that writes each question to a file and sends scripted answers after random delays."""

PLANTED = ["shisogari", *soak(*(name for name in MAKERS if name != "shisogari"))]
"""The games of which a planted leak is looked for; `make test` takes one."""


class Submission(Struct, frozen=True):
    """A seat's actions in one submission, and the seed of their draws."""

    seat: Seat
    actions: Sequence[Action]
    chance: str


class PairSide(Struct, frozen=True):
    """One side of a pair; `deal` is None in a game without a deal."""

    submissions: Sequence[Submission]
    deal: Any


class BotQuestions(Struct, frozen=True):
    """The questions that a program received, and whether it lost its seat by its answers."""

    questions: list[str]
    lost_seat: bool


class Pair(Struct, frozen=True):
    """Two games that are the same for the seat `alike`."""

    game: str
    players: int
    setup: dict[str, Any]
    alike: Seat
    sides: tuple[PairSide, PairSide]


def make_pair(game: str, seed: int) -> Pair:
    """Return a pair of some dozen submissions, in which the seat `alike` acts a few times."""
    draw = random.Random(f"{game} {seed}")
    while True:
        players = draw.choice(find_game(game).seats)
        twins: Any = MAKERS[game](draw, players, 30)
        alike = Seat("H1") if game == "vampireradar" else twins.alike
        first, second = map(game_table_of, (twins.one, twins.two))
        if sum(submission.seat == alike for submission in first.submissions) > 2:
            return Pair(game, players, msgspec.to_builtins(twins.setup), alike, (first, second))


def game_table_of(side: Any) -> PairSide:
    """Return one side of the pairs of any game."""
    if isinstance(side, tuple):
        return PairSide([Submission(turn.seat, turn.actions, "") for turn in side], None)
    return PairSide(
        [Submission(turn.seat, [turn.action], turn.chance) for turn in side.turns], side.deal
    )


def questions(folder: Path, pair: Pair, game_table: PairSide, private: str) -> BotQuestions:
    """Play a game with a program at the seat `alike`; return its questions, up to where it lost its
    seat.
    """
    folder.mkdir()
    script, received, program = folder / "script", folder / "heard", folder / "program.py"
    answers = [
        submission.actions for submission in game_table.submissions if submission.seat == pair.alike
    ]
    script.write_text(json.dumps([encode_actions(actions) for actions in answers]))
    program.write_text(RECORDER)
    command = [sys.executable, str(program), str(script), str(received), private]
    bots = ExternalBotPool({"mine": shlex.join(command)}, time.monotonic, TIMEOUT)
    with ExitStack() as stack:
        chance = ["start"]
        if pair.game in DEALING:
            stack.enter_context(
                patch.object(DEALING[pair.game], "draw", lambda *_: game_table.deal)
            )
        stack.enter_context(patch.object(Shuffle, "draw", lambda *_: chance[0]))
        match = stack.enter_context(opened(folder / "data", bots))
        submissions = stack.enter_context(Submissions(pair.alike))
        begin(match.table, pair)
        for number, submission in enumerate(game_table.submissions):
            chance[0] = submission.chance
            if submission.seat == pair.alike:
                expected_count = len(submissions) + 1
                end = time.monotonic() + TIMEOUT
                while len(submissions) < expected_count and not match.snapshot["paused"]:
                    assert time.monotonic() < end
                    match.clock.advance(0.25)
            else:
                submit(match, submission, f"{number}")
            if match.snapshot["paused"]:
                break
        lost_seat = match.snapshot["paused"]
    return BotQuestions(received.read_text().splitlines(), lost_seat)


def begin(table: Table, pair: Pair) -> None:
    """Start the game of a pair with a program at one seat and phones at the others; the table takes
    no action by itself.
    """
    table.change_settings({"auto_pick_up": False})
    table.lobby.propose({"game": pair.game, "players": pair.players, **pair.setup})
    table.seats.give(pair.alike, "mine")
    for number, seat in enumerate(find_game(pair.game).seat_names(pair.players), start=1):
        if seat != pair.alike:
            table.seats.claim(seat, f"Name {seat}", f"{number:064x}")
    start_with_all(table)


class Submissions(list[Sequence[Action]]):
    """The submissions of one seat while the context is entered."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        submit = Table.submit

        def submit_and_keep(
            table: Table, acting: Seat, actions: Sequence[Action], **kwargs: Any
        ) -> Any:
            answer = submit(table, acting, actions, **kwargs)
            if acting == seat:
                self.append(actions)
            return answer

        self._patch = patch.object(Table, "submit", submit_and_keep)

    def __enter__(self) -> Submissions:
        self._patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.stop()


def submit(match: BotMatch, submission: Submission, key: str) -> None:
    """Submit as soon as the table accepts it: earlier events must be published first."""
    for _ in range(200):
        try:
            match.table.submit(submission.seat, list(submission.actions), id=key)
        except GameError as error:
            last_error = error
            match.clock.advance(0.25)
        else:
            return
    raise last_error


def both_sides(folder: Path, pair: Pair) -> Iterator[BotQuestions]:
    """Yield the program's questions on either side of a pair."""
    for number, game_table in enumerate(pair.sides):
        yield questions(folder / f"{number}", pair, game_table, f"{number}")


@pytest.mark.parametrize("game", MAKERS)
@pytest.mark.parametrize("seed", [1, *soak(2)])
def test_a_program_gets_the_same_questions(game: str, seed: int, tmp_path: Path) -> None:
    """A program's seat knows the same in both games of a pair: every question is the same, byte by
    byte, whatever the other seats' secrets.
    """
    first, second = both_sides(tmp_path, make_pair(game, seed))

    assert not first.lost_seat
    assert len(first.questions) > 2
    assert first == second


@pytest.mark.parametrize("game", PLANTED)
def test_other_seats_events_would_be_seen(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: a table that sends a bot every event makes the questions differ."""
    monkeypatch.setattr(snapshot, "may_see", lambda event, seat: True)
    first, second = both_sides(tmp_path, make_pair(game, 1))

    assert first.questions != second.questions


@pytest.mark.parametrize("game", PLANTED)
def test_another_seat_s_view_would_be_seen(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: a table that sends a bot another seat's private view makes the questions differ."""

    def leaking(state: State, seat: Seat) -> View:
        other = next(name for name in state.private if name != seat)
        return View(seat, state.public, state.private[V if V in state.private else other])

    monkeypatch.setattr(bot_views, "view", leaking)
    first, second = both_sides(tmp_path, make_pair(game, 1))

    assert first.questions != second.questions
