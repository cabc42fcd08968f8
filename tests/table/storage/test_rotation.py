"""Copies of the log, the reserve, and old games deleted."""

from __future__ import annotations

import errno
import shutil
import sqlite3
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Event

import pytest

from companion.clock import SystemClock
from companion.core.game import Seat
from companion.games import GAMES
from companion.table.errors import Refused, StorageFailed
from companion.table.fairness.export import export_record
from companion.table.storage import recovery, reserve, rotation
from companion.table.storage.backup import restore_backup, write_backup
from companion.table.storage.log import Log, read_bodies
from companion.table.storage.purge import delete_everything, purge_games
from companion.table.storage.rotation import AutoBackup
from companion.table.storage.store import inspect_log
from companion.table.table import Table
from tests.table.play import InlineExecutor, Play
from tests.table.storage.writer import game
from tests.table.toy_game import A, Ask, B, End, QuietGame, S, Step, Wait, Win

TIMEOUT = 60.0
"""Seconds that anything may take before a test gives up."""


def back_up(play: Play) -> None:
    """Copy the log whenever the turn passes in public."""
    table = play.table
    backup = AutoBackup(table.snapshot, play.log.copy, play.clock, InlineExecutor())
    table.on_publish(backup.start_copy_if_due)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a real game in it, three copies beside the log."""
    with game(tmp_path / "data", 1) as playing:
        playing.begin()
        playing.play(40)
    return tmp_path / "data"


def test_a_ring_of_three(folder: Path) -> None:
    """The three newest copies are kept, each whole, readable by the owner alone, and a beginning of
    the log.
    """
    rows = inspect_log(folder / recovery.LOG_FILE).rows
    copies = rotation.copy_paths(folder)

    assert rotation.MAX_COPIES == len(copies)
    for copy in copies:
        held = inspect_log(copy)
        assert "" == held.wrong
        assert rows[: len(held.rows)] == held.rows
        assert len(held.rows) == int(copy.stem)
        assert 0o600 == stat.S_IMODE(copy.stat().st_mode)
    assert [] == list((folder / rotation.COPIES_FOLDER).glob("building*"))


def test_copies_are_made_at_public_moments(tmp_path: Path) -> None:
    """A copy is made when the turn passes in public, never when a secret turn is taken."""
    play = Play(tmp_path / "data")
    play.table.on_publish(
        AutoBackup(
            play.table.snapshot, play.log.copy, play.clock, InlineExecutor()
        ).start_copy_if_due
    )
    play.start("S", "A", "B")
    play.clock.advance(1)
    before = rotation.copy_paths(play.folder)
    play.submit(S, Step(1), End())
    play.clock.advance(0)

    assert before == rotation.copy_paths(play.folder)
    play.clock.advance(60)
    assert before != rotation.copy_paths(play.folder)
    play.table.close()


def test_the_clock_does_not_wait_for_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a copy is written, every other due event happens."""
    copies_now, may_end, tick = Event(), Event(), Event()

    def copy(self: Log, *, whole: bool) -> None:
        copies_now.set()
        assert may_end.wait(TIMEOUT)

    monkeypatch.setattr(Log, "copy", copy)
    clock, log = SystemClock(), Log(tmp_path / "data")
    table = Table([QuietGame()], log, clock, Random(1).randbytes, Random(1))
    with ThreadPoolExecutor(1) as executor:
        table.on_publish(AutoBackup(table.snapshot, log.copy, clock, executor).start_copy_if_due)
        table.seats.claim(S, "Ana", "01" * 32)
        table.start()
        assert copies_now.wait(TIMEOUT)
        clock.call_at(clock.monotonic(), tick.set)
        assert tick.wait(TIMEOUT)
        may_end.set()
    clock.close()
    table.close()


