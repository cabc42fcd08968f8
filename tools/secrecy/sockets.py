"""Plain HTTP over sockets: whole replies and endless streams, byte by byte, from any loopback
address.
"""

from __future__ import annotations

import base64
import socket
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from flask import Flask
from msgspec import Struct
from nacl.public import PrivateKey

from companion.server.http.server import make_server
from tests.server.client import BOXED, Json, Phone

SECONDS = 90.0
"""Real seconds of silence after which a test fails."""
IDLE = 5.0
"""Real seconds after which to reconnect: the server closes idle connections a little later."""


class Reply(Struct, frozen=True):
    """One whole reply. `head` is the status line and the headers as received, `data` the body."""

    head: bytes
    data: bytes

    @property
    def status_code(self) -> int:
        return int(self.head[9:12])


class HttpConnection:
    """One connection to a server on this machine; the server sees `source` as its address."""

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self._port = port
        self._source = source
        self._used = time.monotonic()
        self._open()

    def request(
        self, method: str, path: str, body: bytes = b"", kind: str = BOXED, more: str = ""
    ) -> None:
        """Send a request. `more`: further header lines, each with its line end."""
        if time.monotonic() - self._used > IDLE:
            self.close()
            self._open()
        self._used = time.monotonic()
        body_headers = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body else ""
        self._socket.sendall(
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{body_headers}{more}\r\n".encode()
            + body
        )

    def reply(self, head_only: bool = False) -> Reply:
        """Return the next whole reply."""
        head = self.head()
        if head_only:
            return Reply(head, b"")
        headers = dict(header.split(b": ", 1) for header in head.split(b"\r\n")[1:])
        return Reply(head, self._read_bytes(int(headers[b"Content-Length"])))

    def head(self) -> bytes:
        """Return the status line and headers of the next reply, without the empty line."""
        return self._until(b"\r\n\r\n")

    def chunk(self) -> bytes:
        """Return the next chunk of a stream."""
        size = int(self._until(b"\r\n"), 16)
        data = self._read_bytes(size)
        assert b"\r\n" == self._read_bytes(2)
        return data

    def close(self) -> None:
        self._socket.close()

    def _open(self) -> None:
        self._socket = socket.create_connection(
            ("127.0.0.1", self._port), SECONDS, source_address=(self._source, 0)
        )
        # A request in two pieces would wait for the acknowledgement of the first.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._read = b""

    def _until(self, end: bytes) -> bytes:
        while end not in self._read:
            self._receive()
        data, _, self._read = self._read.partition(end)
        return data

    def _read_bytes(self, size: int) -> bytes:
        while len(self._read) < size:
            self._receive()
        data, self._read = self._read[:size], self._read[size:]
        return data

    def _receive(self) -> None:
        more = self._socket.recv(1 << 18)
        assert more, "the server hung up"
        self._read += more


class SocketPhone(Phone):
    """A phone on a real connection, from an address of its own."""

    def __init__(
        self, app: Flask, server: str, secret: PrivateKey, address: str, port: int
    ) -> None:
        super().__init__(app, server, secret, address)
        self.port = port
        self._connection: HttpConnection | None = None

    @classmethod
    def continuing(cls, phone: Phone, server: str, address: str, port: int) -> SocketPhone:
        """Return the same phone on a real connection; the table opens each of its nonces once."""
        other = cls(phone.app, server, phone.secret, address, port)
        other._random = phone._random
        return other

    def post(self, path: str, body: bytes, more: str = "") -> Reply:
        self._connection = self._connection or HttpConnection(self.port, self.address)
        self._connection.request("POST", path, body, more=more)
        return self._connection.reply()

    def sleep(self) -> None:
        """Close the connection; the next request opens another."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def listen(self) -> Stream:
        """Open this phone's own stream."""
        connection = HttpConnection(self.port, self.address)
        message, nonce = self.seal({"id": self.new_id(), "do": "hello"})
        connection.request("POST", "/stream", message)
        return Stream(connection, self, nonce)


class Stream:
    """An open stream: a phone's own, or without a phone the public one."""

    def __init__(
        self, connection: HttpConnection, phone: SocketPhone | None = None, nonce: str = ""
    ) -> None:
        self.connection = connection
        self.phone = phone
        self.nonce = nonce
        self.head = connection.head()
        assert b"200" == self.head[9:12], self.head

    @classmethod
    def public(cls, port: int, address: str) -> Stream:
        """Open the public stream, which needs no key."""
        connection = HttpConnection(port, address)
        connection.request("GET", "/events")
        return cls(connection)

    def read(self) -> tuple[bytes, bytes]:
        """Return the next chunk without its box, and the box as received, for `open` (empty on the
        public stream).
        """
        chunk = self.connection.chunk()
        if self.phone is None:
            return chunk, b""
        clear, _, boxed = chunk.partition(b',"box":"')
        box = boxed.rstrip(b'"}\n')
        return clear + b" + %d boxed letters" % len(box), box

    def open(self, box: bytes) -> Json:
        """Return the content of a box for this phone."""
        assert self.phone is not None
        frame = self.phone.open(base64.b64decode(box))
        assert self.nonce == frame.pop("re")
        return frame


class Server:
    """An application behind waitress on a free port."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self._server: Any = make_server(app, "127.0.0.1", 0, threads=24)
        # The table's time is simulated, the network's is not: waitress must not close connections
        # that seem idle in simulated time.
        self._server.monotonic = float
        self.port = int(self._server.effective_port)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        # First the workers, which need the loop to send their last replies.
        self._server.task_dispatcher.shutdown()
        self._server.close()
        self._thread.join(SECONDS)


def display_code(folder: Path) -> tuple[str, str]:
    """Return the table's public key as text and the display's one-time code."""
    text = (folder / "display-code").read_text().strip()
    return text[:43], text[43:]
