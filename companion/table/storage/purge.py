"""Old games deleted from a data folder, the table and what is played now going on as they are."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from companion.core.game import Game
from companion.table.entries import decode, encode
from companion.table.errors import StorageFailed
from companion.table.settings import TableSettings
from companion.table.state import Course
from companion.table.storage import reserve, rotation
from companion.table.storage.log import Log
from companion.table.storage.recovery import KEPT, NAME
from companion.table.storage.store import Base, Row, connect, create, examine, sync


def purge(folder: Path, games: Sequence[Game]) -> int:
    """Delete the games that are over and put away, with all copies and damaged files; return how
    many there were.

    The game that is played, or that is over and still lies on the table, is kept, and so are seats,
    settings and every answer given in it. May be killed at any point and run again. Raises as `Log`
    does.
    """
    log = Log(folder)
    try:
        path = folder / NAME
        found = examine(path)
        base, rows, deleted = _rest(found.base, found.rows, games)
        if deleted:
            _swap(path, base, rows)
        _sweep(folder)
        return deleted
    finally:
        log.close()


OURS = (
    f"{NAME}*",
    "table.head",
    "keys.json*",
    "tags.json*",
    "tls.pem*",
    "map.toml*",
    "display-code*",
    "club-id*",
    reserve.NAME,
    f"{rotation.FOLDER}/*",
)
"""All that a table ever writes into its folder, beside the lock that it holds."""


def delete_everything(folder: Path) -> int:
    """Delete all that a table ever kept in a folder, keys and seats too, and nothing of anybody
    else's; return how many files. Raises as `Log` does.
    """
    log = Log(folder)
    try:
        found = [path for pattern in OURS for path in folder.glob(pattern)]
        for path in found:
            path.unlink()
        sync(folder)
        return len(found)
    finally:
        log.close()


def _rest(base: Base, rows: list[Row], games: Sequence[Game]) -> tuple[Base, list[Row], int]:
    """Return what a log begins behind when its old games are gone, what is left, and how many games
    go.
    """
    course = Course(games, TableSettings())
    for item in decode(base.carried) if base.carried else []:
        course.apply(item)
    first = course.number
    cut, deleted = (base, 0), 0
    for place, row in enumerate(rows, start=1):
        for item in decode(row.body):
            course.apply(item)
        if course.game is None and course.number > first:
            deleted = course.number - first
            cut = (Base(row.row, row.hash, encode([course.carried()])), place)
    return cut[0], rows[cut[1] :], deleted


def _swap(path: Path, base: Base, rows: list[Row]) -> None:
    # Nothing of the old file may be left in a write-ahead log that the new one would find beside
    # it.
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
    create(building, rows, base)
    building.replace(path)
    sync(path.parent)


def _sweep(folder: Path) -> None:
    shutil.rmtree(folder / rotation.FOLDER, ignore_errors=True)
    for kind in KEPT.values():
        for kept in folder.glob(f"{NAME}.{kind}-*"):
            kept.unlink()
    sync(folder)
