"""A real game in a process of its own, which prints each time what it has acknowledged.

`python -m tests.table.storage.writer FOLDER [--seed N] [--submissions N] [--sync normal]` plays
Vampire Radar through the real table, with its log, its copies, its keys and its reserve, and prints
a line for each answer: `SEAT key` after a seat was taken, `ACK entries seat id answer position
head` after a submission. The same seed plays the same game, entry by entry, so that any log may be
compared with that of a whole run. It ends with status 74 when the disk failed, as the command does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

from companion.core.game import Seat
from companion.games import GAMES
from companion.server.auth.access import AccessControl
from companion.server.auth.keystore import KeysNotStored
from companion.table.errors import Refused, StorageFailed
from companion.table.settings import TableSettings
from companion.table.storage.log import Log
from companion.table.storage.rotation import AutoBackup
from companion.table.table import Table
from tests.helpers.simulated_clock import SimulatedClock
from tests.table.play import InlineExecutor, T

DISK = 74
PLAYERS = ("V",)
LONG_NIGHT = 100
"""Seconds in which any night has been published, if it can be stored."""
TIMEOUT = 3
"""How often a person tries again what was refused for want of room."""


class Game:
    """One table with one game, played at random; every choice follows from the seed and the log's
    length.
    """

    def __init__(
        self,
        folder: Path,
        seed: int,
        say: Callable[[str], None],
        after: Callable[[], None] = lambda: None,
    ):
        self._say = say
        self._seed = seed
        self._after = after
        self.clock = SimulatedClock()
        self.log = Log(folder, reserve=True)
        manners = TableSettings(night_floor=0)
        self.table = Table(GAMES, self.log, self.clock, self._entropy, Random(seed), manners)
        self.table.on_publish(
            AutoBackup(
                self.table.snapshot, self.log.copy, self.clock, InlineExecutor()
            ).start_copy_if_due
        )
        self.seats = AccessControl(folder, self.table, self.clock, self._entropy)

    def begin(self) -> None:
        """Propose, sit down, start."""
        self._insist(lambda: self.table.lobby.propose({"players": 2}))
        for seat in PLAYERS:
            key = Random(f"key {seat} {self._seed}").randbytes(32).hex()
            code = str(self.seats.join_code)
            self._insist(partial(self.seats.claim, key, Seat(seat), seat, code, "1111", ""))
            self._say(f"SEAT {key}")
        self._insist(self.table.start)

    def play(self, submissions: int) -> None:
        """Make `submissions`, nights among them; start a new game after each end."""
        for number in range(submissions):
            self._wait()
            if self.table.snapshot()["phase"] == "over":
                self._insist(lambda: self.table.open_next_game(by=0))
                self._insist(self.table.start)
                self.clock.advance(1)
            self._submit(f"{number}")
            self._after()

    def close(self) -> None:
        self.table.close()

    def _wait(self) -> None:
        """Let time pass until a seat may act; raise `StorageFailed` if a dawn cannot be stored."""
        for _ in range(LONG_NIGHT):
            if self._ready():
                return
            self.clock.advance(1)
        raise StorageFailed("the dawn does not come")

    def _ready(self) -> bool:
        snapshot = self.table.snapshot()
        if snapshot["phase"] == "over":
            return True
        return bool(
            self.table.seat_snapshot(Seat("V"))["legal"]
            if snapshot["secret"]
            else snapshot["legal"]
        )

    def _submit(self, id: str) -> None:
        snapshot = self.table.snapshot()
        seat = Seat(snapshot["to_move"])
        legal = self.table.seat_snapshot(seat)["legal"] if snapshot["secret"] else snapshot["legal"]
        chance = Random(f"{self._seed} {len(self.log)}")
        resting = snapshot["secret"] and legal[0]["type"] != "place"
        actions = self.table.decode([legal[-1] if resting else chance.choice(legal)])
        submit = partial(self.table.submit, seat, actions, id=id)
        receipt = self._insist(submit)
        for _ in range(LONG_NIGHT):
            if receipt.is_stored:
                break
            # A phone asks again until its night is stored.
            self.clock.advance(0.5)
            receipt = self._insist(submit)
        else:
            raise StorageFailed("the night is not stored")
        status = self.table.snapshot()
        self._say(
            f"ACK {len(self.log)} {seat} {id} {receipt.position} {status['position']} "
            f"{status['head']}"
        )

    def _insist(self, act: Callable[[], T]) -> T:
        for _ in range(TIMEOUT):
            try:
                return act()
            except (Refused, KeysNotStored) as refused:
                self._say(f"REFUSED {refused.message.code}")
        raise StorageFailed("no room for long")

    def _entropy(self, count: int) -> bytes:
        return Random(f"entropy {self._seed} {len(self.log)}").randbytes(count)


@contextmanager
def game(folder: Path, seed: int, say: Callable[[str], None] = lambda line: None) -> Iterator[Game]:
    """Yield a game in this process; its log is closed at the end."""
    playing = Game(folder, seed, say)
    try:
        yield playing
    finally:
        playing.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--submissions", type=int, default=30)
    parser.add_argument("--sync", choices=["full", "normal"], default="full")
    args = parser.parse_args()
    try:
        with game(args.folder, args.seed, lambda line: print(line, flush=True)) as playing:
            playing.log.connection.execute(f"PRAGMA synchronous={args.sync.upper()}")
            # So that a short game tests the events after the thousandth page of a long one.
            playing.log.connection.execute("PRAGMA wal_autocheckpoint=16")
            playing.begin()
            playing.play(args.submissions)
    except (StorageFailed, KeysNotStored):
        return DISK
    return 0


if __name__ == "__main__":
    sys.exit(main())
