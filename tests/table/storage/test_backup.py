"""Everything in one file, and back."""

from __future__ import annotations

import stat
import tarfile
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.cli import main as companion
from companion.files import GuardedFile
from companion.games import GAMES
from companion.table.errors import AlreadyRunning, NoBackup
from companion.table.storage.log import Log
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import SCHEMA_VERSION, connect, inspect_log
from companion.table.table import Table
from tests.helpers.simulated_clock import SimulatedClock
from tests.server.client import GameTable
from tests.table.storage.backups import backup, restore
from tests.table.storage.writer import game


def test_there_and_back(tmp_path: Path) -> None:
    """A backup of a running table, put back elsewhere, is the same table: the same turn, seats,
    keys and PINs.
    """
    game_table = GameTable(tmp_path / "data")
    phone = game_table.placed()[0]
    backup(tmp_path / "data", tmp_path / "b")
    snapshot, key = game_table.table.snapshot(), game_table.display_fragment[:43]
    game_table.close()

    assert restore(tmp_path / "b", tmp_path / "other") is None
    restored = GameTable(tmp_path / "other")
    assert (snapshot["head"], snapshot["view"]) == (
        restored.table.snapshot()["head"],
        restored.table.snapshot()["view"],
    )
    assert key == restored.display_fragment[:43]
    assert "V" == str(restored.table.seats.seat_of(phone.key.hex()))
    *_, guest = (restored.phone() for _ in range(3))
    assert "wrong_pin" == guest.request("recover", seat="V", pin="0000")["code"]
    assert guest.request("recover", seat="V", pin="1111")["ok"]
    restored.close()
    assert 0o600 == stat.S_IMODE((tmp_path / "b").stat().st_mode)


def test_what_was_there_is_kept(tmp_path: Path) -> None:
    """The files that a backup replaces are kept in a folder beside the restored ones."""
    with game(tmp_path / "data", 1) as playing:
        playing.begin()
        backup(tmp_path / "data", tmp_path / "b")
        playing.play(3)
    log_bytes = (tmp_path / "data" / LOG_FILE).read_bytes()
    kept = restore(tmp_path / "b", tmp_path / "data")

    assert kept is not None and log_bytes == (kept / LOG_FILE).read_bytes()
    assert len(inspect_log(tmp_path / "data" / LOG_FILE).rows) < len(
        inspect_log(kept / LOG_FILE).rows
    )
    assert {0o600} == {
        stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "data").iterdir() if path != kept
    }


def raise_schema(folder: Path) -> None:
    """Mark a log as a newer release's."""
    with closing(connect(folder / LOG_FILE)) as database:
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")


def announced(folder: Path) -> list[int]:
    """Start and stop a table in a folder; return the positions of its "history_rewound" events."""
    log = Log(folder)
    table = Table(GAMES, log, SimulatedClock(), Random(1).randbytes, Random(1))
    events = [entry["event"] for entry in table.snapshot()["log"]]
    table.close()
    return [event["position"] for event in events if event["event"] == "history_rewound"]


@pytest.mark.parametrize("is_newer", [False, True])
def test_entries_that_a_backup_lacks_are_announced(tmp_path: Path, is_newer: bool) -> None:
    """A table whose later entries were replaced by a backup, also those of a newer release, says so
    at its next start, once, and waits.
    """
    with game(tmp_path / "data", 1) as playing:
        playing.begin()
        backup(tmp_path / "data", tmp_path / "b")
        position = playing.table.snapshot()["position"]
        playing.play(3)
    if is_newer:
        raise_schema(tmp_path / "data")
    restore(tmp_path / "b", tmp_path / "data")

    assert [[position]] * 2 == [announced(tmp_path / "data"), announced(tmp_path / "data")]


@pytest.mark.parametrize("where", ["data", "other"])
def test_a_backup_that_lacks_nothing_is_not_announced(tmp_path: Path, where: str) -> None:
    """Nobody is bothered by a backup that is put back over itself, or in an empty folder."""
    with game(tmp_path / "data", 1) as playing:
        playing.begin()
        backup(tmp_path / "data", tmp_path / "b")
    restore(tmp_path / "b", tmp_path / where)

    assert [] == announced(tmp_path / where)


@pytest.mark.parametrize(
    ("damage", "is_restored"),
    [
        (lambda folder: None, False),
        (lambda folder: (folder / "keys.json").write_text("{"), False),
        (raise_schema, True),
        (lambda folder: GuardedFile(folder / "keys.json").write(b'{"new": 1}'), True),
        (lambda folder: GuardedFile(folder / "tags.json").write(b'{"new": 1}'), True),
    ],
)
def test_what_this_release_can_read_stays(
    tmp_path: Path, damage: Callable[[Path], None], is_restored: bool
) -> None:
    """With --unless-readable only a folder that a newer release wrote is replaced."""
    with game(tmp_path / "data", 1) as playing:
        playing.begin()
        backup(tmp_path / "data", tmp_path / "b")
        playing.play(3)
    entries = len(inspect_log(tmp_path / "data" / LOG_FILE).rows)
    damage(tmp_path / "data")
    words = ["restore", "--unless-readable", "--data", f"{tmp_path / 'data'}", f"{tmp_path / 'b'}"]
    result = CliRunner().invoke(companion, words)

    assert 0 == result.exit_code, result.output
    assert is_restored == (tmp_path / "data/before-1").exists()
    assert is_restored == (len(inspect_log(tmp_path / "data" / LOG_FILE).rows) < entries)


def test_never_over_another_file(tmp_path: Path) -> None:
    """A failed backup replaces nothing, and its partial file is removed."""
    GameTable(tmp_path / "data").close()
    (tmp_path / "b").write_text("mine")
    with pytest.raises(FileExistsError):
        backup(tmp_path / "data", tmp_path / "b")

    assert "mine" == (tmp_path / "b").read_text()
    assert {"b", "data"} == {path.name for path in tmp_path.iterdir()}


def archive_without_log() -> bytes:
    """Return a sound archive of a backup's kind that has no log."""
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("readme"))
    return packed.getvalue()


@pytest.mark.parametrize("damage", ["cut", "flipped", "strange", "without a log"])
def test_a_damaged_backup_changes_nothing(tmp_path: Path, damage: str) -> None:
    """An incomplete backup is refused, and the folder is unchanged."""
    with game(tmp_path / "data", 1) as playing:
        playing.begin()
    backup(tmp_path / "data", tmp_path / "b")
    raw = bytearray((tmp_path / "b").read_bytes())
    raw[len(raw) // 2] ^= 255
    damaged = {
        "cut": bytes(raw[: len(raw) // 2]),
        "flipped": bytes(raw),
        "strange": b"no backup",
        "without a log": archive_without_log(),
    }[damage]
    (tmp_path / "b").write_bytes(damaged)
    before = (tmp_path / "data" / LOG_FILE).read_bytes()
    with pytest.raises(NoBackup):
        restore(tmp_path / "b", tmp_path / "data")

    assert before == (tmp_path / "data" / LOG_FILE).read_bytes()
    assert {"b", "data"} == {path.name for path in tmp_path.iterdir()}


def test_a_running_table_keeps_its_folder(tmp_path: Path) -> None:
    """A folder that a table uses is not replaced."""
    log = Log(tmp_path / "data")
    backup(tmp_path / "data", tmp_path / "b")
    before = {*(tmp_path / "data").iterdir()}
    with pytest.raises(AlreadyRunning):
        restore(tmp_path / "b", tmp_path / "data")
    after = {*(tmp_path / "data").iterdir()}
    log.close()

    assert before == after
