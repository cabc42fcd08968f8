"""Data folders of other releases: an older one is written anew in the present form, a newer one
left alone.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.clock import SimulatedClock
from companion.core.game import Seat
from companion.games import GAMES
from companion.table.errors import NewerSchema
from companion.table.storage.log import Log
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import SCHEMA_VERSION, SCHEMAS, inspect_log
from companion.table.table import Table
from tests.table.storage.disk import Disk, Loss, lay_out, traced

GOLDEN = Path(__file__).parent / "golden"
HEADS = {1: (152, "fc8c1176c8a66183b82941ddea7c0e81c8faa78c2ae547f5febbc7089e2eeda9", 114)}
"""Position, head and entries of each golden file; reckoned once by a program that shares no line
with the table.
"""


def golden(folder: Path, schema: int) -> Path:
    """Return a data folder with the golden file of a schema."""
    folder.mkdir(mode=0o700)
    shutil.copyfile(GOLDEN / f"schema-{schema}.sqlite", folder / LOG_FILE)
    return folder


def opened(folder: Path) -> tuple[int, str, int]:
    """Return position, head and entries of a folder as the real start finds them."""
    log = Log(folder)
    table = Table(GAMES, log, SimulatedClock(), Random(1).randbytes, Random(1))
    picture = table.snapshot()
    seen = picture["position"], picture["head"], len(log)
    assert log.lost == 0
    table.close()
    return seen


def test_every_older_schema_has_a_golden_file() -> None:
    """No release's form is forgotten."""
    assert set(SCHEMAS) - {SCHEMA_VERSION} == set(HEADS)


@pytest.mark.parametrize("schema", HEADS)
def test_an_older_file_goes_on(tmp_path: Path, schema: int) -> None:
    """A golden file ends in its recorded head, is of the present schema then, and the old file is
    kept as it was.
    """
    folder = golden(tmp_path / "data", schema)

    assert HEADS[schema] == opened(folder)
    assert (SCHEMA_VERSION, "") == (
        inspect_log(folder / LOG_FILE).version,
        inspect_log(folder / LOG_FILE).wrong,
    )
    assert (GOLDEN / f"schema-{schema}.sqlite").read_bytes() == (
        folder / f"{LOG_FILE}.schema-1"
    ).read_bytes()
    assert HEADS[schema] == opened(folder)


def test_an_older_game_is_played_on(tmp_path: Path) -> None:
    """What was in the middle of a turn goes on at the same action, and a repeated request is
    answered as before.
    """
    log = Log(golden(tmp_path / "data", 1))
    answered = log.answer("H1", "h112")
    table = Table(GAMES, log, SimulatedClock(), Random(1).randbytes, Random(1))
    mover, action = table.snapshot()["to_move"], table.snapshot()["legal"][0]
    table.submit(Seat(mover), table.decode([action]), id="new")
    table.close()

    assert answered is not None
    assert (114 + 1) <= opened(tmp_path / "data")[2]


@pytest.mark.parametrize("byte", [5000, 20000, 45000])
def test_a_damaged_older_file(tmp_path: Path, byte: int) -> None:
    """An older file that is damaged is mended like any other: what is sound is kept, and the
    original too.
    """
    folder = golden(tmp_path / "data", 1)
    raw = bytearray((folder / LOG_FILE).read_bytes())
    raw[byte] ^= 4
    (folder / LOG_FILE).write_bytes(raw)
    log = Log(folder)
    log.close()

    assert len(log) < 114 or not log.lost
    kept = folder / (f"{LOG_FILE}.corrupt-1" if len(log) < 114 else f"{LOG_FILE}.schema-1")
    assert kept.read_bytes() == bytes(raw)


def test_the_plug_is_pulled_while_migrating(tmp_path: Path) -> None:
    """After a power cut at any call of the migration the next start ends in the same head."""
    folder = golden(tmp_path / "data", 1)
    before = (folder / LOG_FILE).read_bytes()
    calls = traced(["tests.table.storage.test_schema", str(folder)], folder)
    losses: tuple[Loss, ...] = ("dropped", "applied", "torn")
    for moment in range(0, len(calls) + 1, 5):
        for loss in losses:
            disk = Disk()
            disk.hold(str(folder.resolve() / LOG_FILE), before)
            for call in calls[:moment]:
                disk.do(call)
            lay_out(disk.cut(loss, Random(moment)), folder, tmp_path / "cut")

            assert HEADS[1] == opened(tmp_path / "cut")


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    """A newer release's file is refused politely and not a byte of the folder is changed."""
    folder = golden(tmp_path / "data", 1)
    with closing(sqlite3.connect(folder / LOG_FILE)) as database, database:
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    before = (folder / LOG_FILE).read_bytes()
    with pytest.raises(NewerSchema, match=f"{SCHEMA_VERSION + 1}"):
        Log(folder)

    assert before == (folder / LOG_FILE).read_bytes()


if __name__ == "__main__":
    import sys

    opened(Path(sys.argv[1]))
