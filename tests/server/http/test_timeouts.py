"""Connections that send nothing, half a request, or one byte after another: none of them blocks the
table.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.clock import SystemClock
from companion.server.http.server import make_server
from companion.server.http.timeouts import BODY_TIMEOUT, HEADER_TIMEOUT, IDLE_TIMEOUT
from tests.browser.server import until
from tests.helpers.ended import end_server
from tests.server.client import GameTable

SECONDS = 60
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


class HeldClock(SystemClock):
    """A clock that only the test sets forward, so that a slow machine causes no timeout."""

    def __init__(self) -> None:
        super().__init__()
        self.now = super().monotonic()

    def monotonic(self) -> float:
        return self.now


class Served:
    """A table behind the real server, with many connections that misbehave."""

    def __init__(self, folder: Path) -> None:
        self.clock = HeldClock()
        self.game_table = GameTable(folder, self.clock)
        self.server: Any = make_server(self.game_table.app, "127.0.0.1", 0, threads=4)
        self.port = int(self.server.effective_port)
        self.open: list[socket.socket] = []
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()

    def connect(self, output: bytes = b"") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), SECONDS)
        connection.sendall(output)
        self.open.append(connection)
        return connection

    def answers(self, connection: socket.socket | None = None) -> bool:
        """Return whether the table answers, on an open connection or a new one."""
        connection = connection or self.connect()
        connection.sendall(REQUEST)
        received = b""
        while b"}" not in received and (part := connection.recv(65536)):
            received += part
        return b'"ok":true' in received

    def pass_time(self, seconds: float) -> None:
        """Let time pass for the server, and a whole turn of its loop after it."""
        self.clock.now += seconds
        assert self.answers()

    def close(self) -> None:
        self.game_table.close()
        for connection in self.open:
            connection.close()
        end_server(self.server, self.thread, SECONDS)
        self.server.task_dispatcher.shutdown()
        self.clock.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.close()


def is_closed(connection: socket.socket) -> bool:
    """Wait for the other end to close; raise TimeoutError."""
    while connection.recv(65536):
        pass
    return True


def read_until(connection: socket.socket, words: bytes) -> None:
    """Read until these words come; raise EOFError if they never do."""
    received = b""
    while words not in received:
        part = connection.recv(65536)
        if not part:
            raise EOFError(received)
        received += part


@pytest.mark.parametrize(
    ("output", "timeout"),
    [
        (b"", HEADER_TIMEOUT),
        (b"GET /table HTTP/1.1\r\nHost: loc", HEADER_TIMEOUT),
        (
            b"POST /channel HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1097\r\n\r\nx",
            BODY_TIMEOUT,
        ),
    ],
)
def test_half_open(served: Served, output: bytes, timeout: float) -> None:
    """A hundred connections that stop in the middle delay no answer, and are closed in time."""
    stuck = [served.connect(output) for _ in range(100)]

    assert served.answers()
    served.pass_time(timeout + 1)
    assert all(is_closed(connection) for connection in stuck)
    assert served.answers()


def test_drop_by_drop(served: Served) -> None:
    """A client that sends a byte a second is closed as soon as one that sends nothing: bytes buy no
    time.
    """
    dripping = served.connect()
    for letter in REQUEST[: int(HEADER_TIMEOUT)]:
        dripping.sendall(bytes([letter]))
        served.pass_time(1)
    served.pass_time(1.5)

    assert is_closed(dripping)


def test_between_two_requests(served: Served) -> None:
    """A connection that made a request may make another within 20 seconds, and is closed after
    that.
    """
    kept = served.connect()
    assert served.answers(kept)
    served.pass_time(IDLE_TIMEOUT - 2)
    assert served.answers(kept)
    # While the worker has not finished its last answer, the connection is not idle.
    channels = served.server.active_channels.values()
    worker = next(each for each in channels if each.addr == kept.getsockname())
    until(lambda: not worker.requests, "the answer never ended")
    # Twice: the first look counts from the end of the answer.
    served.pass_time(IDLE_TIMEOUT + 1)
    served.pass_time(IDLE_TIMEOUT + 1)

    assert is_closed(kept)


@pytest.mark.slow
def test_a_listener_is_not_slow(served: Served) -> None:
    """A stream stays open however long no event happens."""
    listener = served.connect(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    read_until(listener, b"retry")
    served.pass_time(3600)
    served.game_table.table.mark(served.game_table.table.snapshot()["seats"][0]["seat"], "A1", "?")
    read_until(listener, b'"mark"')
