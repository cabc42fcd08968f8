"""A table whose bots play in simulated time."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random

from companion.bots.external_pool import ExternalBotPool
from companion.bots.runner import BotRunner, bot_levels
from companion.games import GAMES
from companion.table.storage.log import Log
from companion.table.table import Table
from tests.helpers.simulated_clock import SimulatedClock


@contextmanager
def bot_table(folder: Path, seed: int = 1) -> Iterator[tuple[Table, SimulatedClock]]:
    """Yield a table with a runner of bots, and its clock. `seed`: for the table's secrets and
    the bots' ids of requests; a log that is opened again needs another one."""
    clock = SimulatedClock()
    with ThreadPoolExecutor(1) as executor:
        levels = bot_levels(GAMES, ())
        entropy = Random(seed).randbytes
        table = Table(GAMES, Log(folder), clock, entropy, Random(2), bot_levels=levels)
        programs = ExternalBotPool({}, clock.monotonic)
        bots = BotRunner(
            table, clock, Random(seed + 2).randbytes, executor, lambda: False, programs
        )
        yield table, clock
        assert bots is not None
        table.close()


def play_out(table: Table, clock: SimulatedClock) -> None:
    """Let the bots play until the game is over."""
    for _ in range(6000):
        if table.snapshot()["phase"] == "over":
            return
        clock.advance(0.5)
    raise AssertionError("the game did not end")
