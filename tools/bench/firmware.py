"""The Nano's real firmware at a real board's speed: its serial line, and how soon an unplugged
board is reported and used again.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import serial

from companion.app import Application
from companion.config import Settings
from companion.core.placement import Cell, Pawn
from companion.sensors.link import Timing
from companion.sensors.serial.board import SerialBoard
from companion.sim.commands import BoardProtocol
from companion.sim.table_model import World
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard
from tests.helpers.usb import know_usb
from tests.sensors.serial.test_board import Callbacks
from tools.bench.figure import Figure, at_most, percentile
from tools.emulated_board import EmulatedBoard, EmulatedTerminal

CHANGES = 100
LATE = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds from the table's start until the board is plugged in."""


def figures() -> Iterable[Figure]:
    """Measure the Nano."""
    yield at_most("firmware: first plugged in late, until it is used", longest_late_plug(), 3, "s")
    with tempfile.TemporaryDirectory() as folder:
        world = World()
        world.put(Pawn("H1a"), Cell("A1"))
        with EmulatedTerminal(EmulatedBoard(world), Path(folder) / "board") as terminal:
            yield at_most(
                "firmware: a contact closes, until its line is read",
                1000 * percentile(changes(terminal), 0.5),
                25,
                "ms at p50",
            )
            yield from plug_figures(terminal)


def changes(terminal: EmulatedTerminal) -> list[float]:
    """Return how long a pawn's new cell takes to the end of its line through pyserial, in
    seconds: 15 to 20 ms are the firmware's debounce.
    """
    times = []
    with serial.Serial(str(terminal.path), 115_200, timeout=1) as port:
        for number in range(CHANGES):
            cell = f"{'ABCDEF'[number % 6]}{number // 6 % 6 + 1}"
            time.sleep(0.05)
            start = time.perf_counter()
            terminal.do(partial(put, cell=Cell(cell)))
            while not port.readline().startswith(cell.encode()):
                pass
            times.append(time.perf_counter() - start)
    return times


def put(board: BoardProtocol, now: float, cell: Cell) -> None:
    """Set the pawn on a cell."""
    board.world.put(Pawn("H1a"), cell)


def longest_late_plug() -> float:
    """Return the longest time until a table uses a board that is plugged in for the first time,
    beside two silent devices and instead of a virtual board.
    """
    return max(seconds_until_used(pause) for pause in LATE)


def seconds_until_used(pause: float) -> float:
    """Return the seconds from plugging in until the table uses the board."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        devices = folder / "dev"
        devices.mkdir()
        for name in ("ttyUSB0", "ttyUSB1"):
            silent = VirtualBoard("presence", World())
            silent.faults.mask = "mute"
            stack.enter_context(PseudoTerminal(silent, time.monotonic, devices / name))
            know_usb(devices, name)
        board = EmulatedTerminal(EmulatedBoard(World()), know_usb(devices, "ttyACM0"))
        stack.callback(board.close)
        application = Application(
            Settings(data=str(folder / "data"), board="auto"), devices=devices
        )
        stack.callback(application.close)
        application.sources.simulate(0)
        application.start()
        time.sleep(pause)
        start = time.monotonic()
        board.start()
        while (status := application.reader.status())["link"] != "up" or status[
            "source"
        ] != "serial":
            time.sleep(0.01)
        return time.monotonic() - start


def plug_figures(terminal: EmulatedTerminal) -> Iterable[Figure]:
    """Unplug the board, plug it in, and silence it; yield the seconds until the host reports
    each.
    """
    callbacks = Callbacks()
    board = SerialBoard(
        str(terminal.path),
        monotonic=time.monotonic,
        on_observation=callbacks.observe,
        on_link=callbacks.link,
        timing=Timing(),
    )
    board.start()
    try:
        callbacks.until_state("up")
        yield at_most(
            "firmware: unplugged, until it is shown",
            seconds_until_state(terminal.unplug, callbacks, "silent"),
            1,
            "s",
        )
        yield at_most(
            "firmware: plugged in, until it is back",
            seconds_until_state(terminal.replug, callbacks, "up"),
            3,
            "s",
        )
        terminal.board.faults.silence = True
        yield at_most(
            "firmware: silent, until it is shown",
            seconds_until_state(terminal.board.sync, callbacks, "silent"),
            1,
            "s",
        )
    finally:
        board.close()


def seconds_until_state(action: Callable[[], object], callbacks: Callbacks, state: str) -> float:
    """Return the seconds from an action until the link is in a state."""
    start = time.monotonic()
    action()
    callbacks.until_state(state)
    return time.monotonic() - start
