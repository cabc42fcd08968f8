"""The web server: waitress, one process, a thread for each open stream."""

from __future__ import annotations

import socket

from flask import Flask
from waitress.server import BaseWSGIServer, create_server  # type: ignore[import-untyped]

THREADS = 64
CONNECTIONS = 256
BACKLOG = 256
STALLED_MS = 20_000
"""Milliseconds after which a connection that takes no bytes is given up, its thread with it."""
WAITING_BYTES = 256 * 1024
"""Bytes that may wait for one connection before its thread waits with them."""
SENDING_BYTES = 128 * 1024
"""Bytes that the kernel may hold for one connection besides."""


def serve(app: Flask, host: str, port: int, threads: int = THREADS, connections: int = CONNECTIONS) -> None:
    """Answer requests until the process is told to end. Raises OSError for a port that is taken."""
    make_server(app, host, port, threads, connections).run()


def make_server(
    app: Flask, host: str, port: int, threads: int = THREADS, connections: int = CONNECTIONS
) -> BaseWSGIServer:
    """Return a listening server; `run()` answers requests, `close()` ends it. Raises OSError as `serve`."""
    server: BaseWSGIServer = create_server(
        app,
        sockets=[_listening(host, port)],
        threads=threads,
        connection_limit=connections,
        backlog=BACKLOG,
        channel_timeout=20,
        cleanup_interval=5,
        max_request_header_size=16 * 1024,
        max_request_body_size=64 * 1024,
        outbuf_high_watermark=WAITING_BYTES,
        asyncore_use_poll=True,
        ident=None,
        clear_untrusted_proxy_headers=True,
    )
    return server


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket whose connections do not let a sleeping or vanished phone hold its thread for hours."""
    listening = socket.create_server((host, port), backlog=BACKLOG)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING_BYTES)
    # Linux alone gives up a connection whose other end accepts nothing; elsewhere the server only runs for demos.
    for name, value in (("TCP_USER_TIMEOUT", STALLED_MS), ("TCP_KEEPIDLE", 20), ("TCP_KEEPINTVL", 5)):
        if (option := getattr(socket, name, None)) is not None:
            listening.setsockopt(socket.IPPROTO_TCP, option, value)
    return listening
