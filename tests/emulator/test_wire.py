"""The real firmware on a real serial line, read by the companion's own thread: plugs, restarts and
faults. Nothing is timed: tests wait for the result.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Condition

import pytest

from companion.core.placement import Cell, Pawn
from companion.sensors.link import Link, Timing
from companion.sensors.observation import Observation
from companion.sensors.serial.board import SerialBoard
from companion.sim.table_model import World
from tests.emulator.conftest import sound
from tests.emulator.nano import SQUARE
from tests.helpers.repetitions import soak
from tools.emulated_board import EmulatedBoard, EmulatedTerminal

TIMEOUT = 60.0
PATIENT = Timing(ask_for=1.5, silent=2.0, reopen_first=0.02, reopen_most=0.1)
"""A loaded machine's emulator may pause for a second."""
PACE = 4.0


class Wire:
    """An emulated board with a pawn on A1, and the companion's thread that reads it."""

    def __init__(self, folder: Path) -> None:
        self.world = World()
        self.world.put(Pawn("H1a"), Cell("A1"))
        self.terminal = EmulatedTerminal(EmulatedBoard(self.world), folder / "board", PACE)
        self.seen: list[Observation] = []
        self.links: list[Link] = []
        self.late = 0.0
        self._changed = Condition()
        self._board = SerialBoard(
            str(self.terminal.path), timing=PATIENT,
            monotonic=lambda: time.monotonic() + self.late,
            on_observation=lambda each: self._add(self.seen, each),
            on_link=lambda each: self._add(self.links, each),
        )  # fmt: skip
        self.terminal.start()
        self._board.start()

    def close(self) -> None:
        self._board.close()
        self.terminal.close()

    def _add(self, list_: list[Observation] | list[Link], value: Observation | Link) -> None:
        with self._changed:
            list_.append(value)  # type: ignore[arg-type]
            self._changed.notify_all()

    def wait_for(self, condition: Callable[[], bool], seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(condition, seconds)

    def until(self, condition: Callable[[], bool]) -> None:
        assert self.wait_for(condition, TIMEOUT), (self.links[-3:], self.seen[-2:])

    def until_occupied(self, *cells: str) -> None:
        self.until(lambda: bool(self.seen) and self.seen[-1].occupied == frozenset(cells))

    def until_state(self, state: str) -> None:
        self.until(lambda: bool(self.links) and self.links[-1].state == state)

    def put(self, cell: str) -> None:
        self.terminal.do(lambda board, now: board.world.put(Pawn("H1a"), Cell(cell)))

    def ask(self, line: str) -> None:
        self.terminal.board.emulator.ask(line)


@pytest.fixture
def wire(built: Path, tmp_path: Path) -> Iterator[Wire]:
    one = Wire(tmp_path)
    one.until_occupied("A1")
    yield one
    sound(one.terminal.board.emulator)
    one.close()


def test_the_host_sees_what_stands(wire: Wire) -> None:
    """The link is up with the field and the firmware's version, and a pawn's moves are read."""
    for cell in ("B1", "C3", "F6"):
        wire.put(cell)
        wire.until_occupied(cell)

    assert ("up", 36) == (wire.links[-1].state, len(wire.links[-1].cells))
    assert {("A1",), ("B1",), ("C3",), ("F6",), ()} >= {tuple(s.occupied or ()) for s in wire.seen}


@pytest.mark.parametrize("times", [3, *soak(300)])
def test_unplugged_at_any_byte(wire: Wire, times: int) -> None:
    """Each time it is shown, what moved meanwhile is read when the plug is back, and no thread or
    descriptor is left behind.
    """
    rng = Random(times)
    wire.terminal.unplug()
    wire.until_state("silent")
    before = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for number in range(times):
        cell = SQUARE[1 + number % 35]  # none so often that it would be taken for a flickering one
        wire.put(cell)
        wire.terminal.replug()
        wire.until_occupied(cell)
        wire.terminal.unplug(rng.randrange(40))
        wire.until_state("silent")

    assert before == (threading.active_count(), len(os.listdir("/proc/self/fd")))
    wire.terminal.replug()
    wire.until_state("up")


def test_a_brown_out_is_noticed(wire: Wire) -> None:
    """The board restarts: people are told, and what stands is read again.

    It restarts again if the machine was so slow that the host took it for a silent one.
    """

    def told() -> bool:
        return any(link.message and link.message.code == "link.reset" for link in wire.links)

    end = time.monotonic() + TIMEOUT
    while not told() and time.monotonic() < end:
        wire.until_state("up")
        wire.late += PATIENT.ask_for  # a greeting is no answer to what was asked so long ago
        wire.ask("reset 4")
        wire.wait_for(told, PATIENT.silent)
    assert told()

    wire.put("C3")
    wire.until_occupied("C3")


def test_a_broken_strip_is_no_pawn_and_takes_none(wire: Wire) -> None:
    """A plug that falls out is named as long as it is out; the pawns are where they were, and a
    move made meanwhile is read after it.
    """
    wire.terminal.do(lambda board, now: board.faults.reported.add("strip 1"))
    wire.until(lambda: wire.links[-1].faults == ("strip 1",))
    seen = len(wire.seen)
    wire.put("B1")
    wire.terminal.do(lambda board, now: board.faults.reported.clear())
    wire.until_occupied("B1")

    assert () == wire.links[-1].faults
    assert {frozenset({"B1"})} == {each.occupied for each in wire.seen[seen:]}


def test_a_silent_board_is_shown(wire: Wire) -> None:
    """A board that sends nothing more is silent; when it sends again, it is up."""
    wire.ask("pace 0")
    wire.until_state("silent")
    wire.ask("pace 1")
    wire.until_state("up")
