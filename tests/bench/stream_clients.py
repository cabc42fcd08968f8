"""Listeners at `/events`, all in one loop of a process of their own, so that measuring slows
nothing.
"""

from __future__ import annotations

import multiprocessing
import selectors
import socket
import time
from collections import defaultdict
from multiprocessing.connection import Connection
from types import TracebackType

from msgspec import Struct

from tests.bench.processes import TIMEOUT


class Received(Struct, frozen=True):
    """When each listener had the first update with this position whole, in monotonic seconds."""

    position: int
    moments: list[float]


class StreamClients:
    """`count` listeners at a port.

    Use as a context manager; they are all there when it is entered.
    """

    def __init__(self, port: int, count: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_listen, args=(port, count, theirs), daemon=True)
        self._process.start()
        theirs.close()

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
            raise TimeoutError("the listeners hear nothing")
        heard: Received = self.pipe.recv()
        return heard

    def forget(self) -> None:
        """Drop what was received so far: the listeners stop reading when too much waits to be
        fetched.
        """
        while self.pipe.poll():
            self.pipe.recv()

    def after(self, position: int) -> Received:
        """Return what all have received first after a position."""
        while (heard := self.next()).position <= position:
            pass
        return heard


class _Listener:
    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self._pending = b""
        self._newest = -1

    def news(self) -> list[int]:
        """Read what is there; return the positions received for the first time."""
        data = self.socket.recv(1 << 18)
        if not data:
            raise EOFError("the server ended a stream")
        *whole, self._pending = (self._pending + data).split(b"\n\n")
        positions = [
            int(event.split(b"id: ", 1)[1].split(b"\n", 1)[0])
            for event in whole
            if b"id: " in event
        ]
        fresh = [position for position in positions if position > self._newest]
        self._newest = max(positions, default=self._newest)
        return fresh


def _listen(port: int, count: int, pipe: Connection) -> None:
    heard: dict[int, list[float]] = defaultdict(list)
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        for _ in range(count):
            listener = _Listener(port)
            selector.register(listener.socket, selectors.EVENT_READ, listener)
        while True:
            for key, _ in selector.select():
                if key.data is None:
                    return
                fresh, now = key.data.news(), time.monotonic()
                for position in fresh:
                    heard[position].append(now)
                    if len(heard[position]) == count:
                        pipe.send(Received(position, heard.pop(position)))
