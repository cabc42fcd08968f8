"""A session and a virtual board in simulated time, without a thread or a port."""

from __future__ import annotations

from companion.core.placement import Cell, Pawn
from companion.sensors.link import Timing
from companion.sensors.serial.session import Session
from companion.sensors.tags.registry import TagRegistry
from companion.sim.table_model import World
from companion.sim.virtual_board import BoardKind, VirtualBoard
from tests.sensors.serial.host_events import HostEvents

STEP = 0.01


class Connection(HostEvents):
    """A host and a board on a perfect serial line; `run` simulates in steps of 10 ms."""

    def __init__(
        self,
        kind: BoardKind = "presence",
        pawns: dict[str, str] | None = None,
        timing: Timing | None = None,
        world: World | None = None,
    ) -> None:
        super().__init__()
        self.world = world or World()
        for pawn, cell in (pawns or ({} if world else {"H1a": "A1", "H1b": "F1"})).items():
            self.world.put(Pawn(pawn), Cell(cell))
        self.board = VirtualBoard(kind, self.world)
        self.host = Session(
            "serial", TagRegistry(built_in=lambda board: self.world.registry()), timing
        )
        self.now = 0.0
        self.written: list[bytes] = []
        self._to_board = self.host.port_opened("/dev/ttyACM0", 0.0)

    def reopen(self, port: str = "/dev/ttyACM0") -> None:
        """Lose the port and open it again."""
        self.host.port_closed(None)
        self._to_board = self.host.port_opened(port, self.now)

    def run(self, seconds: float) -> None:
        """Simulate some seconds."""
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            self.written.append(self._to_board)
            self.feed(self.board.step(self.now, self._to_board))

    def feed(self, data: bytes) -> None:
        """Send the host these bytes now."""
        self._to_board = self.host.advance(self.now, data)
        self.sort_events()
