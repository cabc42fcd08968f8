"""Unplug and replug the real firmware repeatedly: `python -m tests.emulator.replugs --times N`.

The plug is pulled at a random byte and a pawn is moved; afterwards the serial board must see it
without help. Counts rounds with another result, and leaked descriptors and threads, also in the
emulator. The pawn goes round the field, so that no cell flickers; where a cell is set aside all the
same it is not compared, and the round is counted separately.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.sensors.rfid.registry import TagRegistry
from companion.sim.sensors import BoardKind

from companion.core.placement import Cell, Pawn
from companion.sensors.serial.board import SerialBoard
from companion.sim.emulated import EmulatedBoard, EmulatedTerminal
from companion.sim.table_model import World
from tests.sensors.serial.test_board import QUICK, Callbacks

PACE = 4.0


@dataclass
class Report:
    """The results of a run."""

    rounds: int = 0
    wrong: int = 0
    set_aside: int = 0
    leaked: int = 0

    @property
    def good(self) -> bool:
        """Return whether there was no fault."""
        return not (self.wrong or self.leaked)

    def __str__(self) -> str:
        return (
            f"replugs={self.rounds} wrong={self.wrong} set_aside={self.set_aside} "
            f"leaked={self.leaked}"
        )


def replug(kind: BoardKind, times: int, folder: Path, seed: int = 3) -> Report:
    """Unplug one kind of board `times` times and return the results."""
    rng, report, callbacks = Random(seed), Report(), Callbacks()
    world = World()
    world.put(Pawn("H1b"), Cell("F1"))
    with ExitStack() as stack:
        terminal = stack.enter_context(
            EmulatedTerminal(EmulatedBoard(kind, world), folder / "board", PACE)
        )
        registry = world.registry()
        board = SerialBoard(
            str(terminal.path),
            monotonic=time.monotonic,
            on_observation=callbacks.observe,
            on_link=callbacks.link,
            registry=TagRegistry(given=lambda number: registry),
            timing=QUICK,
        )
        board.start()
        stack.callback(board.close)
        callbacks.until_state("up")
        before = _held(terminal)
        free = [cell for cell in world.geometry.cells if cell != "F1"]
        rng.shuffle(free)
        for n in range(times):
            terminal.unplug(rng.choice((None, *range(20))))
            callbacks.until_state("silent")
            cell = free[n % len(free)]
            terminal.do(lambda board, now, cell=cell: world.put(Pawn("H1b"), cell))  # type: ignore[misc]
            count = len(callbacks.observations)
            terminal.replug()
            callbacks.until(lambda seen=count: len(callbacks.observations) > seen)  # type: ignore[misc]
            last = callbacks.observations[-1]
            standing = {cell for cell, pawns in (last.pawns or {}).items() if pawns} or set(
                last.occupied or ()
            )
            report.rounds += 1
            report.wrong += standing - last.unknown != {cell} - last.unknown
            report.set_aside += cell in last.unknown
        callbacks.until_state("up")
        report.leaked = sum(map(abs, (a - b for a, b in zip(_held(terminal), before, strict=True))))
    return report


def _held(terminal: EmulatedTerminal) -> tuple[int, int, int]:
    """Return the numbers of open threads and descriptors, and of the emulator's descriptors."""
    process = terminal.board.emulator.process
    return (
        threading.active_count(),
        len(os.listdir("/proc/self/fd")),
        len(os.listdir(f"/proc/{process}/fd")),
    )


def main() -> int:
    """Run the command; exit with 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--board", choices=["presence", "identity"], default="presence")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = replug(args.board, args.times, Path(folder))
    print(report)
    return 0 if report.good else 1


if __name__ == "__main__":
    sys.exit(main())