def test_a_copy_that_cannot_be_made_is_no_fault_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A copy that fails is reported, and play goes on."""

    def copy(self: Log, *, whole: bool) -> None:
        raise OSError("no room")

    monkeypatch.setattr(Log, "copy", copy)
    play = Play(tmp_path / "data")
    play.table.on_publish(
        AutoBackup(
            play.table.snapshot, play.log.copy, play.clock, InlineExecutor()
        ).start_copy_if_due
    )
    play.start("S", "A", "B")
    play.clock.advance(1)

    assert ["no copy of the log was made: no room"] == caplog.messages
    play.night(S, End())
    play.table.close()


def test_after_years_a_turn_writes_little(tmp_path: Path) -> None:
    """The copy at the end of a turn writes no more for the games before: years of them are not
    written again, and the copy is still the whole log.
    """
    log = filled(tmp_path)
    copy_of_all = bytes_written(lambda: log.copy())
    log.append('["a turn"]')
    copy_of_turn = bytes_written(lambda: log.copy(whole=False))
    log.close()

    assert copy_of_all > (tmp_path / recovery.LOG_FILE).stat().st_size / 2 > 1_000_000
    assert copy_of_turn < 100_000
    assert (
        inspect_log(tmp_path / recovery.LOG_FILE).rows
        == inspect_log(rotation.copy_paths(tmp_path)[0]).rows
    )
    assert rotation.MAX_COPIES == len(rotation.copy_paths(tmp_path))


@pytest.mark.slow
def test_the_ring_goes_round(tmp_path: Path) -> None:
    """Incremental copies cover the last three turns, as whole ones do; without a new entry none is
    made.
    """
    log = filled(tmp_path)
    for _ in range(2):
        log.append('["a turn"]')
        log.copy(whole=False)
        log.copy(whole=False)
    log.close()

    ring = rotation.copy_paths(tmp_path)
    assert [len(log), len(log) - 1, len(log) - 2] == [int(copy.stem) for copy in ring]
    assert ["", "", ""] == [inspect_log(copy).wrong for copy in ring]


def filled(folder: Path) -> Log:
    """Return a log of 2 MB with a full ring of copies, each of one turn more."""
    log = Log(folder)
    for number in range(1000):
        log.append(f'["{number} {"x" * 2000}"]')
    for number in range(rotation.MAX_COPIES):
        log.append(f'["{number}"]')
        log.copy()
    return log


def bytes_written(act: Callable[[], object]) -> int:
    """Return the number of bytes that this process writes within the block."""

    def total() -> int:
        fields = dict(
            line.split(": ")
            for line in Path("/proc/self/io").read_text(encoding="utf-8").splitlines()
        )
        return int(fields["wchar"])

    before = total()
    act()
    return total() - before


@pytest.mark.slow
@pytest.mark.parametrize(
    "oldest",
    ["of another game", "behind another base", "longer", "torn", "empty", "no file of SQLite"],
)
def test_what_is_no_beginning_of_the_log_is_not_gone_on_with(
    folder: Path, tmp_path: Path, oldest: str
) -> None:
    """A turn's copy extends the oldest one only if that is a beginning of the log; else it is
    written whole.
    """
    copy = rotation.copy_paths(folder)[-1]
    if oldest == "of another game":
        with game(tmp_path / "other", 2) as playing:
            playing.begin()
            playing.play(40)
        shutil.copyfile(rotation.copy_paths(tmp_path / "other")[-1], copy)
    elif oldest == "behind another base":
        with closing(sqlite3.connect(copy)) as database, database:
            database.execute("UPDATE base SET carried = 'other'")
    elif oldest == "longer":
        with closing(sqlite3.connect(copy)) as database, database:
            database.execute(
                "INSERT INTO entries SELECT 10000, '', '', '', '', body, hash FROM entries WHERE "
                "row = 1"
            )
    elif oldest == "torn":
        copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    else:
        copy.write_bytes(b"" if oldest == "empty" else b"?" * 8192)
    log = Log(folder)
    log.copy(whole=False)
    log.close()

    assert "" == inspect_log(rotation.copy_paths(folder)[0]).wrong
    assert (
        inspect_log(folder / recovery.LOG_FILE).rows
        == inspect_log(rotation.copy_paths(folder)[0]).rows
    )


@pytest.mark.slow
def test_what_a_kill_left_is_not_played_back(tmp_path: Path) -> None:
    """A journal that a killed process left beside an unfinished copy is not applied to the next
    one.
    """
    log = filled(tmp_path)
    journal, copy = tmp_path / rotation.COPIES_FOLDER / "building-journal", tmp_path / "other"
    shutil.copyfile(rotation.copy_paths(tmp_path)[-1], copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as database:
        database.execute("UPDATE entries SET body = replace(body, 'x', 'y')")
        database.execute("PRAGMA cache_size=1")
        database.execute("BEGIN")
        database.execute("UPDATE entries SET body = '[]'")
        shutil.copyfile(f"{copy}-journal", journal)
        database.execute("ROLLBACK")
    log.append('["a turn"]')
    log.copy(whole=False)
    log.close()

    newest = rotation.copy_paths(tmp_path)[0]
    assert ("", inspect_log(tmp_path / recovery.LOG_FILE).rows) == (
        inspect_log(newest).wrong,
        inspect_log(newest).rows,
    )
    assert not journal.exists()


def test_what_rots_in_a_copy_does_not_stay(tmp_path: Path) -> None:
    """At the begin and end of a game its copy is written whole: after the next begin, end and lobby
    no damaged copy is left.
    """
    play = Play(tmp_path / "data")
    play.table.on_publish(
        AutoBackup(
            play.table.snapshot, play.log.copy, play.clock, InlineExecutor()
        ).start_copy_if_due
    )
    play.start("S", "A", "B")
    for _ in range(rotation.MAX_COPIES):
        play.night(S, End())
        play.submit(A, End())
        play.submit(B, End())
        play.clock.advance(1)
    first = inspect_log(play.folder / recovery.LOG_FILE).rows[0]
    for copy in rotation.copy_paths(play.folder):
        raw = bytearray(copy.read_bytes())
        raw[raw.index(first.hash.encode())] ^= 1
        copy.write_bytes(raw)
    play.night(S, Step(3), End())
    play.submit(A, Win())
    play.clock.advance(1)
    play.table.open_next_game(by=0)
    play.clock.advance(1)
    play.table.start()
    play.clock.advance(1)

    assert [""] * rotation.MAX_COPIES == [
        inspect_log(copy).wrong for copy in rotation.copy_paths(play.folder)
    ]
    play.table.close()


def test_a_damaged_log_goes_on_from_a_copy(folder: Path) -> None:
    """If a row is damaged that a copy has, the copy's is taken and the log's later rows follow;
    nothing is lost, and the damaged file is kept.
    """
    path = folder / recovery.LOG_FILE
    rows = inspect_log(path).rows
    assert int(rotation.copy_paths(folder)[0].stem) < len(rows)
    raw = bytearray(path.read_bytes())
    raw[raw.index(rows[4].hash.encode()) - 1] ^= 1
    path.write_bytes(raw)
    log = Log(folder)
    log.close()

    assert (len(rows), 0) == (len(log), log.lost)
    assert rows == inspect_log(path).rows
    assert bytes(raw) == (folder / f"{recovery.LOG_FILE}.corrupt-1").read_bytes()


def test_a_lost_log_comes_back_from_a_copy(folder: Path) -> None:
    """A lost log is not silently replaced by a new one: it is continued from the newest copy."""
    row_count = len(inspect_log(folder / recovery.LOG_FILE).rows)
    (folder / recovery.LOG_FILE).unlink()
    log = Log(folder)
    log.close()

    assert int(rotation.copy_paths(folder)[0].stem) == len(log)
    assert row_count - len(log) == log.lost


@pytest.mark.slow
def test_a_copy_of_another_game_is_not_taken(folder: Path, tmp_path: Path) -> None:
    """A copy that contradicts the sound part of the log, or an acknowledged entry, is not used."""
    with game(tmp_path / "other", 2) as playing:
        playing.begin()
        playing.play(40)
    for copy in rotation.copy_paths(folder):
        copy.unlink()
    other_copy = rotation.copy_paths(tmp_path / "other")[0]
    other_copy.rename(folder / rotation.COPIES_FOLDER / "000000999.sqlite")
    path = folder / recovery.LOG_FILE
    rows = inspect_log(path).rows
    raw = bytearray(path.read_bytes())
    raw[raw.index(rows[9].hash.encode()) - 1] ^= 1
    path.write_bytes(raw)
    log = Log(folder)
    log.close()

    assert (9, len(rows) - 9) == (len(log), log.lost)


def test_the_reserve_is_laid_and_given_up(tmp_path: Path) -> None:
    """4 MiB are really allocated, readable by nobody else; the first entry that does not fit uses
    their place.
    """
    log = Log(tmp_path, reserve=True)
    held = tmp_path / reserve.RESERVE_FILE

    assert (reserve.RESERVE_BYTES, 0o600) == (
        held.stat().st_blocks * 512,
        stat.S_IMODE(held.stat().st_mode),
    )
    (pages,) = log.connection.execute("PRAGMA page_count").fetchone()
    log.connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(Refused) as refused:
        for _ in range(9):
            log.append(f'["{"x" * 2000}"]')
    assert ("disk_full", False) == (refused.value.message.code, held.exists())
    log.connection.execute("PRAGMA max_page_count=100000")
    log.copy()
    assert ("ok", True) == (log.disk_space(), held.exists())
    log.close()


def test_without_room_the_table_warns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below 50 MB the snapshot has the free space, with the next event."""
    play = Play(tmp_path / "data")
    play.start("S", "A", "B")
    assert "ok" == play.table.snapshot()["storage"]
    monkeypatch.setattr(reserve, "free_bytes", lambda folder: 49_999_999)
    play.night(S, End())

    assert "low" == play.table.snapshot()["storage"]
    play.table.close()


