"""Limit open streams and connections.

Each stream holds a thread of the server. If file descriptors are short, new streams are refused
first: a process without a free descriptor can neither copy its log nor read a photo. The table's
own descriptors are reserved before anybody connects.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Callable

from msgspec import Struct, structs

from companion.locks import Level, make_lock
from companion.table.broadcast import Subscription

MAX_CONNECTIONS = 256
"""Connections of a whole table."""
RESERVED_DESCRIPTORS = 32
"""Descriptors reserved for the table: its log and a copy, a board, pins, pipes to a photo's
process.
"""
PAGE_CONNECTIONS = 8
"""Connections reserved for pages and requests."""
MIN_CONNECTIONS = PAGE_CONNECTIONS + 4
DESCRIPTORS_PER_TLS = 3
"""Descriptors of a connection with `--tls`: the proxy's two ends, and waitress's one."""


class StreamsFull(Exception):
    """Error raised when no further stream can be opened; poll, or retry later."""


class StreamLimits(Struct, frozen=True):
    """Open streams in all, from one address, and of one seat's key."""

    streams: int = 40
    per_address: int = 16
    per_key: int = 4


class StreamSlots:
    """The open streams. Thread-safe."""

    def __init__(self, limits: StreamLimits) -> None:
        self._limits = limits
        self._lock = make_lock(Level.STREAM_SLOTS)
        self._open: dict[Subscription, tuple[str, str]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def take(
        self, subscribe: Callable[[], Subscription], address: str, key: str = ""
    ) -> Subscription:
        """Return a new subscription in a free slot; raise `StreamsFull`.

        A key with too many streams loses the oldest one, which its phone no longer reads.
        """
        subscription = subscribe()
        with self._lock:
            oldest = self._oldest_of(key)
            if oldest is not None:
                self._drop(oldest)
            elif not self._has_room(address):
                subscription.close()
                raise StreamsFull
            self._open[subscription] = (address, key)
        return subscription

    def release(self, subscription: Subscription) -> None:
        """Close a subscription and free its slot; a second time does nothing."""
        with self._lock:
            self._drop(subscription)

    def heartbeat(self) -> None:
        """Give every open stream a heartbeat."""
        with self._lock:
            for subscription in self._open:
                subscription.heartbeat()

    def _has_room(self, address: str) -> bool:
        of_address = Counter(address for address, _ in self._open.values())[address]
        return len(self._open) < self._limits.streams and of_address < self._limits.per_address

    def _oldest_of(self, key: str) -> Subscription | None:
        mine = [
            subscription for subscription, (_, other) in self._open.items() if key and other == key
        ]
        return mine[0] if len(mine) >= self._limits.per_key else None

    def _drop(self, subscription: Subscription) -> None:
        self._open.pop(subscription, None)
        subscription.close()


def connection_limit(wanted: int, *, tls: bool = False) -> int:
    """Return the allowed number of connections, at most `wanted`."""
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
