"""The wiring: a table with everything around it, in one process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app import Companion, build
from companion.board.touch import BoardRefused
from companion.clock import SystemClock
from companion.config import PanelSettings, Settings, Settle
from companion.core.game import Seat
from companion.panel.fake import FakePins
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard
from companion.sim.world import World

PATIENCE = 90.0


def until(condition: Callable[[], Any]) -> None:
    """Wait until a condition holds; nothing is asserted about how long."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    devices = tmp_path / "dev"
    devices.mkdir()
    settings = Settings(
        data=str(tmp_path / "data"),
        board="auto",
        night_floor=0,
        settle=Settle(rest=0.1),
        panel=PanelSettings(pins="fake"),
    )
    table = build(settings, devices=devices)
    yield table
    table.close()


def board_of(companion: Companion) -> dict[str, Any]:
    board: dict[str, Any] = companion.table.picture()["board"]
    return board


def beside(companion: Companion) -> object:
    """Return the devices that are plugged in and not listened to, as the diagnostics page is told."""
    return (companion.reader.diagnostics()["source"] or {}).get("beside")


def test_a_real_board_takes_over_from_the_virtual_one(companion: Companion) -> None:
    """Where nothing was plugged in a virtual board is heard; the first real one that answers takes its place."""
    companion.simulate(0)
    companion.start()
    until(lambda: board_of(companion).get("link") == "up")
    assert "uid" in board_of(companion)["caps"]

    real = VirtualBoard("presence", World())
    with PseudoTerminal(real, time.monotonic, companion.devices / "ttyACM0"):
        until(lambda: "presence" in board_of(companion)["caps"])

        assert str(companion.devices / "ttyACM0") == board_of(companion)["port"]


def test_one_of_two_boards_is_chosen(companion: Companion) -> None:
    """Of two boards that are plugged in the one that a person chooses is heard; a device that is not there is refused
    in words."""
    boards = [VirtualBoard("presence", World()), VirtualBoard("identity", World())]
    first, second = (companion.devices / name for name in ("ttyACM0", "ttyACM1"))
    with PseudoTerminal(boards[0], time.monotonic, first), PseudoTerminal(boards[1], time.monotonic, second):
        companion.start()
        until(lambda: beside(companion) == [str(second)])
        with pytest.raises(BoardRefused):
            companion.bench.use_board("/dev/null")

        companion.bench.use_board(str(second))

        until(lambda: "uid" in board_of(companion)["caps"])
        assert [str(first)] == beside(companion)


def test_the_virtual_table_is_kept_like_the_record(companion: Companion) -> None:
    """A walk that was tapped is made on the virtual table too, so that record and table agree again."""
    companion.simulate(0)
    companion.start()
    table = companion.table
    table.claim(Seat("V"), "Vlad", "11" * 32)
    table.start()
    table.submit(Seat("V"), table.decode([{"type": "place", "cell": "C3"}]), id="1")
    until(lambda: table.picture()["to_move"] == "H1" and not table.picture()["telling"])
    walk = next(action for action in table.picture()["legal"] if action["type"] == "walk")

    table.submit(Seat("H1"), table.decode([walk]), id="2")

    sim = companion.sim
    assert sim is not None
    until(lambda: sim.world.pawns[walk["pawn"]] == walk["to"])
    until(lambda: board_of(companion)["state"] == "in_sync")


def test_the_panels_button_ends_a_turn(companion: Companion) -> None:
    """The box's button ends the turn of the human to move, through the whole wiring."""
    companion.start()
    table = companion.table
    table.claim(Seat("V"), "Vlad", "11" * 32)
    table.start()
    table.submit(Seat("V"), table.decode([{"type": "place", "cell": "C3"}]), id="1")
    until(lambda: table.picture()["to_move"] == "H1" and not table.picture()["telling"])
    pins = companion.panel._pins
    assert isinstance(pins, FakePins)

    pins.press()

    until(lambda: table.picture()["to_move"] == "H2")


def test_the_clock_stops_before_the_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the clock begins in a table's last moment still finds a bot that thinks."""
    companion = build(Settings(data=str(tmp_path / "data"), board="none"))
    close, thought = SystemClock.close, []

    def closed_late(self: SystemClock) -> None:
        thought.append(companion._bots.submit(int).result())
        close(self)

    monkeypatch.setattr(SystemClock, "close", closed_late)
    companion.close()

    assert [0] == thought
