"""Ports for servers in their own processes, which must be named before they are listened on."""

from __future__ import annotations

import itertools
import os
import socket

FIRST, ROOM = 12_000, 1_000
"""Below the ports that the kernel gives to outgoing connections: none of those can come between."""
_NEXT = itertools.count(os.getpid() % ROOM)
_SHARE = int("".join(filter(str.isdigit, os.environ.get("PYTEST_XDIST_WORKER", ""))) or 0) % 16


def free_port() -> int:
    """Return a port that is free and that no other worker of this test run gets."""
    while True:
        port = FIRST + ROOM * _SHARE + next(_NEXT) % ROOM
        with socket.socket() as probe:
            # As servers do, so that a port that was just closed is accepted.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
