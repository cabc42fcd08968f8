"""A whole Vampire Radar game through the real firmware: emulated board, pseudo-terminal, serial
board, reader, table.

The game is one of the recorded ones. Humans' walks are made by a hand that moves pawns over the
board, never by an action; the vampire and what nobody can walk (shots, radars, ends of turns) are
submitted as from a phone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app import Application
from companion.clock import SystemClock
from companion.config import Settings, SettleSettings
from companion.core.game import GameError, Seat
from companion.core.placement import Cell, Pawn
from companion.games import GAMES
from companion.sim.table_model import World, apply_placement, default_pawns
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.storage.log import read_bodies
from tests.emulator.conftest import sound
from tools.emulated_board import EmulatedBoard, EmulatedTerminal

TIMEOUT = 120.0
SPEED_UP = 4.0
"""Speed relative to real time; neither board nor host behaves differently."""
GAME = Path(__file__).parents[1] / "fixtures" / "games" / "14-4p.jsonl"
Step = dict[str, Any]


class BoardsClock(SystemClock):
    """The emulated board's own time, so that on a slow machine the host waits as long as the board
    needs; waits for a moment (a dawn) take no time.
    """

    def __init__(self, board: EmulatedBoard) -> None:
        super().__init__()
        self._board = board

    def monotonic(self) -> float:
        return self._board.emulator.seconds()

    def call_at(self, when: float, action: Callable[[], None]) -> None:
        super().call_at(time.monotonic(), action)


class GameTable:
    """A table with the emulated board on its wire, and the hand over it."""

    def __init__(self, folder: Path) -> None:
        self.world = World(default_pawns(humans=3, each=8))
        self.terminal = EmulatedTerminal(EmulatedBoard(self.world), folder / "board", SPEED_UP)
        self.terminal.start()
        settings = Settings(
            data=str(folder / "data"), board=str(self.terminal.path), night_floor=0,
            auto_pick_up=False, settle=SettleSettings(rest=0.1),
        )  # fmt: skip
        self.folder = settings.folder
        self.companion = Application(settings, BoardsClock(self.terminal.board))
        self.table = self.companion.table
        self.questions = 0
        self.tapped = 0
        self._ids = 0

    def close(self) -> None:
        self.companion.close()
        self.terminal.close()

    @property
    def snapshot(self) -> dict[str, Any]:
        return self.table.snapshot()

    @property
    def pawns(self) -> dict[str, str]:
        pawns: dict[str, str] = self.snapshot["view"]["pawns"]
        return pawns

    def until(self, condition: Callable[[], Any], description: str) -> None:
        """Wait until a condition holds; the time it takes is not asserted."""
        end = time.monotonic() + TIMEOUT
        while not condition():
            assert time.monotonic() < end, (description, self.snapshot["board"])
            time.sleep(0.01)

    def agree(self, seat: str) -> None:
        """Wait until a seat is to move, everything is published and the board agrees with the
        record.
        """
        self.until(lambda: self._agreed(self.snapshot, seat), f"in sync for {seat}")

    @staticmethod
    def _agreed(snapshot: dict[str, Any], seat: str) -> bool:
        in_sync = snapshot["board"].get("state") == "in_sync"
        return in_sync and snapshot["to_move"] == seat and not snapshot["revealing"]

    def begin(self, new: Step) -> None:
        """Start the recorded game, with its pawns on the board."""
        self.table.lobby.propose(
            {key: new[key] for key in ("players", "options", "field", "start")}
        )
        self.table.seats.claim(Seat("V"), "Vlad", "11" * 32)
        self.table.start()
        running = self.table.board_view()
        assert running is not None
        game, view = running
        self.terminal.do(lambda board, now: apply_placement(self.world, game.placement(view)))
        self.companion.start()
        self.until(lambda: self.snapshot["board"].get("link") == "up", "the board")

    def submit(self, seat: str, actions: list[Step]) -> None:
        """Submit as from a phone.

        A hand's slower sensors may hold a shot up for a moment: then repeat it.
        """
        self._ids += 1
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                self.table.submit(Seat(seat), self.table.decode(actions), id=str(self._ids))
                return
            except GameError as held:
                assert held.message.code == "board_holdup" and time.monotonic() < end, held
                time.sleep(0.02)

    def walk(self, action: Step) -> None:
        """Move a pawn by hand; choose a reading if the table asks, and tap an action that no
        contact can show, as from a cell of two pawns to another one.
        """
        pawn, to = action["pawn"], action["to"]
        self.agree(pawn[:2])
        before = self.world.occupied()
        self.terminal.do(lambda board, now: self.world.put(Pawn(pawn), Cell(to)))
        changed = before ^ self.world.occupied()
        if len(changed) < 2:
            if changed:
                self.until(
                    lambda: (
                        self.snapshot["board"]["state"] != "in_sync" or self.pawns.get(pawn) == to
                    ),
                    "a changed contact",
                )
            self.tapped += self.pawns.get(pawn) != to
            if self.pawns.get(pawn) != to and self.snapshot["board"]["state"] != "ambiguous":
                self.companion.reader.touch(Pawn(pawn), Cell(to))
        self.until(lambda: self.pawns.get(pawn) == to or self._answer(action), f"{pawn} on {to}")

    def _answer(self, action: Step) -> bool:
        """Choose the right one of the readings that the table offers; False if it offers none. It
        asks even about a single one if the record changed at the moment of the hand's move.
        """
        board = self.snapshot["board"]
        if [action] not in board.get("readings", []):
            return False
        self.questions += 1
        try:
            self.companion.reader.answer("reading", self.companion.table.decode([action]))
        except GameError:
            return False  # it was settled in the meantime
        return bool(self.pawns.get(action["pawn"]) == action["to"])

    def dawn(self, seat: str | None) -> None:
        """Wait until the night is published to its end, then remove the killed pieces from the
        board.
        """
        self.until(
            lambda: not self.snapshot["revealing"] and self.snapshot["to_move"] == seat,
            f"dawn for {seat}",
        )
        self.clear()

    def clear(self) -> None:
        """Remove the pieces that the record no longer has."""
        running = self.table.board_view()
        if running is not None:
            game, view = running
            self.terminal.do(lambda board, now: apply_placement(self.world, game.placement(view)))


@pytest.fixture
def game_table(built: Path, tmp_path: Path) -> Iterator[GameTable]:
    one = GameTable(tmp_path)
    yield one
    sound(one.terminal.board.emulator)
    one.close()


def play(one: GameTable, steps: list[Step]) -> int:
    """Play the steps of a record; return how many walks a hand made."""
    walks, night = 0, []
    for step in steps:
        (action,) = step["actions"]
        if step["seat"] == "V":
            night.append(action)
            if step["to_move"] != "V":
                one.submit("V", night)
                night = []
                one.dawn(step["to_move"])
        elif action["type"] == "walk":
            walks += 1
            one.walk(action)
        else:
            one.agree(step["seat"])
            one.submit(step["seat"], [action])
            one.clear()
    return walks


def end_of(one: GameTable) -> dict[str, Any]:
    """Close the table, replay its record, and return the outcome in it."""
    one.companion.close()
    lines = list(export_record(read_bodies(one.folder), GAMES))
    report = replay_record(lines, GAMES)
    assert report.ok and not report.sealed_at, report
    events = [event for line in map(json.loads, lines) for event in line.get("public", [])]
    return next(event for event in events if event["event"] == "game_over")


def test_a_whole_game(game_table: GameTable) -> None:
    """Every walk of a recorded game is made by hand and recognised, or asked about if two fit; the
    game ends as the recorded one did, and its own record is decided alike a second time.
    """
    new, *steps, end = [json.loads(line) for line in GAME.read_text().splitlines()]
    game_table.begin(new["new"])

    walks = play(game_table, steps)

    assert end["winner"] == end_of(game_table)["winner"]
    assert 17 == walks
    assert 0 < game_table.questions + game_table.tapped < walks, (
        "some walks were clear, some were not"
    )
