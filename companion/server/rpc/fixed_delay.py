"""When a private answer leaves: at a fixed moment after its question, so that computing time does
not show.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event
from typing import Any

from companion.locks import Level, make_lock

Reply = dict[str, Any]
WORKERS = 16
MAX_PENDING = 256
"""Answers that were not ready at their moment and wait to be asked for again."""


class FixedDelayExecutor:
    """Runs jobs and hands out their answers `seconds` after they came (0: at once, in the asking
    thread).

    An answer that is not ready then is "pending": the phone asks the very same again. Thread-safe.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="desk")
        self._lock = make_lock(Level.PRIVATE_ANSWERS)
        self._pending: dict[str, Future[Reply]] = {}

    def run_now(self, job: Callable[[], Reply]) -> Future[Reply]:
        """Return the job, done."""
        if not self._seconds:
            return _run_here(job)
        future = self._workers.submit(job)
        wait([future])
        return future

    def run_delayed(self, question: str, job: Callable[[], Reply]) -> Future[Reply]:
        """Return the job of a question after the fixed time, done or not; asked again, the same
        job.
        """
        if not self._seconds:
            return self.run_now(job)
        moment = Event()
        future = self._start_job(question, job)
        # Neither an early end nor a late one moves the answer: the wait is the same.
        moment.wait(self._seconds)
        self._keep_if_pending(question, future)
        return future

    def close(self) -> None:
        """Let the running jobs end and take no more."""
        self._workers.shutdown()

    def _start_job(self, question: str, job: Callable[[], Reply]) -> Future[Reply]:
        with self._lock:
            return self._pending.pop(question, None) or self._workers.submit(job)

    def _keep_if_pending(self, question: str, future: Future[Reply]) -> None:
        if future.done():
            return
        with self._lock:
            self._pending[question] = future
            while len(self._pending) > MAX_PENDING:
                del self._pending[next(iter(self._pending))]


def _run_here(job: Callable[[], Reply]) -> Future[Reply]:
    """Run a job here and now."""
    future = Future[Reply]()
    try:
        future.set_result(job())
    except Exception as fault:
        future.set_exception(fault)
    return future
