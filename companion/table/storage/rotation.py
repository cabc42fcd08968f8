"""Keep a ring of complete copies of the log, in case the log is damaged.

A copy is named by its last row, not by a time: the machine may have no clock.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from companion.clock import Clock
from companion.platforms import flush_path, open_new, replace
from companion.table.storage.store import (
    CORRUPTION_CODES,
    connect,
    insert_rows,
    primary_code,
)

_logger = logging.getLogger("companion.table")

COPIES_FOLDER = "copies"
MAX_COPIES = 3
"""The number of copies. A new one replaces the oldest, or is made from it."""


def copy_paths(folder: Path) -> list[Path]:
    """Return the copies in a data folder, newest first."""
    return sorted((folder / COPIES_FOLDER).glob("*.sqlite"), reverse=True)


def rotate_copies(folder: Path, source: Path, row: int, *, whole: bool) -> Path:
    """Copy the log at `source`; the copy is on the disk when this returns.

    row: the number of a row that the copy has at least
    whole: write a new copy; else rows are added to the oldest copy of a full ring if it is a
    beginning of the log, so that after years of games a turn writes no more than at first
    Raises sqlite3.Error and OSError; the newer copies stay.
    """
    place = folder / COPIES_FOLDER
    place.mkdir(mode=0o700, exist_ok=True)
    building, target = place / "building", place / f"{row:09d}.sqlite"
    if target.exists() and not whole:
        return target
    _clear(place)
    ring = copy_paths(folder)
    try:
        if whole or len(ring) < MAX_COPIES or not _extend_copy(ring[-1], building, source):
            _write(source, building)
        flush_path(building)
        replace(building, target)
        flush_path(place)
    except (sqlite3.Error, OSError):
        _clear(place)
        raise
    for old in copy_paths(folder)[MAX_COPIES:]:
        old.unlink()
    return target


def _clear(place: Path) -> None:
    """Delete the rest of an unfinished copy; its journal would be played back into the next one."""
    for left in place.glob("building*"):
        left.unlink()


def _extend_copy(oldest: Path, building: Path, source: Path) -> bool:
    """Add later rows to the oldest copy; delete one that does not begin the log, return False."""
    oldest.rename(building)
    # Before the first byte changes: a power cut must not leave a torn copy.
    flush_path(building.parent)
    try:
        fits = _add(source, building)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if primary_code(error) not in CORRUPTION_CODES:
            raise
        fits = False
    if not fits:
        building.unlink()
    return fits


def _add(source: Path, target: Path) -> bool:
    with (
        closing(connect(source, read_only=True)) as log,
        closing(sqlite3.connect(target, isolation_level=None)) as copy,
    ):
        # Under this name it is no copy yet: nothing to roll back, and one sync at the end will do.
        copy.execute("PRAGMA journal_mode=OFF")
        copy.execute("PRAGMA synchronous=OFF")
        last = copy.execute("SELECT row, hash FROM entries ORDER BY row DESC LIMIT 1").fetchone()
        (row, _) = last or (0, "")
        there = log.execute("SELECT row, hash FROM entries WHERE row = ?", (row,)).fetchone()
        if last != there or _base_rows(copy) != _base_rows(log):
            return False
        copy.execute("BEGIN")
        insert_rows(copy, log.execute("SELECT * FROM entries WHERE row > ? ORDER BY row", (row,)))
        copy.execute("COMMIT")
        return True


def _base_rows(database: sqlite3.Connection) -> list[Any]:
    return database.execute("SELECT * FROM base").fetchall()


def _write(source: Path, target: Path) -> None:
    # SQLite writes into an empty file, and this one has its permissions from the first byte on.
    os.close(open_new(target))
    with closing(connect(source, read_only=True)) as log:
        log.execute("VACUUM INTO ?", (str(target),))


class AutoBackup:
    """Copies a log whenever the turn passes in public, on `executor`, one copy after another.

    snapshot: returns the public snapshot
    copy: copies the log
    A submitted secret turn has no effect here: the turn passes when it has been revealed. At the
    beginning and the end of a game the copy is written whole, so that no damaged copy stays.
    """

    def __init__(
        self,
        snapshot: Callable[[], dict[str, Any]],
        copy: Callable[..., None],
        clock: Clock,
        executor: Executor,
    ) -> None:
        self._snapshot = snapshot
        self._copy = copy
        self._clock = clock
        self._executor = executor
        self._turn = self._public_turn()

    def start_copy_if_due(self) -> None:
        """Start a copy if the turn has passed; called after each publication."""
        before, self._turn = self._turn, self._public_turn()
        if before != self._turn:
            copy = self._executor.submit(self._copy, whole=before[0] != self._turn[0])
            self._clock.call_after(copy, partial(_log_failure, copy))

    def _public_turn(self) -> tuple[object, object]:
        snapshot = self._snapshot()
        return snapshot["phase"], snapshot["to_move"]


def _log_failure(copy: Future[None]) -> None:
    try:
        copy.result()
    except (sqlite3.Error, OSError) as failed:
        # The log itself is whole; the next turn tries again.
        _logger.warning("no copy of the log was made: %s", failed)
