"""How many streams may be open: each holds a thread of the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from companion.locks import Level, make_lock
from companion.table.broadcast import Subscription


class StreamsFull(Exception):
    """Error raised when no further stream can be opened; the listener may poll, or come again
    later.
    """


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

        A key that has its number of streams loses the oldest: it is the phone's own, left half
        open.
        """
        subscription = subscribe()
        with self._lock:
            oldest = self._oldest_of(key)
            if oldest is not None:
                self._drop(oldest)
            elif not self._room(address):
                subscription.close()
                raise StreamsFull
            self._open[subscription] = (address, key)
        return subscription

    def give_back(self, subscription: Subscription) -> None:
        """Close a subscription and free its slot; a second time does nothing."""
        with self._lock:
            self._drop(subscription)

    def beat(self) -> None:
        """Give every open stream a heartbeat."""
        with self._lock:
            for subscription in self._open:
                subscription.heartbeat()

    def _room(self, address: str) -> bool:
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
