"""A presence board at the end of a pseudo-terminal, in the measuring process: it notes when a frame
has left.
"""

from __future__ import annotations

import os
import pty
import select
import time
import tty
from types import TracebackType

from companion.core.placement import Cell, Pawn
from companion.sim.table_model import World
from companion.sim.virtual_board import VirtualBoard
from tests.bench.processes import TIMEOUT
from tests.bench.stream_clients import Received, StreamClients


class PawnBoard:
    """The board with pawns on it. It answers only within `put` and `carry`; the port is `path`."""

    def __init__(self, pawns: dict[str, str]) -> None:
        self.world = World()
        for pawn, cell in pawns.items():
            self.world.put(Pawn(pawn), Cell(cell))
        self._board = VirtualBoard("presence", self.world, now=time.monotonic())
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)

    def __enter__(self) -> PawnBoard:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        os.close(self._slave)
        os.close(self._master)

    def put(self, pawn: str, cell: str) -> float:
        """Set a pawn elsewhere; return the monotonic moment at which its last byte was on the
        wire.
        """
        self.world.put(Pawn(pawn), Cell(cell))
        os.write(self._master, self._board.step(time.monotonic()))
        return time.monotonic()

    def carry(self, seconds: float) -> None:
        """Answer the host for some time."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._once(None, left)

    def carry_until(self, stream_clients: StreamClients, position: int) -> Received:
        """Answer the host until all listeners have received something after a position; raise
        TimeoutError.
        """
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            if (
                self._once(stream_clients, TIMEOUT)
                and (heard := stream_clients.next()).position > position
            ):
                return heard
        raise TimeoutError("the pawn was never told")

    def _once(self, stream_clients: StreamClients | None, longest: float) -> bool:
        """Wait for the host, the board's own time or the ears; return whether these have received
        something.
        """
        wait = max(0.0, min(longest, self._board.due() - time.monotonic()))
        told = -1 if stream_clients is None else stream_clients.pipe.fileno()
        ready = select.select([fd for fd in (self._master, told) if fd >= 0], [], [], wait)[0]
        data = os.read(self._master, 4096) if self._master in ready else b""
        if out := self._board.step(time.monotonic(), data):
            os.write(self._master, out)
        return told in ready
