"""A table on a simulated clock for tests; reopening without closing simulates a crash."""

from __future__ import annotations

import hashlib
import shutil
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from random import Random
from typing import Any, ParamSpec, TypeVar

from companion.core.game import Action, Game, Seat
from companion.table.settings import TableSettings
from companion.table.storage.log import Log
from companion.table.table import Table
from tests.helpers.simulated_clock import SimulatedClock
from tests.table.toy_game import QuietGame

P = ParamSpec("P")
T = TypeVar("T")

KEYS = {seat: f"{number:064x}" for number, seat in enumerate("SABVF", start=1)} | {
    f"H{number}": f"{number + 16:064x}" for number in (1, 2, 3)
}


def entropy_of(seed: int) -> Callable[[int], bytes]:
    """Return a source of bytes that a seed determines."""
    return Random(seed).randbytes


def give_shares(table: Table, *keys: str) -> dict[str, str]:
    """Let these phones add to the shuffle; return each share."""
    sealed = table.snapshot()["lobby"]["seed"]
    shares = {key: hashlib.sha256(key.encode()).hexdigest()[:32] for key in keys}
    for key, share in shares.items():
        table.seeds.give_share(key, sealed, share)
    return shares


class InlineExecutor(Executor):
    """Runs each call at once, in the caller's thread, so that the same seed makes the same system
    calls.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future = Future[T]()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def start_with_all(table: Table) -> None:
    """Begin the proposed game; if it has a custom set-up, all seated players agree."""
    table.start()
    while vote := table.snapshot()["vote"]:
        table.votes.cast(
            next(seat for seat in vote["needed"] if seat not in vote["agreed"]), agree=True
        )


class Play:
    """One data folder and the table that runs in it; its log is closed with the last reference."""

    def __init__(
        self, folder: Path, game: Game | None = None, seed: int = 1, **settings: Any
    ) -> None:
        self.folder = folder
        self.games: Sequence[Game] = [game or QuietGame()]
        self.settings = TableSettings(**settings)
        self.entropy = entropy_of(seed)
        self.rng = Random(seed)
        self._ids = 0
        self.open()

    def open(self) -> None:
        self.clock = SimulatedClock()
        self.log = Log(self.folder)
        self.table = Table(self.games, self.log, self.clock, self.entropy, self.rng, self.settings)
        weakref.finalize(self.table, self.log.close)

    def crash(self) -> None:
        """Lose the process: go on in a copy of the folder, with its write-ahead log as the kill
        left it.
        """
        old, self.folder = self.folder, self.folder.with_name(self.folder.name + "+")
        shutil.copytree(old, self.folder, ignore=shutil.ignore_patterns("*-shm"))
        self.table.close()
        self.open()

    def start(self, *seats: str, players: int = 3) -> Table:
        self.table.lobby.propose({"players": players})
        for seat in seats:
            self.table.seats.claim(Seat(seat), f"Person {seat}", KEYS[seat])
        start_with_all(self.table)
        return self.table

    def submit(self, seat: str, *actions: Action, id: str | None = None) -> int:
        self._ids += 1
        return self.table.submit(
            Seat(seat), list(actions), id=id or f"request-{self._ids}"
        ).position

    def night(self, seat: str, *actions: Action) -> None:
        """Submit a secret turn and let it be published to its end."""
        self.submit(seat, *actions)
        self.clock.advance(60)

    def events(self) -> list[str]:
        return [line["event"]["event"] for line in self.table.snapshot()["log"]]
