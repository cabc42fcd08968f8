"""Send public updates to all subscribers, each with a bounded queue of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from companion.locks import LockRank, make_condition, make_lock

QUEUE_LIMIT = 64
"""Updates that may wait for one subscriber before it is dropped."""
CLOSE_POLL = 0.5
"""Seconds after which a thread that follows updates checks whether the table closes."""


class Update(Struct, frozen=True):
    """The whole public snapshot, and the public events since the previous update.

    `snapshot` and each of `events` ({"position", "event", "message"}) are JSON-ready, shared by all
    subscribers and read only.
    """

    snapshot: dict[str, Any]
    events: list[dict[str, Any]]


class Subscription:
    """One subscriber's queue, from the present snapshot until it is closed or dropped.

    `is_behind`: it gets each update after the others, which people wait for.
    """

    def __init__(self, streams: Broadcaster, first: Update, is_behind: bool) -> None:
        self.is_behind = is_behind
        self._broadcaster = streams
        self._waiting: deque[Update | None] = deque([first])
        self._changed = make_condition(LockRank.SUBSCRIPTION)
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether it has ended: the subscriber or the table closed it, or it was too slow."""
        with self._changed:
            return self._closed and not self._waiting

    def get(self, timeout: float | None = None) -> Update | None:
        """Return the next update; None for a heartbeat, after `timeout` seconds, or when closed."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._waiting) or self._closed, timeout)
            return self._waiting.popleft() if self._waiting else None

    def heartbeat(self) -> None:
        """Put a heartbeat into the queue, unless it is full."""
        self._put(None)

    def close(self) -> None:
        """End the subscription and drop its waiting updates."""
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
    """All subscribers, and the last update. Nobody waits here for the disk.

    A lock of its own orders the updates and the new subscribers: each gets every update that
    follows its first one.
    """

    def __init__(self) -> None:
        self._lock = make_lock(LockRank.STREAMS)
        self._subscribers: tuple[Subscription, ...] = ()
        self.last = Update({}, [])

    def __len__(self) -> int:
        return len(self._subscribers)

    def subscribe(self, first: Callable[[], Update], is_behind: bool = False) -> Subscription:
        """Return a new queue that holds `first()`; `last` stays while it is called."""
        with self._lock:
            subscription = Subscription(self, first(), is_behind)
            subscribers = (*self._subscribers, subscription)
            self._subscribers = tuple(sorted(subscribers, key=lambda each: each.is_behind))
        return subscription

    def publish(self, update: Update) -> None:
        """Put `update` into every queue; a subscriber with a full queue is dropped."""
        with self._lock:
            self.last = update
            slow = [subscriber for subscriber in self._subscribers if not subscriber._put(update)]
        for subscriber in slow:
            self.remove(subscriber)
            subscriber._end(forget=True)

    def remove(self, subscription: Subscription) -> None:
        """Remove a subscriber."""
        with self._lock:
            self._subscribers = tuple(
                subscriber for subscriber in self._subscribers if subscriber is not subscription
            )

    def close(self) -> None:
        """End all queues after their waiting updates."""
        with self._lock:
            subscribers, self._subscribers = self._subscribers, ()
        for subscriber in subscribers:
            subscriber._end(forget=False)


def follow(
    subscribe: Callable[[], Subscription], stopped: Callable[[], bool], wait: float = CLOSE_POLL
) -> Iterator[Update | None]:
    """Yield each update, and None after `wait` seconds without one; subscribe again when dropped.

    Ends once `stopped`.
    """
    subscription = subscribe()
    try:
        while not stopped():
            update = subscription.get(wait)
            if update is None and subscription.closed:
                subscription = subscribe()
            yield update
    finally:
        subscription.close()
