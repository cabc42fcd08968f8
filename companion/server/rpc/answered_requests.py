"""Remember the replies to the last requests, so that a repeated one is done once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from companion.core.game import GameError
from companion.locks import Level, make_lock
from companion.server.rpc.fixed_delay import Reply
from companion.table.storage.log import RequestId

MAX_ANSWERED = 512
"""Requests: a phone repeats one within seconds, and a whole table sends some five a second."""


class AnsweredRequests:
    """The replies and refusals of the last requests. Thread-safe."""

    def __init__(self) -> None:
        self._lock = make_lock(Level.ANSWERED_REQUESTS)
        self._results: dict[RequestId, Future[Reply]] = {}

    def do_once(self, request: RequestId, do: Callable[[], Reply]) -> Future[Reply]:
        """Do a request that has not been done; return its result, which is not ready while another
        thread does it.

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