def test_a_disk_that_reports_no_room_ends_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk whose free space cannot be read has failed: the process is to end, and accepts nothing
    until then. Stored entries count at the next start.
    """

    def failing(folder: Path) -> int:
        raise OSError(errno.EIO, "Input/output error")

    play, failed = Play(tmp_path / "data"), list[StorageFailed]()
    play.start("S", "A", "B")
    play.night(S, End())
    play.table.on_storage_failure(failed.append)
    with monkeypatch.context() as broken:
        broken.setattr(reserve, "free_bytes", failing)
        with pytest.raises(StorageFailed):
            play.submit(A, Wait())
        play.clock.advance(0)
        assert 1 == len(failed)
        with pytest.raises(Refused, match="storage_failed"):
            play.submit(A, Wait())
    play.crash()

    assert 1 == play.table.snapshot()["view"]["waits"]
    play.table.close()


def test_room_begins_at_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 50 MB free there is room, with a byte less it is low."""
    log = Log(tmp_path)
    rooms = []
    for free in (reserve.LOW_SPACE_BYTES, reserve.LOW_SPACE_BYTES - 1):
        monkeypatch.setattr(reserve, "free_bytes", lambda folder, free=free: free)
        rooms.append(log.disk_space())

    assert ["ok", "low"] == rooms
    log.close()


