"""A presence board behind a pseudo-terminal in the measuring process, which records when the line
was sent with which a state counts.
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
from companion.sim.virtual_board import AGAIN, VirtualBoard
from tools.bench.processes import TIMEOUT
from tools.bench.stream_clients import Received, StreamClients

BEAT = 0.05
"""Seconds between two lines: with a slow board a state that has rested waits for the next one."""


class PawnBoard:
    """The board with pawns on it. It sends only within `put` and the `answer_` methods; the port
    is `path`.
    """

    def __init__(self, pawns: dict[str, str], beat: float = BEAT) -> None:
        self.world = World()
        for pawn, cell in pawns.items():
            self.world.put(Pawn(pawn), Cell(cell))
        self._board = VirtualBoard("presence", self.world, beat=beat, now=time.monotonic())
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
        """Move a pawn; return the monotonic time at which the second line of it was sent."""
        self.world.put(Pawn(pawn), Cell(cell))
        os.write(self._master, self._board.step(time.monotonic()))
        time.sleep(AGAIN)
        os.write(self._master, self._board.step(time.monotonic()))
        return time.monotonic()

    def answer_for(self, seconds: float) -> None:
        """Answer the host for some time."""
        deadline = time.monotonic() + seconds
        while (remaining := deadline - time.monotonic()) > 0:
            self._step(None, remaining)

    def answer_until_received(self, stream_clients: StreamClients, position: int) -> Received:
        """Answer the host until all listeners have received something after a position; raise
        TimeoutError.
        """
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            if (
                self._step(stream_clients, TIMEOUT)
                and (received := stream_clients.next()).position > position
            ):
                return received
        raise TimeoutError("no listener received the pawn's move")

    def _step(self, stream_clients: StreamClients | None, timeout: float) -> bool:
        """Wait for the host, the board's own time or the listeners; return whether these have
        received something.
        """
        wait = max(0.0, min(timeout, self._board.due() - time.monotonic()))
        pipe_fd = -1 if stream_clients is None else stream_clients.pipe.fileno()
        ready = select.select([fd for fd in (self._master, pipe_fd) if fd >= 0], [], [], wait)[0]
        data = os.read(self._master, 4096) if self._master in ready else b""
        if out := self._board.step(time.monotonic(), data):
            os.write(self._master, out)
        return pipe_fd in ready
