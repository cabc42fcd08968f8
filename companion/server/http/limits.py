"""Limit open streams and connections.

Each stream holds a thread of the server. If file descriptors are short, new streams are refused
first: a process without a free descriptor can neither copy its log nor read a photo. The table's
own descriptors are reserved before anybody connects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec import Struct, structs

from companion.locks import LockRank, make_lock
from companion.platforms import open_file_limit
from companion.table.broadcast import Subscription

MAX_CONNECTIONS = 256
"""Connections of a whole table."""
MAX_PER_ADDRESS = 48
"""Connections of one address: behind one router eight phones may open the six that a browser opens
to a server at most. This machine may have more: a proxy there has those of everybody.
"""
LOCAL_CONNECTIONS = 4
"""Connections reserved for this machine: its display and the watchdog."""
RESERVED_DESCRIPTORS = 32
"""Descriptors for the table: its log and a copy, a board, pins, pipes to a photo's process."""
PAGE_CONNECTIONS = 8
"""Connections reserved for pages and requests."""
MIN_CONNECTIONS = PAGE_CONNECTIONS + 4
DESCRIPTORS_PER_TLS = 3
"""Descriptors of a connection with `--tls`: the proxy's two ends, and waitress's one."""


class StreamsFull(Exception):
    """Error raised when no further stream can be opened; poll, or retry later."""


class StreamLimits(Struct, frozen=True):
    """Open streams in all, of keys without a role from one address, and of one key."""

    streams: int = 40
    per_address: int = 16
    per_key: int = 4


class StreamSlots:
    """The open streams. Thread-safe.

    is_known: whether a key (hex) has a role: a seat, a display, or the camera phone
    """

    def __init__(
        self, limits: StreamLimits, is_known: Callable[[str], bool] = lambda key: False
    ) -> None:
        self._limits = limits
        self._is_known = is_known
        self._lock = make_lock(LockRank.STREAM_SLOTS)
        self._open: dict[Subscription, tuple[str, str]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def take(
        self, subscribe: Callable[[], Subscription], address: str, key: str = ""
    ) -> Subscription:
        """Return a new subscription in a free slot; raise `StreamsFull`.

        A key with too many streams loses the oldest one, which its phone no longer reads. A key
        with a role is limited by no address, and takes the place of a stranger's stream.
        """
        subscription = subscribe()
        with self._lock:
            if not self._make_room(address, key):
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

    def _make_room(self, address: str, key: str) -> bool:
        """Return whether a further stream has room; end another one for it if necessary."""
        own = [each for each, (_, of_key) in self._open.items() if key and of_key == key]
        if len(own) >= self._limits.per_key:
            self._drop(own[0])
            return True
        strangers = {
            each: of_address
            for each, (of_address, of_key) in self._open.items()
            if not self._is_known(of_key)
        }
        counts = Counter(strangers.values())
        is_full = len(self._open) >= self._limits.streams
        if not self._is_known(key):
            return not is_full and counts[address] < self._limits.per_address
        if is_full and strangers:
            busiest = counts.most_common(1)[0][0]
            self._drop(next(each for each, of in strangers.items() if of == busiest))
        return not is_full or bool(strangers)

    def _drop(self, subscription: Subscription) -> None:
        self._open.pop(subscription, None)
        subscription.close()


def connection_limit(most: int, *, tls: bool = False) -> int:
    """Return the allowed number of connections, at most `most`."""
    soft = open_file_limit()
    if soft is None:
        return most
    return max(
        MIN_CONNECTIONS,
        min(most, (soft - RESERVED_DESCRIPTORS) // (DESCRIPTORS_PER_TLS if tls else 1)),
    )


def cap_streams(limits: StreamLimits, *, tls: bool = False) -> StreamLimits:
    """Return limits of streams that leave room for pages."""
    return structs.replace(
        limits,
        streams=min(limits.streams, connection_limit(MAX_CONNECTIONS, tls=tls) - PAGE_CONNECTIONS),
    )
