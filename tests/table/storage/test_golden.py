"""A log whose hashes were computed without the companion's code."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.core.game import Seat
from companion.games import GAMES
from companion.table.errors import NewerSchema
from companion.table.storage.log import Log
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import SCHEMA_VERSION
from companion.table.table import Table
from tests.helpers.simulated_clock import SimulatedClock
from tests.table.storage.disk import Disk, Loss, lay_out, traced

GOLDEN = Path(__file__).parent / "golden" / LOG_FILE
END = (152, "b59435ab6bcc0e0ce9a5f7fd880907cf57cf60a88dbb2864f0ced961059604d8", 114)
"""Position, head and entries of the golden log."""


def golden(folder: Path) -> Path:
    """Return a data folder with the golden log."""
    folder.mkdir(mode=0o700)
    shutil.copyfile(GOLDEN, folder / LOG_FILE)
    return folder


def set_pragma(path: Path, name: str, value: int) -> None:
    """Write a number into the file's header."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"PRAGMA {name}={value}")


def opened(folder: Path) -> tuple[int, str, int]:
    """Return position, head and entries of a folder after the real start."""
    log = Log(folder)
    table = Table(GAMES, log, SimulatedClock(), Random(1).randbytes, Random(1))
    snapshot = table.snapshot()
    restored = snapshot["position"], snapshot["head"], len(log)
    assert log.lost == 0
    table.close()
    return restored


def test_the_golden_log_ends_in_its_head(tmp_path: Path) -> None:
    """The log folds to the head that was computed without the companion, at each start."""
    folder = golden(tmp_path / "data")

    assert END == opened(folder)
    assert END == opened(folder)


def test_a_game_is_played_on(tmp_path: Path) -> None:
    """A half-finished turn goes on at the same action, and a repeated request is answered as
    before.
    """
    log = Log(golden(tmp_path / "data"))
    receipt = log.answer("H1", "h112")
    table = Table(GAMES, log, SimulatedClock(), Random(1).randbytes, Random(1))
    mover, action = table.snapshot()["to_move"], table.snapshot()["legal"][0]
    table.submit(Seat(mover), table.decode([action]), id="new")
    table.close()

    assert receipt is not None
    assert (114 + 1) <= opened(tmp_path / "data")[2]


@pytest.mark.slow
def test_the_plug_is_pulled_while_mending(tmp_path: Path) -> None:
    """After a power cut at any call of the recovery the next start ends in the same head."""
    folder = golden(tmp_path / "data")
    set_pragma(folder / LOG_FILE, "application_id", 0)
    before = (folder / LOG_FILE).read_bytes()
    calls = traced(["tests.table.storage.test_golden", str(folder)], folder)
    assert before == (folder / f"{LOG_FILE}.corrupt-1").read_bytes()
    losses: tuple[Loss, ...] = ("dropped", "applied", "torn")
    for moment in range(0, len(calls) + 1, 5):
        for loss in losses:
            disk = Disk()
            disk.hold(str(folder.resolve() / LOG_FILE), before)
            for call in calls[:moment]:
                disk.do(call)
            lay_out(disk.cut(loss, Random(moment)), folder, tmp_path / "cut")

            assert END == opened(tmp_path / "cut")


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    """A newer release's file is refused with a sentence, and no byte of the folder is changed."""
    folder = golden(tmp_path / "data")
    set_pragma(folder / LOG_FILE, "user_version", SCHEMA_VERSION + 1)
    before = (folder / LOG_FILE).read_bytes()
    with pytest.raises(NewerSchema, match=f"{SCHEMA_VERSION + 1}"):
        Log(folder)

    assert before == (folder / LOG_FILE).read_bytes()


if __name__ == "__main__":
    import sys

    opened(Path(sys.argv[1]))
