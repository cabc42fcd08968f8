"""Play many games at once: on this machine's cores, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from companion.arena.match import Contest, GameResult, result_of

BATCH = 4
"""Games that a worker receives at a time."""


SCHEDULER_TIMEOUT = 10.0
"""Seconds within which a scheduler must answer."""


class NoCluster(Exception):
    """Error raised when games cannot be distributed: the extra `arena` is missing, or no scheduler
    answers.
    """


def on_cores(contests: Sequence[Contest], workers: int) -> Iterator[GameResult]:
    """Yield the result of each contest, in order.

    workers: processes; 1 plays in this one
    """
    if workers == 1:
        yield from map(result_of, contests)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(result_of, contests, chunksize=BATCH)


def on_cluster(contests: Sequence[Contest], scheduler: str) -> Iterator[GameResult]:
    """Yield the result of each contest, in order, played by the workers of a Dask scheduler. They
    need the same release. Raises `NoCluster`.
    """
    try:
        from distributed import Client
    except ImportError as missing:
        raise NoCluster("a cluster needs .venv/bin/pip install -e '.[arena]'") from missing
    connect: Any = Client
    try:
        client = connect(scheduler, timeout=SCHEDULER_TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as silent:
        raise NoCluster(f"no scheduler answers at {scheduler}") from silent
    with client:
        yield from client.gather(client.map(result_of, contests, batch_size=BATCH, pure=False))
