"""Send public updates to all subscribers, each with a bounded queue of its own."""

from __future__ import annotations

from collections import deque
from typing import Any

from msgspec import Struct

from companion.locks import Level, make_condition, make_lock

QUEUE_LIMIT = 64
"""Updates that may wait for one listener before it is dropped."""


class Update(Struct, frozen=True):
    """The whole public snapshot and the public events that are new since the update before.

    `picture` and each of `events` ({"position", "event", "said"}) are JSON-ready and shared by all
    listeners: read only.
    """

    snapshot: dict[str, Any]
    events: list[dict[str, Any]]


class Subscription:
    """One listener's queue.

    It begins with the present snapshot and ends when it is closed or dropped.
    """

    def __init__(self, streams: Broadcaster, first: Update) -> None:
        self._broadcaster = streams
        self._waiting: deque[Update | None] = deque([first])
        self._changed = make_condition(Level.SUBSCRIPTION)
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether nothing more will come: closed by the listener, dropped as too slow, or the table
        closed.
        """
        with self._changed:
            return self._closed and not self._waiting

    def get(self, timeout: float | None = None) -> Update | None:
        """Return the next update; None for a heartbeat, after `timeout` seconds without one, or at
        once when closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: bool(self._waiting) or self._closed, timeout)
            return self._waiting.popleft() if self._waiting else None

    def heartbeat(self) -> None:
        """Put a heartbeat into the queue; where much waits already, there is no need of one."""
        self._put(None)

    def close(self) -> None:
        """Stop listening; updates still waiting are thrown away."""
        self._broadcaster.remove(self)
        self._end(forget=True)

    def _put(self, update: Update | None) -> bool:
        with self._changed:
            if len(self._waiting) >= QUEUE_LIMIT:
                return False
            self._waiting.append(update)
            self._changed.notify()
            return True

    def _end(self, *, forget: bool) -> None:
        with self._changed:
            self._closed = True
            if forget:
                self._waiting.clear()
            self._changed.notify_all()


class Broadcaster:
    """All listeners.

    `publish` goes through a tuple that is never changed, only replaced under the lock.
    """

    def __init__(self) -> None:
        self._lock = make_lock(Level.STREAMS)
        self._listeners: tuple[Subscription, ...] = ()

    def __len__(self) -> int:
        return len(self._listeners)

    def subscribe(self, first: Update) -> Subscription:
        """Return a new listener's queue, which holds `first` already."""
        subscription = Subscription(self, first)
        with self._lock:
            self._listeners = (*self._listeners, subscription)
        return subscription

    def publish(self, update: Update) -> None:
        """Put `update` into every queue; whose queue is full is dropped."""
        for listener in self._listeners:
            if not listener._put(update):
                self.remove(listener)
                listener._end(forget=True)

    def remove(self, subscription: Subscription) -> None:
        """Forget a listener."""
        with self._lock:
            self._listeners = tuple(
                listener for listener in self._listeners if listener is not subscription
            )

    def close(self) -> None:
        """End all queues after what waits in them."""
        with self._lock:
            listeners, self._listeners = self._listeners, ()
        for listener in listeners:
            listener._end(forget=False)
