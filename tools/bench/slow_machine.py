"""A table on a quarter of a core: a stand-in for a Raspberry Pi 3 or Zero 2 W.

The kernel's quota limits the table's process; the measuring processes have the whole machine. Both
are scheduled before the machine's other processes, so other load is not measured.

`python -m tools.bench.slow_machine decisions` prints the longest of some decisions of a bot in
seconds, by game and level.
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
from tools.bench.figure import Figure, at_most
from tools.bench.latency import pawn_latency, start_times, whole_game
from tools.secrecy.random_games import begin, random_play

QUOTA_US = 1000
"""Microseconds of processor time in each period."""
PERIOD_US = 4000
"""The shortest period with a quarter quota: a long one would stop the table for longer than a slow
processor does.
"""
CONTROLLERS = Path("/sys/fs/cgroup")
DECISIONS = 8
"""Positions of a random game in which each level decides."""
APART = 5
"""Actions between two of these positions."""
SEED = 1
SECONDS = 900
STAND_IN = "a quarter of a core, "


def figures() -> Iterator[Figure]:
    """Measure the table under the quota; an account without the right to set one measures
    nothing.
    """
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
        latency = pawn_latency(folder / "pawns", 10, 60, launch)
        for figure in (latency, *whole_game(folder / "evening", launch), longest_decision(launch)):
            yield Figure(STAND_IN + figure.name, figure.measured, figure.budget, figure.keeps)


@contextmanager
def quarter_of_a_core() -> Iterator[Sequence[str]]:
    """Yield the words that run a command under the quota."""
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
        # A group without a real-time quota accepts no real-time process.
        yield ("chrt", "-o", "0", "sh", "-c", enter, str(group / "cgroup.procs"))
    finally:
        group.rmdir()


@contextmanager
def scheduled_first() -> Iterator[None]:
    """Run this process and its children in real time."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    try:
        yield
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def longest_decision(launch: Sequence[str]) -> Figure:
    """Return the longest decision of any level of any game; one shorter than a bot's pause is not
    visible.
    """
    command = [*launch, sys.executable, "-m", "tools.bench.slow_machine", "decisions"]
    process = subprocess.run(command, capture_output=True, check=True, text=True, timeout=SECONDS)
    bot_name, seconds = max(json.loads(process.stdout).items(), key=lambda item: float(item[1]))
    return at_most(f"bots: the longest decision ({bot_name})", seconds, MOVE_DELAY, "s")


def decisions() -> dict[str, float]:
    """Return the longest of some decisions in seconds, by game and level."""
    longest: dict[str, float] = {}
    for game in GAMES:
        if game.bots is None:
            continue
        for state, seat, events in positions(game):
            for level in game.bots.levels:
                name = f"{game.name}, {level}"
                seconds = decision_seconds(game, state, seat, level, events)
                longest[name] = max(seconds, longest.get(name, 0.0))
    return longest


def positions(game: Game) -> Iterator[tuple[State, Seat, list[Event]]]:
    """Yield positions of a random game: the state, the seat to move, and all events so far."""
    players = max(game.seats)
    _, events = begin(game, players, Random(SEED))
    steps = random_play(game, players, Random(SEED))
    for number, (before, seat, _, new_events, _) in enumerate(steps):
        if number % APART == 0:
            yield before, seat, list(events)
        if number == APART * DECISIONS:
            return
        events += new_events


def decision_seconds(
    game: Game, state: State, seat: Seat, level: str, events: Sequence[Event]
) -> float:
    """Return the seconds in which a new bot observes its seat's events and decides."""
    assert game.bots is not None
    start = time.monotonic()
    bot = game.bots.make(seat, level, SearchBudget(Random(1), THINK_SECONDS, time.monotonic))
    for event in events:
        if may_see(event, seat):
            bot.observe(event)
    bot.act(view(state, seat))
    return time.monotonic() - start


if __name__ == "__main__":
    print(json.dumps(decisions()))
