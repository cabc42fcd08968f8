"""Run the web server: waitress, one process, a thread for each open stream."""

from __future__ import annotations

import logging
import re
import select
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flask import Flask
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]
from waitress.utilities import BadRequest  # type: ignore[import-untyped]

from companion.sensors.vision.frames.phone_source import MAX_FRAME_BYTES
from companion.sensors.vision.sandbox import MAX_UPLOAD_BYTES
from companion.server.auth.tickets import Tickets
from companion.server.http.certificate import Certificate
from companion.server.http.limits import MAX_CONNECTIONS, connection_limit
from companion.server.http.network import LOOPBACK
from companion.server.http.timeouts import TimeoutChannel, TimeoutServer
from companion.server.routes.uploads import TICKET_HEADER

if TYPE_CHECKING:
    from companion.server.http.tls_proxy import TlsProxy

SERVER_THREADS = 64
BACKLOG = 256
SEND_TIMEOUT_MS = 20_000
"""Milliseconds after which a connection that takes no bytes is closed and its thread freed."""
MAX_QUEUED_BYTES = 256 * 1024
"""Bytes that may wait for one connection before its thread blocks."""
SEND_BUFFER_BYTES = 128 * 1024
"""Bytes in the kernel's send buffer of one connection."""

# A request that arrives before all threads run must wait; on a busy machine waitress warns of each.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)

MAX_BODY_BYTES = 64 * 1024
"""Bytes of a request's body; with a good ticket a photo may have `MAX_UPLOAD_BYTES`, a frame of
the camera phone `MAX_FRAME_BYTES`.
"""


HTTP_START_BYTES = 64
"""Bytes of a connection that are looked at: longer than line ends and a method."""
_START = re.compile(rb"[\r\n]*(?:[A-Za-z]{0,20}\Z|[A-Za-z]{1,20} )")


def is_http(start: bytes) -> bool:
    """Return whether the first bytes of a connection can be those of an HTTP request: a method, or
    its first letters. Other programs send anything: a TLS handshake, the greeting of SSH.
    """
    return _START.match(start) is not None


class ServerAdjustments(Adjustments):  # type: ignore[misc]
    """waitress's settings, and by path those of a large upload and who may send one."""

    def __init__(self, photos: Tickets, frames: Tickets, **settings: Any) -> None:
        super().__init__(max_request_body_size=MAX_BODY_BYTES, **settings)
        photo = Adjustments(max_request_body_size=MAX_UPLOAD_BYTES + 1, **settings)
        # A frame of the camera is never on a disk, where waitress buffers long requests.
        frame = Adjustments(
            max_request_body_size=MAX_FRAME_BYTES + 1,
            inbuf_overflow=2 * MAX_FRAME_BYTES,
            **settings,
        )
        self.uploads = {"/photo": (photos, photo), "/frame": (frames, frame)}


class TicketParser(HTTPRequestParser):  # type: ignore[misc]
    """Parse a request. Its size limit is known before its body is read, so strangers cannot fill
    the disk on which waitress stores long requests.
    """

    adj: Any

    def received(self, data: bytes) -> int:
        """Take received bytes; refuse at once what does not begin as HTTP does, such as TLS."""
        start = self.header_plus[:HTTP_START_BYTES] + data[:HTTP_START_BYTES]
        if self.body_rcv is None and not is_http(start[:HTTP_START_BYTES]):
            self.parse_header(b"GET / HTTP/1.0\r\n")
            self.error, self.completed = BadRequest("no HTTP"), True
            return len(data)
        return int(super().received(data))

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the head of a request."""
        super().parse_header(header_plus)
        ticket = self.headers.get(TICKET_HEADER.upper().replace("-", "_"), "")
        tickets, adjustments = self.adj.uploads.get(self.path, (None, None))
        if tickets is not None and tickets.is_good(ticket):
            self.adj = adjustments
            if self.body_rcv is not None:
                self.body_rcv.buf.overflow = adjustments.inbuf_overflow


class ServerChannel(TimeoutChannel):
    """A connection with timeouts, whose requests are checked for tickets."""

    parser_class = TicketParser


class Server(TimeoutServer):
    """A server with timeouts; with a TLS proxy only that reaches it."""

    channel_class = ServerChannel

    def __init__(self, *arguments: Any, front: TlsProxy | None = None, **named: Any) -> None:
        self._front = front
        super().__init__(*arguments, **named)

    @property
    def port(self) -> int:
        """The port for browsers."""
        return self._front.port if self._front else int(self.effective_port)

    def run(self) -> None:
        """Answer requests until the process gets a signal to end."""
        if self._front:
            self._front.start(int(self.effective_port))
        super().run()

    def close(self) -> None:
        """Stop listening."""
        if self._front:
            self._front.close()
        super().close()


def make_server(
    app: Flask,
    host: str,
    port: int,
    threads: int = SERVER_THREADS,
    connections: int = MAX_CONNECTIONS,
    certificate: Certificate | None = None,
) -> Server:
    """Return a listening server for an application; `run()` answers requests, `close()` ends it.

    certificate: serve the network on https only
    Raises OSError for a taken port or an unknown host.
    """
    listening = listen_on(host, port)
    context = app.extensions["companion"]
    connections = connection_limit(connections, tls=certificate is not None)
    front = None
    if certificate is not None:
        # Imports asyncio: a tenth of the start, which tables without TLS do not need.
        from companion.server.http.tls_proxy import TlsProxy

        front = TlsProxy(listening, certificate.context, context.names, connections)
        listening = listen_on(LOOPBACK, 0)
    adjustments = ServerAdjustments(
        context.tickets,
        context.camera.tickets,
        sockets=[listening],
        threads=threads,
        connection_limit=connections,
        backlog=BACKLOG,
        max_request_header_size=16 * 1024,
        outbuf_high_watermark=MAX_QUEUED_BYTES,
        asyncore_use_poll=hasattr(select, "poll"),
        ident=None,
        clear_untrusted_proxy_headers=True,
    )
    workers = ThreadedTaskDispatcher()
    workers.set_thread_count(threads)
    return Server(
        front.wrap(app) if front else app,
        {},
        True,
        listening,
        dispatcher=workers,
        adj=adjustments,
        bind_socket=False,
        sockinfo=(listening.family, listening.type, listening.proto, listening.getsockname()),
        monotonic=context.clock.monotonic,
        front=front,
    )


def listen_on(host: str, port: int) -> socket.socket:
    """Return a socket whose connections end when a phone vanishes, so that no thread hangs."""
    listening = socket.create_server((host, port), backlog=BACKLOG)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    # Only Linux can close a connection whose other end accepts no data; elsewhere its thread waits
    # until the connection's own probes fail.
    for name, value in (
        ("TCP_USER_TIMEOUT", SEND_TIMEOUT_MS),
        ("TCP_KEEPIDLE", 20),
        ("TCP_KEEPINTVL", 5),
    ):
        if (option := getattr(socket, name, None)) is not None:
            # Older releases of Windows know the names and refuse them.
            with suppress(OSError):
                listening.setsockopt(socket.IPPROTO_TCP, option, value)
    return listening
