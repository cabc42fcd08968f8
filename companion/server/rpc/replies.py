"""Time the replies: private ones come at a fixed moment, a repeated request gets the first one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

from companion.core.game import GameError
from companion.locks import LockRank, make_lock
from companion.table.storage.log import RequestId

Reply = dict[str, Any]
WORKERS = 16
MAX_PENDING = 256
"""Late replies that wait for a repeated request."""
MAX_ANSWERED = 512
"""Requests: a phone repeats one within seconds, and a whole table sends some five a second."""


def _wait(seconds: float) -> None:
    Event().wait(seconds)


class FixedDelayExecutor:
    """Run jobs and return their replies `seconds` later (0: at once, in the calling thread), so
    that response time leaks nothing.

    A reply that is not ready then is "pending"; the phone repeats the request. Thread-safe.
    wait: returns after so many seconds
    """

    def __init__(self, seconds: float, wait: Callable[[float], object] = _wait) -> None:
        self._seconds = seconds
        self._wait = wait
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="private-answer")
        self._lock = make_lock(LockRank.PRIVATE_ANSWERS)
        self._pending: dict[str, Future[Reply]] = {}

    def run_delayed(self, request: str, job: Callable[[], Reply]) -> Future[Reply]:
        """Run a job, one for equal requests; return its future after a fixed time, done or not."""
        if not self._seconds:
            return run_now(job)
        with self._lock:
            future = self._pending.pop(request, None) or self._workers.submit(job)
        # The wait is the same after an early end and a late one.
        self._wait(self._seconds)
        if not future.done():
            with self._lock:
                self._pending[request] = future
                while len(self._pending) > MAX_PENDING:
                    del self._pending[next(iter(self._pending))]
        return future

    def close(self) -> None:
        """Wait for running jobs and accept no more."""
        self._workers.shutdown()


def run_now(job: Callable[[], Reply]) -> Future[Reply]:
    """Run a job in this thread and return it, done."""
    future = Future[Reply]()
    try:
        future.set_result(job())
    except Exception as fault:
        future.set_exception(fault)
    return future


class AnsweredRequests:
    """The replies and refusals of the last requests. Thread-safe."""

    def __init__(self) -> None:
        self._lock = make_lock(LockRank.ANSWERED_REQUESTS)
        self._results: dict[RequestId, Future[Reply]] = {}

    def do_once(self, request: RequestId, do: Callable[[], Reply]) -> Future[Reply]:
        """Do a request that was not done; return its result, not ready while another does it.

        A refusal (`GameError`) is a result too. After any other error, which is raised, a repeated
        request is done again.
        """
        with self._lock:
            if (earlier := self._results.get(request)) is not None:
                return earlier
            result = self._results[request] = Future[Reply]()
            while len(self._results) > MAX_ANSWERED:
                del self._results[next(iter(self._results))]
        try:
            result.set_result(do())
        except GameError as refusal:
            result.set_exception(refusal)
        except BaseException:
            with self._lock:
                self._results.pop(request, None)
            raise
        return result
