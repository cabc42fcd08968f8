"""An emulated Nano in its own time: no thread, no port."""

from __future__ import annotations

from tests.firmware.line_reader import LineReader
from tests.sensors.serial.strip_chain import StripChain
from tools.emulated_board import chain_levels
from tools.emulator import Emulator

SQUARE = [f"{letter}{number}" for number in range(1, 7) for letter in "ABCDEF"]
HEXAGON = [
    f"{letter}{number}"
    for row, letter in enumerate("ABCDEFG")
    for number in range(max(1, row - 2), min(7, row + 4) + 1)
]
QUIET_MS = 600
"""Until a fault that is over is sent no more."""


class Nano:
    """The emulator, and a reader of what the board sends. `reader` begins with each `run`."""

    def __init__(self) -> None:
        self.emulator = Emulator()
        self.reader = LineReader()
        self.chain = StripChain()
        self.cells = SQUARE

    def rest(self) -> None:
        """Take every fault and pawn away; a hexagonal board becomes a square one."""
        self.chain, self.chain.idle = StripChain(), 1
        self.emulator.ask("flicker 0")
        self.put()
        if self.cells is not SQUARE:
            self.cells = SQUARE
            self.reset(1)
        self.run(QUIET_MS)

    def hexagonal(self) -> None:
        """Plug in a seventh strip."""
        self.cells, self.chain = HEXAGON, StripChain("hex4")
        self.wire(idle=1)

    def put(self, *cells: str) -> None:
        """Let pawns stand on these cells alone."""
        names = cells if self.cells is SQUARE else [cell.lower() for cell in cells]
        self.chain.put(*names)
        self.wire()

    def wire(self, **faults: int) -> None:
        """Set these faults of the chain, which remain."""
        for name, value in faults.items():
            setattr(self.chain, name, value)
        self.emulator.ask(f"strips {chain_levels(self.chain):#x}")

    def flicker(self, cell: str) -> None:
        """Let an empty cell's contact close and open by itself."""
        empty = chain_levels(self.chain)
        self.put(cell)
        self.emulator.ask(f"flicker {empty ^ chain_levels(self.chain):#x}")
        self.put()

    def unplug(self, strip: int) -> None:
        """Pull a strip's plug; 0 plugs all in."""
        self.wire(plugged=strip - 1 if strip else self.chain.strips)

    def reset(self, cause: int) -> None:
        """Restart; `cause` as in the controller's flags."""
        self.emulator.ask(f"reset {cause}")

    def run(self, ms: float, data: bytes = b"") -> LineReader:
        """Send bytes to the board, let time pass, and return what it has sent meanwhile."""
        self.emulator.send(data)
        self.reader = LineReader(self.reader.rest)
        self.reader.read(self.emulator.run(ms))
        return self.reader
