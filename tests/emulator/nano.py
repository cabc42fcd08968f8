"""An emulated Nano in its own time: no thread, no port."""

from __future__ import annotations

from tests.firmware.line_reader import LineReader
from tools.emulator import Emulator

SQUARE = [f"{letter}{number}" for number in range(1, 7) for letter in "ABCDEF"]
HEXAGON = [
    f"{letter}{number}"
    for row, letter in enumerate("ABCDEFG")
    for number in range(max(1, row - 2), min(7, row + 4) + 1)
]
FAULTS = ("unplugged", "clockless", "clock-extra", "clock-missed", "flicker", "strips")
QUIET_MS = 600
"""Until a fault that is over is sent no more."""


class Nano:
    """The emulator, and a reader of what the board sends. `reader` begins with each `run`."""

    def __init__(self) -> None:
        self.emulator = Emulator()
        self.reader = LineReader()
        self.cells = SQUARE

    def rest(self) -> None:
        """Take every fault and pawn away; a hexagonal board becomes a square one."""
        for fault in FAULTS:
            self.set(fault, 6 if fault == "strips" else 0)
        self.put()
        if self.cells is not SQUARE:
            self.cells = SQUARE
            self.reset(1)
        self.run(QUIET_MS)

    def hexagonal(self) -> None:
        """Plug in a seventh strip."""
        self.cells = HEXAGON
        self.set("strips", 7)

    def set(self, name: str, value: int) -> None:
        """Set a fault, numbered from 1; 0 ends it."""
        self.emulator.ask(f"{name} {value}")

    def put(self, *cells: str) -> None:
        """Let pawns stand on these cells alone."""
        self.set("cells", sum(1 << self.cells.index(cell) for cell in set(cells)))

    def reset(self, cause: int) -> None:
        """Restart; `cause` as in the controller's flags."""
        self.set("reset", cause)

    def run(self, ms: float, data: bytes = b"") -> LineReader:
        """Send bytes to the board, let time pass, and return what it has sent meanwhile."""
        self.emulator.send(data)
        self.reader = LineReader(self.reader.rest)
        self.reader.read(self.emulator.run(ms))
        return self.reader
