"""Inject time: what a clock does, and the computer's own."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from companion.locks import LockRank, make_condition

Callback = Callable[[], None]


class Clock(Protocol):
    """A monotonic time in seconds for waiting, a wall time for display only."""

    def monotonic(self) -> float:
        """Return seconds since some fixed moment; never goes back."""

    def wall(self) -> float:
        """Return seconds since the epoch, for display only: it may jump."""

    def call_at(self, when: float, action: Callback) -> None:
        """Run `action` once, at the monotonic time `when` or as soon as possible after it."""

    def call_after(self, work: Future[Any], action: Callback) -> None:
        """Run `action` once, as soon as possible after `work`; no other action waits for it."""


def real_monotonic() -> float:
    """Return monotonic real seconds, for timeouts of other processes under any clock."""
    return time.monotonic()


class ActionFailed(Exception):
    """Error reported instead of an action's own, with its name and traceback: the text of the
    original may hold a secret, and reports are logged.
    """


class TimerQueue:
    """Actions by time; of equal times the first entered comes first."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Callback]] = []
        self._order = itertools.count()

    def add(self, when: float, action: Callback) -> None:
        heapq.heappush(self._heap, (when, next(self._order), action))

    def next_time(self) -> float | None:
        return self._heap[0][0] if self._heap else None

    def pop(self) -> Callback:
        return heapq.heappop(self._heap)[2]


class SystemClock:
    """The computer's clock; one daemon thread runs the actions, one after another.

    An action that raises is reported to `threading.excepthook` as `ActionFailed`; the clock
    continues.
    """

    def __init__(self) -> None:
        self._timers = TimerQueue()
        self._changed = make_condition(LockRank.CLOCK)
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="clock", daemon=True)
        self._thread.start()

    def monotonic(self) -> float:
        return real_monotonic()

    def wall(self) -> float:
        return time.time()

    def call_at(self, when: float, action: Callback) -> None:
        with self._changed:
            self._timers.add(when, action)
            self._changed.notify()

    def call_after(self, work: Future[Any], action: Callback) -> None:
        work.add_done_callback(lambda done: self.call_at(self.monotonic(), action))

    def close(self) -> None:
        """Stop the thread; actions still waiting are dropped."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        while (action := self._next()) is not None:
            try:
                action()
            except Exception as error:
                # One action's error must not stop all later dawns.
                failed = ActionFailed(type(error).__name__)
                threading.excepthook(
                    threading.ExceptHookArgs(
                        (ActionFailed, failed, error.__traceback__, self._thread)
                    )
                )

    def _next(self) -> Callback | None:
        with self._changed:
            while not self._closed:
                when = self._timers.next_time()
                wait = None if when is None else when - time.monotonic()
                if wait is not None and wait <= 0:
                    return self._timers.pop()
                self._changed.wait(wait)
            return None
