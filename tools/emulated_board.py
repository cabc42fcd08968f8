"""The Nano's real firmware in its emulator, with the virtual board's commands and its page.

`python -m tools.emulated_board [--link PATH] [--page-port PORT] [--field FIELD]` is `companion
board-sim` with the firmware.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Lock
from typing import TypeVar

import click

from companion.cli.board_sim import default_world, port_path, run_board_sim
from companion.core.placement import Cell
from companion.sensors.serial.strips import MAX_STRIPS
from companion.sim.commands import BoardProtocol
from companion.sim.page import listen
from companion.sim.table_model import InvalidMove, World
from companion.sim.terminal import link_to
from companion.sim.virtual_board import BoardKind, Faults
from tests.sensors.serial.strip_chain import StripChain
from tools.emulator import BUILD, Emulator

_T = TypeVar("_T")
_FIELDS = ("6x6", "hex4")
_RESET_PIN = 2
_POLL = 0.02
_COLOURS = {
    b"\x18\x18\x18": "white", b"\x1c\x00\x14": "teal", b"\x18\x28\x00": "gold",
    b"\x00\x28\x00": "red", b"\x28\x00\x00": "green", b"\x00\x00\x28": "blue",
}  # fmt: skip
"""The firmware's lights: green, red, blue."""
_VIRTUAL = (
    "noise", "stolen", "lost", "duplicated", "torn", "missed", "baud", "protocol", "firmware",
    "mask",
)  # fmt: skip
"""Faults of the virtual board's wire, or of another board's program."""


class EmulatedBoard:
    """The emulated firmware over a simulated table; `sync` sends changes.

    `pace`: speed of its time, 1.0 as on a real board, 0.0 stopped.

    Raises `InvalidMove` for a field that the Nano does not have.
    """

    kind: BoardKind = "presence"

    def __init__(self, world: World, *, build: Path = BUILD) -> None:
        if world.field.name not in _FIELDS:
            raise InvalidMove("The firmware's field is 6x6 or hex4.")
        self.world = world
        self.faults = Faults()
        self.starts = 1
        self.emulator = Emulator(build)
        self.pace = 0.0
        self._sent: dict[str, float] = {"pace": 0.0}

    def __repr__(self) -> str:
        return f"EmulatedBoard({self.world.field.name!r})"

    def reset(self, now: float) -> None:
        """Restart by the reset pin."""
        self.starts += 1
        self.emulator.ask(f"reset {_RESET_PIN}")

    def lamps(self) -> Mapping[Cell, str]:
        """Return the colour of each cell whose lamp has got one of the firmware's lights."""
        lights = bytes.fromhex(self.emulator.ask("lamps"))
        return {
            cell: _COLOURS[light]
            for place, cell in enumerate(self.world.field.cells)
            if (light := lights[3 * place : 3 * place + 3]) in _COLOURS
        }

    def sync(self) -> None:
        """Send changes of the table and the faults to the emulator.

        Raise `InvalidMove` for a fault that only the virtual board has.
        """
        self._refuse_virtual()
        faults = self.faults
        closed = self.world.occupied() - faults.stuck.keys()
        closed |= {cell for cell, on in faults.stuck.items() if on}
        chain = StripChain(self.world.field.name)
        chain.idle = 1
        unplugged = (int(text.removeprefix("strip ")) - 1 for text in faults.reported)
        chain.plugged = min(unplugged, default=chain.plugged)
        chain.put(*closed - faults.flicker)
        levels = chain_levels(chain)
        chain.put(*closed | faults.flicker)
        self._send_changed("strips", levels)
        self._send_changed("flicker", levels ^ chain_levels(chain))
        self._send_changed("pace", 0.0 if faults.silence else self.pace)
        if faults.reset_after is not None:
            self.emulator.ask(f"reset-after {max(1, faults.reset_after)}")
            faults.reset_after = None

    def _refuse_virtual(self) -> None:
        none = Faults()
        virtual = [n for n in _VIRTUAL if getattr(self.faults, n) != getattr(none, n)]
        for name in virtual:
            setattr(self.faults, name, getattr(none, name))
        if virtual:
            raise InvalidMove(f"only the virtual board has the fault {virtual[0]}")

    def _send_changed(self, verb: str, value: float) -> None:
        if self._sent.get(verb) != value:
            self._sent[verb] = value
            self.emulator.ask(f"{verb} {value}")


def chain_levels(chain: StripChain) -> int:
    """Return what a Nano reads, a bit a level."""
    chain.load()
    return int.from_bytes(chain.shift(MAX_STRIPS), "big")


class EmulatedTerminal:
    """The firmware behind a serial port; `path` is a link that stays when replugged.

    `pace`: speed of its time, 1.0 as on a real board. A context manager, or `start` and `close`.
    """

    def __init__(self, board: EmulatedBoard, path: Path, pace: float = 1.0) -> None:
        self.path, self.address = path, str(path)
        self.board = board
        self._pace = pace
        self._lock = Lock()
        self._resting = Event()

    def __enter__(self) -> EmulatedTerminal:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def plugged(self) -> bool:
        """Whether the port exists now."""
        plugged = "plugged=1" in self.board.emulator.ask("state")
        if not plugged:
            self.path.unlink(missing_ok=True)
        return plugged

    def start(self) -> None:
        """Plug in; return when the port can be opened."""
        self.board.pace = self._pace
        self.replug()
        self.board.sync()

    def close(self) -> None:
        """Unplug for good."""
        self.path.unlink(missing_ok=True)
        self.board.emulator.close()

    def do(self, action: Callable[[BoardProtocol, float], _T]) -> _T:
        """Run `action` on the board."""
        with self._lock:
            result = action(self.board, 0.0)
            self.board.sync()
        return result

    def unplug(self, after: int | None = None) -> None:
        """Unplug at once, or after this number of further bytes."""
        self.board.emulator.ask("unplug" if after is None else f"unplug-after {after + 1}")
        while self.plugged:
            self._resting.wait(_POLL)

    def replug(self) -> None:
        """Plug in again, which restarts the board; no effect while plugged in."""
        link_to(self.path, self.board.emulator.ask("plug"))


@click.command()
@click.option("--link", type=click.Path(path_type=Path))
@click.option("--page-port", type=int)
@click.option("--field", default="6x6")
def main(link: Path | None, page_port: int | None, field: str) -> None:
    """Run the firmware on a pseudo-terminal until the lines of the standard input end."""
    board = EmulatedBoard(default_world(field))
    with (
        listen(page_port) as listening,
        port_path(link) as path,
        EmulatedTerminal(board, path) as terminal,
    ):
        run_board_sim(terminal, sys.stdin, click.echo, listening)


if __name__ == "__main__":
    main()
