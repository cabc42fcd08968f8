"""The boards' real firmware at a real board's pace: its wire, and how soon a pulled plug is seen
and healed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import serial

from companion.core.placement import Cell, Pawn
from companion.sensors.link import Timing
from companion.sensors.serial.board import SerialBoard
from companion.sensors.serial.messages import Ping
from companion.sensors.serial.transaction import to_wire
from companion.sim.emulated import EmulatedBoard, EmulatedTerminal
from companion.sim.table_model import World
from tests.bench.figure import Figure, at_most, percentile
from tests.sensors.serial.test_board import Callbacks

PINGS = 200


def figures() -> Iterable[Figure]:
    """Measure the presence board."""
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
