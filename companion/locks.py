"""Every lock of the companion, and the one order in which a thread takes them.

With COMPANION_CHECK_LOCKS in the environment, as in all tests, each lock checks that order at every
wait, so that a single thread detects a possible deadlock of two. Without it these are the locks of
`threading`.
"""

from __future__ import annotations

import os
import threading
from enum import IntEnum, auto
from typing import cast

CHECKED = bool(os.environ.get("COMPANION_CHECK_LOCKS"))
"""Whether locks check their order."""


class LockRank(IntEnum):
    """The locks in their order: while a thread holds one, it may wait only for those below it."""

    PRINT_KIT = auto()
    PHOTO = auto()
    PHOTO_PROCESS = auto()
    STREAM_SLOTS = auto()
    CHANNELS = auto()
    SENSOR_SOURCES = auto()
    SENSOR_FUSION = auto()
    BOARD_READER = auto()
    CAMERA = auto()
    SERIAL_BOARD = auto()
    TAG_REGISTRY = auto()
    VIRTUAL_BOARD = auto()
    PIN_HASH = auto()
    SEATS = auto()
    TABLE = auto()
    CODE_GUESSES = auto()
    OPENED_MESSAGES = auto()
    ANSWERED_REQUESTS = auto()
    TICKETS = auto()
    PHONE_FRAMES = auto()
    PRIVATE_ANSWERS = auto()
    STREAM_ENCODER = auto()
    BOT_PROGRAMS = auto()
    ODDS = auto()
    SUGGESTION = auto()
    REPLAY = auto()
    TABLE_DIRECTORY = auto()
    STREAMS = auto()
    SUBSCRIPTION = auto()
    CLOCK = auto()


class LockOrderError(RuntimeError):
    """Error raised when a thread waits for a lock above one that it holds."""


class OrderedLock:
    """A lock of `threading` that checks its rank against those that the thread holds.

    With `reentrant` the lock is an RLock. A non-blocking attempt is never refused: it cannot be
    part of a deadlock.
    """

    def __init__(self, rank: LockRank, *, reentrant: bool = False) -> None:
        self.rank = rank
        self._reentrant = reentrant
        self._lock = threading.RLock() if reentrant else threading.Lock()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"OrderedLock({self.rank.name})"

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock as `threading.Lock.acquire` does; raise `LockOrderError`."""
        if blocking:
            self._check()
        taken = self._lock.acquire(blocking, timeout)
        if taken:
            _held().append(self)
        return taken

    def release(self) -> None:
        """Release the lock."""
        held = _held()
        del held[-1 - held[::-1].index(self)]
        self._lock.release()

    def locked(self) -> bool:
        """Return whether a thread holds the lock; a condition of Python 3.14 needs this method."""
        return cast(threading.Lock, self._lock).locked()

    def _check(self) -> None:
        held = _held()
        if self._reentrant and self in held:
            return
        above = [lock.rank.name for lock in held if lock.rank >= self.rank]
        if above:
            raise LockOrderError(f"{self.rank.name} is waited for while {', '.join(above)} is held")


def make_lock(rank: LockRank) -> threading.Lock:
    """Return a lock of this rank."""
    return cast(threading.Lock, OrderedLock(rank)) if CHECKED else threading.Lock()


def make_rlock(rank: LockRank) -> threading.RLock:
    """Return a reentrant lock of this rank."""
    return (
        cast(threading.RLock, OrderedLock(rank, reentrant=True)) if CHECKED else threading.RLock()
    )


def make_condition(rank: LockRank) -> threading.Condition:
    """Return a condition whose lock is of this rank."""
    return threading.Condition(make_lock(rank))


_thread = threading.local()


def _held() -> list[OrderedLock]:
    """Return the locks that this thread holds, in the order in which it took them."""
    if not hasattr(_thread, "held"):
        _thread.held = []
    return cast(list[OrderedLock], _thread.held)
