"""A table on a quarter of a core: a stand-in for a Raspberry Pi 3 or Zero 2 W.

The kernel's quota holds the table's process; those who listen and measure have the whole machine.
Both are scheduled before the machine's other processes, so its other work is not measured.
`python -m tests.bench.slow_machine decisions` prints, by game and level, the longest of some
decisions of a bot, in seconds.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from companion.bots.runner import MOVE_DELAY, THINK_SECONDS
from companion.core.game import Event, Game, Seat, State
from companion.core.search_budget import SearchBudget
from companion.core.view import may_see, view
from companion.games import GAMES
from tests.bench.figure import Figure, at_most
from tests.bench.latency import pawns_heard, start_times, whole_game
from tests.secrecy.random_games import begin, random_play

QUOTA_US = 1000
"""Microseconds on a processor in each period."""
PERIOD_US = 4000
"""The shortest period of which a quarter may be given: a long one would stop the table for longer
than a slow processor does.
"""
CONTROLLERS = Path("/sys/fs/cgroup")
DECISIONS = 8
"""Positions of a random game in which each level decides."""
APART = 5
"""Actions between two of these positions."""
SEED = 1
SECONDS = 900
STAND_IN = "a quarter of a core: "


def figures() -> Iterator[Figure]:
    """Measure the table under the quota; an account that may not set one measures nothing."""
    if os.geteuid() != 0:
        yield Figure(f"{STAND_IN}only root sets the quota", "not measured", "none", True)
        return
    with (
        TemporaryDirectory(prefix="bench-") as name,
        quarter_of_a_core() as launch,
        scheduled_first(),
    ):
        folder = Path(name)
        starts = start_times(folder, launch=launch)
        yield at_most(f"{STAND_IN}start (median)", statistics.median(starts), 5, "s")
        heard = pawns_heard(folder / "pawns", 10, 60, launch)
        for figure in (heard, *whole_game(folder / "evening", launch), longest_decision(launch)):
            yield Figure(STAND_IN + figure.what, figure.measured, figure.budget, figure.keeps)


@contextmanager
def quarter_of_a_core() -> Iterator[Sequence[str]]:
    """Yield the words that start a command under the quota."""
    is_unified = (CONTROLLERS / "cgroup.controllers").exists()
    group = (CONTROLLERS if is_unified else CONTROLLERS / "cpu") / f"bench-{os.getpid()}"
    group.mkdir()
    try:
        if is_unified:
            (group / "cpu.max").write_text(f"{QUOTA_US} {PERIOD_US}")
            (group / "cpu.weight").write_text("10000")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(QUOTA_US))
            (group / "cpu.shares").write_text("262144")
        enter = 'echo $$ > "$0" && exec "$@"'
        # A group without a quota for real time takes no such process.
        yield ("chrt", "-o", "0", "sh", "-c", enter, str(group / "cgroup.procs"))
    finally:
        group.rmdir()


@contextmanager
def scheduled_first() -> Iterator[None]:
    """Run this process and those that it starts in real time."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def longest_decision(launch: Sequence[str]) -> Figure:
    """Return the longest decision of any level of any game; people see none that takes less than a
    bot waits.
    """
    words = [*launch, sys.executable, "-m", "tests.bench.slow_machine", "decisions"]
    run = subprocess.run(words, capture_output=True, check=True, text=True, timeout=SECONDS)
    who, seconds = max(json.loads(run.stdout).items(), key=lambda item: float(item[1]))
    return at_most(f"bots: the longest decision ({who})", seconds, MOVE_DELAY, "s")


def decisions() -> dict[str, float]:
    """Return the longest of some decisions in seconds, by game and level."""
    longest: dict[str, float] = {}
    for game in GAMES:
        if game.bots is None:
            continue
        for state, seat, story in positions(game):
            for level in game.bots.levels:
                name = f"{game.name}, {level}"
                took = decision_seconds(game, state, seat, level, story)
                longest[name] = max(took, longest.get(name, 0.0))
    return longest


def positions(game: Game) -> Iterator[tuple[State, Seat, list[Event]]]:
    """Yield positions of a random game: the state, who is to move, and all events so far."""
    players = max(game.seats)
    _, story = begin(game, players, Random(SEED))
    steps = random_play(game, players, Random(SEED))
    for number, (before, seat, _, happened, _) in enumerate(steps):
        if number % APART == 0:
            yield before, seat, list(story)
        if number == APART * DECISIONS:
            return
        story += happened


def decision_seconds(
    game: Game, state: State, seat: Seat, level: str, story: Sequence[Event]
) -> float:
    """Return the seconds in which a new bot receives what its seat may know and decides."""
    assert game.bots is not None
    began = time.monotonic()
    bot = game.bots.make(seat, level, SearchBudget(Random(1), THINK_SECONDS, time.monotonic))
    for event in story:
        if may_see(event, seat):
            bot.observe(event)
    bot.act(view(state, seat))
    return time.monotonic() - began


if __name__ == "__main__":
    print(json.dumps(decisions()))
