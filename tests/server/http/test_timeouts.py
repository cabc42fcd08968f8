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
from companion.server.http.limits import LOCAL_CONNECTIONS, MAX_CONNECTIONS, MAX_PER_ADDRESS
from companion.server.http.server import make_server
from companion.server.http.timeouts import BODY_TIMEOUT, HEADER_TIMEOUT, IDLE_TIMEOUT
from tests.browser.server import until
from tests.helpers.ended import end_server
from tests.server.client import GameTable

SECONDS = 60
CONNECTIONS = 16
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

    def __init__(self, folder: Path, threads: int = 4, connections: int = MAX_CONNECTIONS) -> None:
        self.clock = HeldClock()
        self.game_table = GameTable(folder, self.clock)
        self.server: Any = make_server(self.game_table.app, "127.0.0.1", 0, threads, connections)
        self.port = int(self.server.effective_port)
        self.open: list[socket.socket] = []
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()

    def connect(self, output: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
        connection = socket.create_connection(
            ("127.0.0.1", self.port), SECONDS, source_address=(source, 0)
        )
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


FOLLOW = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
NEIGHBOUR = "127.0.0.7"
"""A loopback address that the table does not take for its own machine's."""


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


def test_an_address_with_too_many_connections_loses_its_own(served: Served) -> None:
    """An address that has its most connections gets a further one in place of the one that waits
    longest for it: streams stay, and so do the connections of others and of this machine.
    """
    stream = served.connect(FOLLOW, NEIGHBOUR)
    read_until(stream, b"retry")
    other = served.connect(source="127.0.0.8")
    own = [served.connect() for _ in range(MAX_PER_ADDRESS + 1)]
    waiting = []
    for _ in range(MAX_PER_ADDRESS - 1):
        waiting.append(served.connect(source=NEIGHBOUR))
        served.pass_time(0.01)
    new = served.connect(source=NEIGHBOUR)

    assert served.answers(new)
    assert is_closed(waiting[0])
    assert all(served.answers(each) for each in (*waiting[1:], other, *own))
    served.game_table.table.mark(served.game_table.table.snapshot()["seats"][0]["seat"], "A1", "?")
    read_until(stream, b'"mark"')


def test_a_full_table_makes_room(tmp_path: Path) -> None:
    """When all connections are taken, a new one takes the place of the one that waits longest, of
    the address with most of them. While all of them follow the table, strangers are refused and
    this machine is answered.
    """
    served = Served(tmp_path, CONNECTIONS, CONNECTIONS)
    try:
        few = CONNECTIONS - len(served.server._map) - LOCAL_CONNECTIONS
        quiet = served.connect(source="127.0.0.8")
        served.pass_time(0.01)
        many = [served.connect(source=NEIGHBOUR) for _ in range(few - 1)]
        assert served.answers(served.connect(source="127.0.0.9"))
        assert is_closed(many[0])
        assert served.answers(quiet)
        streams = []
        for number in range(few):
            streams.append(served.connect(FOLLOW, f"127.0.0.{20 + number}"))
            read_until(streams[-1], b"retry")

        assert is_closed(served.connect(source="127.0.0.9"))
        assert served.answers()
    finally:
        served.close()


@pytest.mark.parametrize(
    "start",
    [b"\x16\x03\x01\x02\x00", b"SSH-2.0-OpenSSH_9.2\r\n", b"\x10\x0e\0\x04MQTT", b"\x03\0\0"],
)
def test_another_protocol_is_closed_at_once(served: Served, start: bytes) -> None:
    """What does not begin as HTTP does, such as TLS, is answered with an error and closed: no time
    passes for the server.
    """
    assert is_closed(served.connect(start))
    assert served.answers(served.connect(b"\r\n"))
    assert served.answers()


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
