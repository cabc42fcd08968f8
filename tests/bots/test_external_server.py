"""A household's program at a real server: hosts give it seats over the network, and displays see
the game.
"""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.games import find_game
from tools.secrecy.http import Side

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).with_name("example_bot.py")
TIMEOUT = 60.0
"""Seconds within which a program has answered, however busy the machine is."""
MOST_LOOKS = 2000


class ServedSide(Side):
    """A server in simulated time whose household has its own bot."""

    game_name = "shisogari"
    programs = {"mine": shlex.join([sys.executable, str(EXAMPLE)])}  # noqa: RUF012 - never changed

    def guest_snapshot(self) -> dict[str, object]:
        """Return the snapshot that a guest receives."""
        snapshot: dict[str, object] = json.loads(self._get(self.public, "/snapshot").data)
        return snapshot


def test_a_program_plays_a_whole_game_at_a_server(tmp_path: Path) -> None:
    """All players give their seats to the household's program, which plays the game to its end: a
    guest sees its name before, and the outcome.
    """
    seats = find_game(ServedSide.game_name).seat_names(4)
    with ExitStack() as stack:
        side = ServedSide(tmp_path / "data", len(seats), stack)
        side.companion._programs._seconds = TIMEOUT
        assert ["mine"] == side.guest_snapshot()["programs"]
        for seat in seats:
            assert side.phones[seat].request("give", seat=seat, level="mine")["ok"]
        assert side.phones["paired"].request("start")["ok"]
        for _ in range(MOST_LOOKS):
            side.clock.advance(6)
            if side.guest_snapshot()["phase"] != "play":
                break
        assert "over" == side.guest_snapshot()["phase"]
        assert side.guest_snapshot()["outcome"]
