"""Random proposals: whatever is proposed, the table starts again from its log.

`python -m tests.table.proposals [--count N] [--seed N]` sends N proposals of each game, made by
bending what starts a real game, begins some of the games, and opens the table again from its log.
Prints for each game how many were taken, how many could have begun, how many did, and how many
entries a start had to leave out, which must be 0.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.core.game import Game, GameError, InvalidSetup
from companion.games import GAMES
from companion.table.storage.log import Log
from companion.table.storage.recovery import LOG_FILE
from companion.table.table import Table
from tests.helpers.ramdisk import in_memory
from tests.helpers.simulated_clock import SimulatedClock
from tests.table.play import start_with_all
from tools.acceptance.damaged_files import ODD

AGAIN = 25
"""Proposals after which the table is opened again."""
LIFE = 50
"""Proposals after which the log begins empty: each start folds the whole log, so that with a single
log the time would grow with the square of the count.
"""
WHAT = ("proposals", "taken", "ready", "begun", "refused_late", "unforeseen", "left_out")


def bent(value: Any, rng: Random) -> Any:
    """Return a JSON value with one part removed, doubled or replaced by another."""
    holders = [each for each in _nested(value) if isinstance(each, dict | list) and each]
    if not holders or rng.random() < 0.02:
        return rng.choice(ODD)
    target = rng.choice(holders)
    leaves = [each for each in _nested(value) if not isinstance(each, dict | list)]
    return _changed(value, target, rng, leaves)


def _nested(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _nested(each)


def _changed(value: Any, target: Any, rng: Random, leaves: list[Any]) -> Any:
    if value is target:
        return _broken(value, rng, leaves)
    if isinstance(value, dict):
        return {key: _changed(each, target, rng, leaves) for key, each in value.items()}
    return (
        [_changed(each, target, rng, leaves) for each in value]
        if isinstance(value, list)
        else value
    )


def _broken(target: Any, rng: Random, leaves: list[Any]) -> Any:
    keys = list(target) if isinstance(target, dict) else list(range(len(target)))
    at = rng.choice(keys)
    result: Any = dict(target) if isinstance(target, dict) else list(target)
    match rng.randrange(5):
        case 0:
            del result[at]
        case 1 if isinstance(result, list):
            result.insert(rng.randrange(len(result) + 1), result[at])
        case 1:
            result[rng.choice([str(leaf) for leaf in leaves] or ["x"])] = result[at]
        case 2:
            result[at] = rng.choice(ODD)
        case 3 if isinstance(result, list):
            rng.shuffle(result)
        case _:
            alike = [leaf for leaf in leaves if type(leaf) is type(result[at])]
            result[at] = rng.choice(alike or leaves or [0])
    return result


class Proposer:
    """One table of one game that receives any proposal."""

    def __init__(self, game: Game, folder: Path, seed: int) -> None:
        self.game = game
        self.folder = folder
        self.rng = Random(f"{game.name} {seed}")
        self.counts = Counter[str]()
        self.table = self._opened()

    def go(self, count: int) -> None:
        """Send `count` proposals."""
        for number in range(1, count + 1):
            self._propose()
            if number % AGAIN == 0 or number == count:
                self.reopen()
            if number % LIFE == 0:
                self._begin_log()
        self.table.close()

    def reopen(self) -> None:
        """Open the table again; it must stand as before."""
        before = self.table.snapshot()
        self.table.close()
        self.table = self._opened()
        after = self.table.snapshot()
        same = all(before[name] == after[name] for name in ("lobby", "view", "phase", "legal"))
        self.counts["left_out"] += len(list(self.folder.glob(f"{LOG_FILE}.unread-*"))) + (not same)

    def _begin_log(self) -> None:
        """Open a table with an empty log."""
        self.table.close()
        shutil.rmtree(self.folder)
        self.table = self._opened()

    def _opened(self) -> Table:
        return Table(GAMES, Log(self.folder), SimulatedClock(), self.rng.randbytes, self.rng)

    def _propose(self) -> None:
        self.counts["proposals"] += 1
        change = self._whole(players := self.rng.choice(self.game.seats))
        for _ in range(self.rng.choice((0, 0, 1, 1, 2, 5))):
            change = bent(change, self.rng)
            if not isinstance(change, dict):
                change = {"options": change}
        if self.rng.random() < 0.9:
            change |= {"game": self.game.name, "players": players}
        try:
            self.table.lobby.propose(change)
            self.counts["taken"] += 1
        except GameError as wrong:
            self.counts["unforeseen"] += wrong.message.code == "cannot_fold"
        ready = self.table.snapshot()["lobby"]["ready"]
        self.counts["ready"] += ready
        if ready and self.rng.random() < 0.2:
            self._begin()

    def _whole(self, players: int) -> dict[str, Any]:
        """Return the set-up of a real game, with all its draws."""
        chosen: dict[str, Any] = (
            {"options": {"content": "box"}} if self.game.content and self.rng.random() < 0.2 else {}
        )
        with suppress(InvalidSetup):
            state = self.game.initial()
            setup = _setup(self.game, chosen)
            for event in self.game.setup(
                self.game.seat_names(players), setup, Random(self.rng.random())
            ):
                state = self.game.evolve(state, event)
            values = self.game.to_setup(state)
            return {name: values[name] for name in values if self.rng.random() < 0.7}
        return {}

    def _begin(self) -> None:
        """Play the proposed game from its start to an agreed draw."""
        seats = [place["seat"] for place in self.table.snapshot()["seats"]]
        try:
            for number, seat in enumerate(seats, start=1):
                self.table.seats.claim(seat, f"Person {seat}", f"{number:064x}")
            start_with_all(self.table)
        except GameError:
            self.counts["refused_late"] += 1
            return
        self.counts["begun"] += 1
        self.reopen()
        with suppress(GameError):
            for seat in seats:
                self.table.votes.draw(seat)
        if self.table.snapshot()["phase"] == "over":
            self.table.open_next_game(by=0)
        else:
            raise AssertionError("the game did not end")


def _setup(game: Game, chosen: dict[str, Any]) -> Any:
    return msgspec.convert(chosen, game.setup_type)


def propose_all(game: Game, count: int, seed: int) -> Counter[str]:
    """Return the outcomes of `count` proposals of a game."""
    with in_memory() as folder:
        proposer = Proposer(game, Path(folder) / "data", seed)
        proposer.go(count)
        return proposer.counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    total = Counter[str]()
    for game in GAMES:
        counts = propose_all(game, args.count, args.seed)
        report(game.name, counts)
        total += counts
    report("all games", total)
    return int(total["left_out"] > 0)


def report(name: str, counts: Counter[str]) -> None:
    """Print a line of counts."""
    print(f"{name}:", *(f"{kind}={counts[kind]}" for kind in WHAT), flush=True)


if __name__ == "__main__":
    sys.exit(main())
