"""Ports for servers in processes of their own, which must be named before anybody listens on
them.
"""

from __future__ import annotations

import itertools
import os
import socket

FIRST, ROOM = 12_000, 1_000
"""Below the ports that the kernel gives to outgoing connections: none of those can come between."""
_NEXT = itertools.count(os.getpid() % ROOM)
_SHARE = int("".join(filter(str.isdigit, os.environ.get("PYTEST_XDIST_WORKER", ""))) or 0) % 16


def free_port() -> int:
    """Return a port that nobody listens on and that no other worker of this test run is given."""
    while True:
        port = FIRST + ROOM * _SHARE + next(_NEXT) % ROOM
        with socket.socket() as probe:
            # As servers do, so that what has just been closed there is no hindrance.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
