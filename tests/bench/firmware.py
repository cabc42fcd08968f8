"""The boards' real firmware at a real board's pace: its wire, and how soon a pulled plug is seen
and healed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

import serial

from companion.app import build_application
from companion.config import Settings
from companion.core.placement import Cell, Pawn
from companion.sensors.link import Timing
from companion.sensors.serial.board import SerialBoard
from companion.sensors.serial.messages import Ping
from companion.sensors.serial.transaction import to_wire
from companion.sim.emulated import EmulatedBoard, EmulatedTerminal
from companion.sim.table_model import World
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard
from tests.bench.figure import Figure, at_most, percentile
from tests.sensors.serial.test_board import Callbacks

PINGS = 200
LATE = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds from the table's start to the plug: silent devices are asked for some of them."""


def figures() -> Iterable[Figure]:
    """Measure the presence board."""
    yield at_most("firmware: first plugged in late, until it is used", late_plugs(), 3, "s")
    with tempfile.TemporaryDirectory() as folder:
        world = World()
        world.put(Pawn("H1a"), Cell("A1"))
        with EmulatedTerminal(EmulatedBoard("presence", world), Path(folder) / "board") as terminal:
            yield at_most(
                "firmware: a ping and back", 1000 * percentile(pings(terminal), 0.5), 3, "ms at p50"
            )
            yield from plugs(terminal)


def pings(terminal: EmulatedTerminal) -> list[float]:
    """Return how long pings take through pyserial, in seconds."""
    times = []
    with serial.Serial(str(terminal.path), 250_000, timeout=1) as port:
        time.sleep(0.5)
        port.reset_input_buffer()
        for n in range(1, PINGS + 1):
            begun = time.perf_counter()
            port.write(to_wire(Ping().frame(n)))
            port.read_until(b"\0")
            times.append(time.perf_counter() - begun)
    return times


def late_plugs() -> float:
    """Return the longest time until a table uses a board that is plugged in for the first time,
    beside two silent devices and instead of a virtual board.
    """
    return max(late_plug(pause) for pause in LATE)


def late_plug(pause: float) -> float:
    """Return the seconds from the plug until the table uses the board."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        devices = folder / "dev"
        devices.mkdir()
        for name in ("ttyUSB0", "ttyUSB1"):
            silent = VirtualBoard("presence", World())
            silent.faults.mask = "mute"
            stack.enter_context(PseudoTerminal(silent, time.monotonic, devices / name))
        board = EmulatedTerminal(EmulatedBoard("presence", World()), devices / "ttyACM0")
        stack.callback(board.close)
        table = build_application(
            Settings(data=str(folder / "data"), board="auto"), devices=devices
        )
        stack.callback(table.close)
        table.sources.simulate(0)
        table.start()
        time.sleep(pause)
        begun = time.monotonic()
        board.start()
        while (status := table.reader.status())["link"] != "up" or status["source"] != "serial":
            time.sleep(0.01)
        return time.monotonic() - begun


def plugs(terminal: EmulatedTerminal) -> Iterable[Figure]:
    """Pull the plug, put it back, let the board fall silent: each is seen by the host with the
    protocol's patience.
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
            waited(terminal.unplug, callbacks, "silent"),
            1,
            "s",
        )
        yield at_most(
            "firmware: plugged in, until it is back",
            waited(terminal.replug, callbacks, "up"),
            3,
            "s",
        )
        terminal.board.faults.silence = True
        yield at_most(
            "firmware: silent, until it is shown",
            waited(terminal.board.sync, callbacks, "silent"),
            3,
            "s",
        )
    finally:
        board.close()


def waited(action: Callable[[], object], callbacks: Callbacks, state: str) -> float:
    """Return how many seconds after an action the link is in a state."""
    begun = time.monotonic()
    action()
    callbacks.until_state(state)
    return time.monotonic() - begun