@pytest.mark.parametrize(("free", "room"), [(45_000_000, "low"), (9_000_000, "low"), (0, "full")])
def test_a_small_disk_is_full_when_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, room: str
) -> None:
    """A disk that never had room for a reserve is full when nothing is free, not before."""
    monkeypatch.setattr(reserve, "free_bytes", lambda folder: free)
    log = Log(tmp_path, reserve=True)

    assert (room, False) == (log.disk_space(), (tmp_path / reserve.RESERVE_FILE).exists())
    log.close()


def test_a_secret_turn_does_not_look_at_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A secret turn is not revealed by a warning that changes at that moment."""
    play = Play(tmp_path / "data")
    play.start("S", "A", "B")
    before = play.table.snapshot()
    monkeypatch.setattr(reserve, "free_bytes", lambda folder: 0)
    play.submit(S, Step(1), End())

    assert before is play.table.snapshot()
    play.table.close()


def two_games(folder: Path, *, third: bool) -> Play:
    """Play two quiet games to their end, and a little of a third."""
    play = Play(folder)
    play.start("S", "A", "B")
    for more in (True, third):
        play.night(S, Step(3), End())
        play.submit(A, Win())
        if more:
            play.table.open_next_game(by=0)
            play.table.start()
    if third:
        play.night(S, Step(5), End())
        play.submit(A, Ask(), id="asked")
    return play


@pytest.mark.parametrize("third", [True, False])
def test_old_games_are_deleted(tmp_path: Path, third: bool) -> None:
    """`purge_games` deletes the finished games and keeps the one on the table to the last event,
    its seats, its settings and its answers; no file of the folder has a trace of the deleted ones.
    """
    play = two_games(tmp_path / "data", third=third)
    play.table.change_settings({"volume": 7})
    log_before = len(play.log)
    before = [play.table.snapshot(), *(play.table.seat_snapshot(Seat(seat)) for seat in "SAB")]
    keys = [play.table.seats.key_of(Seat(seat)) for seat in "SAB"]
    play.log.copy()
    first_key = next(iter(export_record(read_bodies(play.folder), [QuietGame()], 1))).partition(
        '"key":"'
    )[2][:26]
    play.table.close()

    assert (2 if third else 1) == purge_games(play.folder, [QuietGame()])
    assert 0 == purge_games(play.folder, [QuietGame()])
    play.open()
    after = [play.table.snapshot(), *(play.table.seat_snapshot(Seat(seat)) for seat in "SAB")]
    assert _lasting(before[0]) == _lasting(after[0])
    assert before[1:] == after[1:]
    assert keys == [play.table.seats.key_of(Seat(seat)) for seat in "SAB"]
    assert (log_before, 0) == (len(play.log), play.log.lost)
    if third:
        play.submit(A, Ask(), id="asked")
        assert log_before == len(play.log)
        play.submit(A, End())
        play.submit(B, Wait())
    play.table.close()
    everything = b"".join(path.read_bytes() for path in play.folder.rglob("*") if path.is_file())
    assert first_key.encode() not in everything


def _lasting(snapshot: dict[str, object]) -> dict[str, object]:
    """Return the snapshot without the last public events, which may have been those of a deleted
    game.
    """
    return {name: value for name, value in snapshot.items() if name != "log"}


def test_a_purged_log_is_judged_like_any_other(tmp_path: Path) -> None:
    """After a purge a damaged entry, and a damaged beginning, are detected."""
    play = two_games(tmp_path / "data", third=True)
    play.table.close()
    purge_games(play.folder, [QuietGame()])
    path = play.folder / recovery.LOG_FILE
    sound = inspect_log(path)
    for needle in (sound.rows[-1].hash, sound.base.hash, sound.base.carried[20:60]):
        raw = bytearray(path.read_bytes())
        raw[raw.index(needle.encode())] ^= 1
        broken = tmp_path / "broken.sqlite"
        broken.write_bytes(raw)

        assert inspect_log(broken).wrong
        assert len(inspect_log(broken).rows) < len(sound.rows)


def test_everything_is_deleted(tmp_path: Path) -> None:
    """`purge --all` deletes every file of the table in the folder, also those of which a backup
    took the place, and no other.
    """
    folder = tmp_path / "data"
    with game(folder, 1) as playing:
        playing.begin()
        playing.play(20)
    (folder / "letter.txt").write_text("mine")
    with (tmp_path / "backup").open("w+b") as backup:
        write_backup(folder, backup)
        for kept in ("before-1", "before-2"):
            backup.seek(0)
            assert folder / kept == restore_backup(backup, folder)
    delete_everything(folder)

    assert {"table.lock", "before-1", "before-1/letter.txt"} == {
        str(path.relative_to(folder)) for path in folder.rglob("*")
    }


def test_a_running_table_is_not_purged(tmp_path: Path) -> None:
    """A folder in use by a table is not touched."""
    play = two_games(tmp_path / "data", third=True)
    with pytest.raises(RuntimeError, match="another companion"):
        purge_games(play.folder, GAMES)
    play.table.close()
