"""What the log keeps, and how it behaves when the disk fails."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.table.errors import AlreadyRunning, NewerSchema, Refused
from companion.table.storage import recovery, store
from companion.table.storage.log import Log, RequestId, read_bodies
from tests.helpers.repetitions import soak
from tests.table.storage import bitrot


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def bodies_of(folder: Path) -> list[str]:
    log = Log(folder)
    bodies = list(log.pop_bodies())
    log.close()
    return bodies


def test_reopen(folder: Path) -> None:
    """Appended entries are there again, in order, with their answers."""
    log = Log(folder)
    log.append('["first"]')
    log.append('["é"]', RequestId("A", "1", "d"), "5")
    head = log.head
    log.close()
    log = Log(folder)

    assert ['["first"]', '["é"]'] == list(log.pop_bodies())
    assert ("d", "5") == log.answer("A", "1")
    assert log.answer("A", "2") is None
    assert log.answer("B", "1") is None
    assert (head, 2, 0) == (log.head, len(log), log.lost)
    log.close()


def test_health_is_the_last_entry_in_the_file(folder: Path) -> None:
    """A log is healthy while it is empty, and while its last entry stands in the file as it was
    written.
    """
    log = Log(folder)
    assert log.is_healthy()
    log.append("[1]")
    assert log.is_healthy()
    with closing(store.connect(folder / recovery.LOG_FILE)) as other:
        other.execute("UPDATE entries SET hash = 'another'")

    assert not log.is_healthy()
    log.close()


def test_every_connection_is_full(folder: Path) -> None:
    """synchronous is FULL (2) in WAL mode on the connection that writes; NORMAL loses acknowledged
    entries.
    """
    log = Log(folder)

    assert (2,) == log.connection.execute("PRAGMA synchronous").fetchone()
    assert ("wal",) == log.connection.execute("PRAGMA journal_mode").fetchone()
    log.close()
    checking = store.connect(folder / recovery.LOG_FILE, read_only=True)
    assert (2,) == checking.execute("PRAGMA synchronous").fetchone()
    checking.close()


def test_readable_by_the_owner_alone(folder: Path) -> None:
    """The folder is 0700 and every file in it 0600, the write-ahead log too."""
    log = Log(folder)
    log.append("[]")

    assert 0o700 == stat.S_IMODE(folder.stat().st_mode)
    assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    log.close()


def test_second_process(folder: Path) -> None:
    """A folder that is in use is refused, and is free again after close."""
    log = Log(folder)
    with pytest.raises(AlreadyRunning):
        Log(folder)
    log.close()

    Log(folder).close()


def test_read_while_in_use(folder: Path) -> None:
    """A running table's log can be read without holding or changing it."""
    log = Log(folder)
    log.append("[1]")

    assert ["[1]"] == read_bodies(folder)
    log.append("[2]")
    assert ["[1]", "[2]"] == read_bodies(folder)
    log.close()


def test_a_closed_log_takes_nothing(folder: Path) -> None:
    """After `close` nothing is accepted and the folder is not opened again: another process may
    have it by then.
    """
    log = Log(folder)
    log.append("[1]")
    log.close()
    with pytest.raises(Refused, match="storage_failed"):
        log.append("[2]")
    Log(folder).close()

    assert ["[1]"] == read_bodies(folder)


def test_a_connection_that_nobody_closes_is_seen() -> None:
    """A connection that is never closed warns, in every Python; the warning names the test that
    opened it.
    """
    expected = (
        "unclosed database"
        if sys.version_info >= (3, 13)
        else "opened in .*::test_a_connection_that_nobody"
    )
    with pytest.warns(ResourceWarning, match=expected):
        sqlite3.connect(":memory:")
        gc.collect()


def test_newer_schema(folder: Path) -> None:
    """A newer release's file is refused and not touched."""
    Log(folder).close()
    with closing(sqlite3.connect(folder / recovery.LOG_FILE)) as database:
        database.execute("PRAGMA user_version=99")
    before = (folder / recovery.LOG_FILE).read_bytes()
    with pytest.raises(NewerSchema, match="99"):
        Log(folder)

    assert before == (folder / recovery.LOG_FILE).read_bytes()


def test_disk_full(folder: Path) -> None:
    """A full disk refuses the entry and changes nothing; the next entry is accepted when there is
    room.
    """
    log = Log(folder)
    log.append("[0]")
    (pages,) = log.connection.execute("PRAGMA page_count").fetchone()
    log.connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(Refused) as refused:
        for number in range(20):
            log.append(f'["{"x" * 2000}"]', RequestId("A", f"{number}"))
    count, head = len(log), log.head
    log.connection.execute("PRAGMA max_page_count=100000")
    log.append("[1]")
    log.close()

    assert "disk_full" == refused.value.message.code
    assert head != store.FIRST_HASH
    assert count + 1 == len(bodies_of(folder))


