"""Every private answer is sent at its fixed moment, whatever it is."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from companion.core.game import GameError
from companion.server.rpc.replies import FixedDelayExecutor, Reply
from tests.server.client import GameTable, Json

SECONDS = 0.1
LIMIT = 90.0
"""Real seconds after which a job counts as stuck."""


class Waits:
    """Takes down each wait, and waits for its own purposes: until `end` returns."""

    def __init__(self, end: Callable[[], object] = lambda: None) -> None:
        self.seconds: list[float] = []
        self._end = end

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self._end()


def fail() -> Reply:
    raise ZeroDivisionError


def refuse() -> Reply:
    raise GameError("refused")


@pytest.mark.parametrize("job", [dict, fail, refuse])
@pytest.mark.parametrize("is_early", [True, False])
def test_a_job_that_is_done_and_one_that_is_not_wait_alike(
    job: Callable[[], Reply], is_early: bool
) -> None:
    """An answer waits for the same seconds whether its job is done at the beginning of the wait or
    not at its end, also if it fails.
    """
    may_run, has_run = Event(), Event()

    def timed_job() -> Reply:
        assert may_run.wait(LIMIT)
        try:
            return job()
        finally:
            has_run.set()

    waits = Waits(lambda: has_run.wait(LIMIT) if is_early else None)
    executor = FixedDelayExecutor(SECONDS, waits)
    if is_early:
        may_run.set()
    future = executor.run_delayed("request", timed_job)

    assert [SECONDS] == waits.seconds
    assert is_early or not future.done()
    may_run.set()
    executor.run_delayed("request", timed_job)
    executor.close()
    assert [SECONDS, SECONDS] == waits.seconds


REQUESTS: list[Json] = [
    {"do": "blank"},
    {"do": "hello"},
    {"do": "nonsense"},
    {"do": "preview", "actions": [{"type": "place", "cell": "C3"}]},
    {"do": "preview", "actions": [{"type": "walk", "to": "C3"}]},
    {"do": "preview", "actions": 7},
    {"do": "submit", "actions": [{"type": "walk", "to": "C3"}]},
    {"do": "submit", "actions": [{"type": "place", "cell": "C3"}]},
    {"do": "submit", "actions": [{"type": "place", "cell": "C3"}]},
    {"do": "mark", "cell": "Z99", "mark": "?"},
    {"do": "claim", "seat": "H1", "name": "X", "code": "BCDF", "pin": "1111"},
]


def test_every_request_of_a_seat_with_a_secret_waits_alike(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A blank message, a preview, a night, a refusal and an error of the program: each waits once,
    for the same time.
    """
    vampire, _ = game_table.started()
    waits = Waits()
    game_table.context.executor = FixedDelayExecutor(SECONDS, waits)
    for request in REQUESTS:
        vampire.request(**request)

    def preview(*arguments: Any) -> Json:
        raise ZeroDivisionError

    monkeypatch.setattr(game_table.table, "preview", preview)
    vampire.request("preview", actions=[{"type": "place", "cell": "C3"}])
    game_table.context.executor.close()

    assert [SECONDS] * (len(REQUESTS) + 1) == waits.seconds
