"""A machine without a clock, or with a wrong one: no game depends on what year it is."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.table.storage.log import read_bodies
from tests.table.storage.disk import ROOT
from tests.table.storage.invariants import reference
from tests.table.storage.writer import Game

pytestmark = pytest.mark.slow

YEARS = 20 * 365 * 86400
SUBMISSIONS = 40


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that shifts a process's wall clock."""
    library = tmp_path_factory.mktemp("shim") / "clock.so"
    source = Path(__file__).with_name("clock_shim.c")
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, source], check=True
    )
    return library


def shifted(shim: Path, offset: Path, *words: str) -> str:
    """Run Python with its wall clock shifted by what stands in the file; return what it prints."""
    environment = os.environ | {"LD_PRELOAD": str(shim), "CLOCK_OFFSET": str(offset)}
    command = [sys.executable, *words]
    return subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


def test_the_wall_clock_jumps_at_every_event(tmp_path: Path) -> None:
    """A game during which the clock jumps by 20 years to and fro at every submission is the same,
    entry by entry.
    """
    jumps = itertools.cycle([YEARS, -2 * YEARS, YEARS])
    game = Game(tmp_path / "data", 1, lambda line: None, lambda: game.clock.shift_wall(next(jumps)))
    game.begin()
    game.play(SUBMISSIONS)
    game.close()

    assert reference(tmp_path / "whole", 1, SUBMISSIONS) == read_bodies(tmp_path / "data")


@pytest.mark.parametrize("years", [-56, -20, 20])
def test_a_machine_in_another_year(tmp_path: Path, shim: Path, years: int) -> None:
    """A whole process in another year, 1970 among them, plays the same game: Python, SQLite and the
    files alike.
    """
    offset = tmp_path / "offset"
    offset.write_text(f"{years * 365 * 86400}")
    script = "import time; print(time.localtime().tm_year)"
    this_year = int(
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout
    )

    assert this_year + years in range(
        int(shifted(shim, offset, "-c", script)) - 1, int(shifted(shim, offset, "-c", script)) + 2
    )
    shifted(
        shim,
        offset,
        "-m",
        "tests.table.storage.writer",
        str(tmp_path / "data"),
        "--submissions",
        f"{SUBMISSIONS}",
    )
    assert reference(tmp_path / "whole", 1, SUBMISSIONS) == read_bodies(tmp_path / "data")


def test_what_waits_does_not_look_at_the_wall_clock(tmp_path: Path, shim: Path) -> None:
    """While the clock jumps back and forth by years, the system's clock runs what was planned, once
    and in order.
    """
    offset = tmp_path / "offset"
    program = f"""
import threading
from pathlib import Path
from companion.clock import SystemClock
clock, done, ran = SystemClock(), threading.Event(), []
for number in range(20):
    clock.call_at(clock.monotonic() + number / 100, lambda number=number: ran.append(number))
    Path({str(offset)!r}).write_text(str({YEARS} * (-1) ** number))
clock.call_at(clock.monotonic() + 0.3, done.set)
print(done.wait(60) and ran == list(range(20)))
"""

    assert "True\n" == shifted(shim, offset, "-c", program)
