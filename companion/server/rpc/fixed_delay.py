"""Delay private replies to a fixed time, so that response time leaks nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

from companion.locks import Level, make_lock

Reply = dict[str, Any]
WORKERS = 16
MAX_PENDING = 256
"""Late replies that wait for a repeated request."""


def _wait(seconds: float) -> None:
    Event().wait(seconds)


class FixedDelayExecutor:
    """Run jobs and return their replies `seconds` later (0: at once, in the calling thread).

    A reply that is not ready then is "pending"; the phone repeats the request. Thread-safe.
    wait: returns after so many seconds
    """

    def __init__(self, seconds: float, wait: Callable[[float], object] = _wait) -> None:
        self._seconds = seconds
        self._wait = wait
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="private-answer")
        self._lock = make_lock(Level.PRIVATE_ANSWERS)
        self._pending: dict[str, Future[Reply]] = {}

    def run_delayed(self, request: str, job: Callable[[], Reply]) -> Future[Reply]:
        """Run a job and return it after the fixed time, done or not.

        The same request returns the same job.
        """
        if not self._seconds:
            return run_now(job)
        future = self._start_job(request, job)
        # The wait is the same after an early end and a late one.
        self._wait(self._seconds)
        self._keep_if_pending(request, future)
        return future

    def close(self) -> None:
        """Wait for running jobs and accept no more."""
        self._workers.shutdown()

    def _start_job(self, request: str, job: Callable[[], Reply]) -> Future[Reply]:
        with self._lock:
            return self._pending.pop(request, None) or self._workers.submit(job)

    def _keep_if_pending(self, request: str, future: Future[Reply]) -> None:
        if future.done():
            return
        with self._lock:
            self._pending[request] = future
            while len(self._pending) > MAX_PENDING:
                del self._pending[next(iter(self._pending))]


def run_now(job: Callable[[], Reply]) -> Future[Reply]:
    """Run a job in this thread and return it, done."""
    future = Future[Reply]()
    try:
        future.set_result(job())
    except Exception as fault:
        future.set_exception(fault)
    return future
