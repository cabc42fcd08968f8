"""Clients of `/events`, all in one loop of a separate process, so that they do not slow the
measuring.
"""

from __future__ import annotations

import multiprocessing
import selectors
import socket
import time
from collections import defaultdict
from contextlib import suppress
from multiprocessing.connection import Connection
from types import TracebackType

from msgspec import Struct

from tools.bench.processes import TIMEOUT


class Received(Struct, frozen=True):
    """When each client had received the first update with this position, in monotonic seconds."""

    position: int
    moments: list[float]


class StreamClients:
    """`count` clients of a port.

    Use as a context manager; all are connected when it is entered.
    """

    def __init__(self, port: int, count: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, child_pipe = context.Pipe()
        self._process = context.Process(target=_listen, args=(port, count, child_pipe), daemon=True)
        self._process.start()
        child_pipe.close()

    def __enter__(self) -> StreamClients:
        self.next()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.pipe.close()
        self._process.join()

    def next(self) -> Received:
        """Return the next position that all have received; raise TimeoutError."""
        if not self.pipe.poll(TIMEOUT):
            raise TimeoutError("the listeners received nothing")
        received: Received = self.pipe.recv()
        return received

    def forget(self) -> None:
        """Drop what was received so far: the process stops reading when its pipe is full."""
        while self.pipe.poll():
            self.pipe.recv()

    def after(self, position: int) -> Received:
        """Return the first position after `position` that all have received."""
        while (received := self.next()).position <= position:
            pass
        return received


class _Listener:
    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self._pending = b""
        self._newest = -1

    def new_positions(self) -> list[int]:
        """Read the available data; return the positions received for the first time."""
        data = self.socket.recv(1 << 18)
        if not data:
            raise EOFError("the server ended a stream")
        *messages, self._pending = (self._pending + data).split(b"\n\n")
        positions = [
            int(event.split(b"id: ", 1)[1].split(b"\n", 1)[0])
            for event in messages
            if b"id: " in event
        ]
        unseen = [position for position in positions if position > self._newest]
        self._newest = max(positions, default=self._newest)
        return unseen


def _listen(port: int, count: int, pipe: Connection) -> None:
    received: dict[int, list[float]] = defaultdict(list)
    # The measurement may end before the last update.
    with suppress(BrokenPipeError), selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        for _ in range(count):
            listener = _Listener(port)
            selector.register(listener.socket, selectors.EVENT_READ, listener)
        while True:
            for key, _ in selector.select():
                if key.data is None:
                    return
                unseen, now = key.data.new_positions(), time.monotonic()
                for position in unseen:
                    received[position].append(now)
                    if len(received[position]) == count:
                        pipe.send(Received(position, received.pop(position)))
