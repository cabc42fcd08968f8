"""Delete old games from a data folder. The table and the present game stay."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.core.game import Game
from companion.platforms import flush_path, replace
from companion.table.entries import decode_items, encode_items
from companion.table.errors import StorageFailed
from companion.table.settings import TableSettings
from companion.table.state import TableState
from companion.table.storage import reserve, rotation
from companion.table.storage.backup import REPLACED_PREFIX, RESTORING
from companion.table.storage.log import LOCK_FILE, REWOUND_FILE, Log, locked_folder
from companion.table.storage.recovery import LOG_FILE, REPLACED_AS
from companion.table.storage.store import (
    LogBase,
    LogRow,
    connect,
    create_log,
    inspect_log,
)


def purge_games(folder: Path, games: Sequence[Game]) -> int:
    """Delete earlier games, all copies and damaged files; return the number of games.

    The present game, running or just over, is kept with its seats, settings and answers. May be
    killed at any point and run again. Raises as `Log` does.
    """
    with _sound_folder(folder):
        path = folder / LOG_FILE
        inspection = inspect_log(path)
        base, rows, deleted = _without_old_games(inspection.base, inspection.rows, games)
        if deleted:
            _swap(path, base, rows)
        _delete_copies(folder)
        return deleted


OWN_FILES = (
    f"{LOG_FILE}*",
    "table.head",
    "keys.json*",
    "tags.json*",
    "boards.json*",
    "tls.pem*",
    "map.toml*",
    "display-code*",
    "address*",
    "club-id*",
    REWOUND_FILE,
    reserve.RESERVE_FILE,
    f"{rotation.COPIES_FOLDER}/*",
)
"""All files that a table writes into its folder, except its lock."""
PUT_ASIDE = (f"{REPLACED_PREFIX}[0-9]*", RESTORING)
"""Folders with the files of another table, of which a restored backup took the place, or which a
restore that was cut off has left.
"""


def delete_everything(folder: Path) -> int:
    """Delete a table's files, keys too, and no others; return how many. Raises as `Log` does."""
    with _sound_folder(folder):
        deleted = _delete(folder, *OWN_FILES) + _delete_put_aside(folder)
        flush_path(folder)
        return deleted


@contextmanager
def _sound_folder(folder: Path) -> Iterator[None]:
    """Repair a folder's log and keep tables out, with no file open that Windows would not replace.

    Raises as `Log` does.
    """
    Log(folder).close()
    with locked_folder(folder):
        yield


def _delete(folder: Path, *patterns: str) -> int:
    paths = [path for pattern in patterns for path in folder.glob(pattern)]
    for path in paths:
        path.unlink()
    return len(paths)


def _delete_put_aside(folder: Path) -> int:
    """Delete a table's files in folders put aside, and emptied folders; return how many files."""
    deleted = 0
    for aside in (path for pattern in PUT_ASIDE for path in folder.glob(pattern)):
        if aside.is_symlink():
            continue
        deleted += _delete(aside, *OWN_FILES, LOCK_FILE)
        for emptied in (aside / rotation.COPIES_FOLDER, aside):
            if emptied.is_dir() and not any(emptied.iterdir()):
                emptied.rmdir()
    return deleted


def _without_old_games(
    base: LogBase, rows: list[LogRow], games: Sequence[Game]
) -> tuple[LogBase, list[LogRow], int]:
    """Return a log's base and rows without its old games, and the number of those games."""
    table = TableState(games, TableSettings())
    for item in decode_items(base.carried) if base.carried else []:
        table.apply(item)
    first = table.number
    cut, deleted = (base, 0), 0
    for place, row in enumerate(rows, start=1):
        for item in decode_items(row.body):
            table.apply(item)
        if table.run.game is None and table.number > first:
            deleted = table.number - first
            cut = (LogBase(row.row, row.hash, encode_items([table.to_snapshot()])), place)
    return cut[0], rows[cut[1] :], deleted


def _swap(path: Path, base: LogBase, rows: list[LogRow]) -> None:
    # The new file must not find the old one's write-ahead log.
    database = connect(path)
    try:
        (busy, _, _) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        database.close()
    if busy:
        raise StorageFailed("somebody else reads the log")
    building = path.with_name(path.name + ".building")
    for leftover in path.parent.glob(building.name + "*"):
        leftover.unlink()
    create_log(building, rows, base)
    replace(building, path)
    flush_path(path.parent)


def _delete_copies(folder: Path) -> None:
    shutil.rmtree(folder / rotation.COPIES_FOLDER, ignore_errors=True)
    for kind in REPLACED_AS.values():
        for damaged in folder.glob(f"{LOG_FILE}.{kind}-*"):
            damaged.unlink()
    _delete_put_aside(folder)
    flush_path(folder)
