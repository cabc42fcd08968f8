"""How many connections the process may have: where descriptors are short, a new stream is what is
refused first.

A process that has none left can neither copy its log nor read a photo, and a server that takes one
connection too many can no longer say so. What the table itself needs is set apart before anybody
connects.
"""

from __future__ import annotations

import resource

from msgspec import structs

from companion.server.http.slots import StreamLimits

MAX_CONNECTIONS = 256
"""Connections that a table has room for."""
RESERVED_DESCRIPTORS = 32
"""Descriptors that the table needs for itself: its log and a copy of it, a board, pins, pipes to a
photo's process.
"""
PAGE_CONNECTIONS = 8
"""Connections that streams leave to pages and questions."""
MIN_CONNECTIONS = PAGE_CONNECTIONS + 4
DESCRIPTORS_PER_TLS = 3
"""Descriptors of a connection with `--tls`: the front's two ends, and waitress's one."""


def connection_limit(wanted: int, *, tls: bool = False) -> int:
    """Return how many connections there may be, at most `wanted`."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    return max(
        MIN_CONNECTIONS,
        min(wanted, (soft - RESERVED_DESCRIPTORS) // (DESCRIPTORS_PER_TLS if tls else 1)),
    )


def cap_streams(limits: StreamLimits, *, tls: bool = False) -> StreamLimits:
    """Return limits of streams that leave room for pages."""
    return structs.replace(
        limits,
        streams=min(limits.streams, connection_limit(MAX_CONNECTIONS, tls=tls) - PAGE_CONNECTIONS),
    )