def test_read_only(folder: Path) -> None:
    """A disk that became read-only refuses the entry with its own reason."""
    log = Log(folder)
    log.connection.execute("PRAGMA query_only=ON")
    with pytest.raises(Refused) as refused:
        log.append("[0]")
    log.connection.execute("PRAGMA query_only=OFF")
    log.append("[0]")
    log.close()

    assert "disk_readonly" == refused.value.message.code
    assert ["[0]"] == bodies_of(folder)


def test_same_request_twice(folder: Path) -> None:
    """The store itself accepts no second entry with a seat's request id."""
    log = Log(folder)
    log.append("[0]", RequestId("A", "1"))
    row = store.LogRow(2, "A", "1", "", "", "[]", "")
    with pytest.raises(sqlite3.IntegrityError):
        store.insert_rows(log.connection, [row])
    log.close()


@pytest.mark.slow
def test_flipped_bytes(tmp_path: Path) -> None:
    """Each flipped byte is detected or harmless; the damaged file is kept as it was."""
    counts = bitrot.flips(tmp_path, bitrot.sample(1, 150))

    assert 350 == counts.total()
    assert counts["output"] > 20
    assert counts["harmless"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("variants", [20, *soak(300)])
@pytest.mark.parametrize(
    "damage", [bitrot.change_letter, bitrot.damage_sector, bitrot.swap_pages, bitrot.rot_copy]
)
def test_no_intact_row_is_lost(
    tmp_path: Path, damage: Callable[[Path, Random], None], variants: int
) -> None:
    """A row that can be read from the log or a copy is lost only behind one that nobody can
    read, and exactly the lost rows are counted.
    """
    bodies = bitrot.make_copied(tmp_path / "data")
    for variant in range(variants):
        target = tmp_path / f"{variant}"
        shutil.copytree(tmp_path / "data", target)
        damage(target, Random(variant))
        readable = bitrot.readable_bodies(target)
        sound = [*itertools.takewhile(readable.__contains__, bodies)]
        log = Log(target)
        recovered = list(log.pop_bodies())
        log.close()

        assert (sound, len(bodies) - len(sound)) == (recovered, log.lost), variant
        assert damage is not bitrot.change_letter or sound == bodies
        shutil.rmtree(target)


@pytest.mark.parametrize("lost", ["table.sqlite", "table.sqlite-wal"])
def test_lost_file(tmp_path: Path, lost: str) -> None:
    """A log that ends too early, or is gone, is never taken for a whole one: the loss is
    counted.
    """
    bodies = bitrot.make(tmp_path / "data")
    (tmp_path / "data" / lost).unlink()
    log = Log(tmp_path / "data")
    recovered = list(log.pop_bodies())
    log.close()

    assert bodies[: len(recovered)] == recovered
    assert len(bodies) - len(recovered) == log.lost
    assert len(recovered) < len(bodies)


def test_truncated_file(tmp_path: Path) -> None:
    """A file cut anywhere opens, keeps its sound entries, and reports the loss."""
    bodies = bitrot.make(tmp_path / "data")
    size = (tmp_path / "data" / recovery.LOG_FILE).stat().st_size
    for cut in range(0, size, 997):
        target = tmp_path / f"cut{cut}"
        shutil.copytree(tmp_path / "data", target)
        with (target / recovery.LOG_FILE).open("r+b") as file:
            file.truncate(cut)
        log = Log(target)
        recovered = list(log.pop_bodies())
        log.close()

        assert bodies[: len(recovered)] == recovered
        assert recovered == bodies or log.lost


def test_killed_while_recovering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recovery that is cut off after any of its renames has the same result when it is
    repeated.
    """
    bodies = bitrot.make(tmp_path / "source")
    raw = bytearray((tmp_path / "source" / recovery.LOG_FILE).read_bytes())
    raw[raw.index(b"entry 12")] ^= 1
    (tmp_path / "source" / recovery.LOG_FILE).write_bytes(raw)
    rename = os.replace
    for cut in range(4):
        folder = tmp_path / f"cut{cut}"
        shutil.copytree(tmp_path / "source", folder)
        remaining = iter(range(cut))

        def failing(path: Path, target: Path, left: object = remaining) -> None:
            if next(left, None) is None:  # type: ignore[call-overload]
                raise KeyboardInterrupt
            rename(path, target)

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(os, "replace", failing)
            Log(folder)
            raise KeyboardInterrupt
        log = Log(folder)

        assert bodies[:12] == list(log.pop_bodies())
        assert (folder / "table.sqlite.corrupt-1").read_bytes() == bytes(raw)
        assert not (folder / "table.sqlite.corrupt-2").exists()
        log.close()


def test_answers_after_damage(tmp_path: Path) -> None:
    """The sound entries of a damaged log still answer a repeated request as before."""
    bitrot.make(tmp_path / "data")
    (tmp_path / "data" / "table.sqlite-wal").unlink()
    log = Log(tmp_path / "data")

    assert ("d", "7") == log.answer("A", "20-0")
    log.close()
