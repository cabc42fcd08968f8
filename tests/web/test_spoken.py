"""What the displays speak tells nothing secret: pairs of games that differ in the vampire's nights
alone are spoken alike, word by word and moment by moment, with questions asked aloud.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.game import Seat
from companion.games.vampireradar import VampireRadar
from companion.table.errors import Refused
from companion.table.table import QUESTION_SECONDS
from tests.table.play import Play
from tools.secrecy.paired_vampireradar import Turn, twins

pytestmark = pytest.mark.slow
STEP = 0.5
NIGHT = 40.0
"""Seconds within which every night is announced."""
THINKING = 2.0
"""Seconds after which a slow vampire submits: with the questions before, within a night's shortest
time.
"""
SPEAK = Path(__file__).parent / "spoken.mjs"
V = Seat("V")


class Listened:
    """A table for two humans whose updates are written down with their moments, in simulated
    time.
    """

    def __init__(self, folder: Path, leak: bool) -> None:
        self.play = Play(folder, VampireRadar(), seed=5)
        self.table = self.play.table
        self.lines: list[str] = []
        self._updates = self.table.journal.subscribe()
        self._leak = leak

    def run(self, seconds: float = STEP) -> None:
        """Let time pass."""
        for _ in range(round(seconds / STEP)):
            while (update := self._updates.get(0)) is not None:
                at = round(self.play.clock.monotonic(), 1)
                line = {"at": at, "update": msgspec.to_builtins(update)}
                self.lines.append(json.dumps(line))
            self.play.clock.advance(STEP)

    def ask(self, seat: str, what: Any, name: str = "") -> None:
        """Ask aloud; the vampire's phone is refused by night. A leak reads the vampire's cell."""
        private: Any = self.table.state.run.state.private.get(V)
        if self._leak and what == "cell" and private.cell:
            name = private.cell
        try:
            self.table.ask_aloud(Seat(seat), what, name)
        except Refused as refusal:
            assert seat == "V", refusal
        self.run(QUESTION_SECONDS)

    def spoken(self, language: str) -> list[dict[str, Any]]:
        """Return what a display speaks, at every level."""
        done = subprocess.run(
            ["node", str(SPEAK), language],
            input="\n".join(self.lines),
            capture_output=True,
            text=True,
            check=True,
        )
        return [json.loads(line) for line in done.stdout.splitlines()]


def played(
    folder: Path, turns: Sequence[Turn], setup: Any, *, slow: bool, leak: bool = False
) -> Listened:
    """Play these turns, with questions by day and by night; the vampire submits at once or after
    thinking, and asks while it plans, which is refused.
    """
    game = Listened(folder, leak)
    game.table.change_settings({"auto_pick_up": False})
    game.table.lobby.propose(msgspec.to_builtins(setup))
    game.play.start("V", "H1", "H2")
    game.run()
    for turn in turns:
        if turn.seat == "V":
            thinking = THINKING if slow else 0.0
            game.run(thinking)
            if slow:
                with pytest.raises(Refused, match="ask_in_secret"):
                    game.table.ask_aloud(V, "turn")
            game.play.submit("V", *turn.actions)
            game.run(NIGHT - thinking)
            continue
        game.play.submit(turn.seat, *turn.actions)
        game.run()
        if not game.table.state.run.over:
            game.ask(turn.seat, "cell", "C3")
            game.ask("V", "answer")
    return game


@pytest.mark.parametrize(("seed", "language"), [(1, "en"), (2, "nl"), (3, "ja")])
def test_the_vampires_nights_change_no_spoken_word(
    tmp_path: Path, seed: int, language: str
) -> None:
    """Games that differ in the secret and in the moment of the secret acts alone are spoken alike:
    turns, answers, pawns and questions.
    """
    pair = twins(Random(seed), 3, 60)
    one = played(tmp_path / "one", pair.one, pair.setup, slow=False).spoken(language)
    two = played(tmp_path / "two", pair.two, pair.setup, slow=True).spoken(language)

    assert one == two
    recorded = {name for line in one for name in line["recordings"]}
    assert {"spoken.player.1", "spoken.dawn", "spoken.letter.C", "spoken.nobody"} <= recorded
    assert any(name.startswith("spoken.number.") for name in recorded)
    assert {""} == {line["words"] for line in one if line["level"] == "off"}


def test_an_answer_from_the_vampires_cell_is_caught(tmp_path: Path) -> None:
    """The comparison can fail: an answer about the vampire's own cell makes the words differ."""
    pair = twins(Random(1), 3, 24)
    one = played(tmp_path / "one", pair.one, pair.setup, slow=False, leak=True).spoken("en")
    two = played(tmp_path / "two", pair.two, pair.setup, slow=True, leak=True).spoken("en")

    assert one != two
