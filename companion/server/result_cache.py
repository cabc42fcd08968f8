"""Keep the results of long computations, so that no request waits for another one's."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from companion.locks import LockRank, make_lock

RESULT = TypeVar("RESULT")
RETRY_COMPUTED = "2"
"""`Retry-After` of a request during another one's computation; a print kit takes some seconds."""


class Computing(Exception):
    """Error raised while another thread computes; try again `RETRY_COMPUTED` later."""


class ResultCache(Generic[RESULT]):
    """The results of one group of keys, computed one at a time. Thread-safe; nobody waits.

    rank: of the lock that is held during a computation
    """

    def __init__(self, rank: LockRank) -> None:
        self._lock = make_lock(rank)
        self._results: tuple[Hashable, dict[Hashable, RESULT]] = (None, {})

    def get(self, group: Hashable, key: Hashable, compute: Callable[[], RESULT]) -> RESULT:
        """Return the result for `key`, computed in this thread if it is not there yet.

        The first result of another group drops all earlier ones. Raises `Computing`, and what
        `compute` raises; then nothing is kept.
        """
        of_group, results = self._results
        if of_group == group and key in results:
            return results[key]
        if not self._lock.acquire(blocking=False):
            raise Computing
        try:
            of_group, results = self._results
            if of_group != group:
                results = {}
            if key not in results:
                results[key] = compute()
                self._results = (group, results)
            return results[key]
        finally:
            self._lock.release()
