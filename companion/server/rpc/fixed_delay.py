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
        self._late: dict[str, Future[Reply]] = {}

    def at_once(self, job: Callable[[], Reply]) -> Future[Reply]:
        """Return the job, done."""
        if not self._seconds:
            return _run_here(job)
        future = self._workers.submit(job)
        wait([future])
        return future

    def held(self, question: str, job: Callable[[], Reply]) -> Future[Reply]:
        """Return the job of a question after the fixed time, done or not; asked again, the same
        job.
        """
        if not self._seconds:
            return self.at_once(job)
        moment = Event()
        future = self._begin(question, job)
        # Neither an early end nor a late one moves the answer: the wait is the same.
        moment.wait(self._seconds)
        self._keep_if_late(question, future)
        return future

    def close(self) -> None:
        """Let the running jobs end and take no more."""
        self._workers.shutdown()

    def _begin(self, question: str, job: Callable[[], Reply]) -> Future[Reply]:
        with self._lock:
            return self._late.pop(question, None) or self._workers.submit(job)

    def _keep_if_late(self, question: str, future: Future[Reply]) -> None:
        if future.done():
            return
        with self._lock:
            self._late[question] = future
            while len(self._late) > MAX_PENDING:
                del self._late[next(iter(self._late))]


def _run_here(job: Callable[[], Reply]) -> Future[Reply]:
    """Run a job here and now."""
    future = Future[Reply]()
    try:
        future.set_result(job())
    except Exception as fault:
        future.set_exception(fault)
    return future
