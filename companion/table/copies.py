"""A ring of copies of the log, each whole by itself, for the day on which the log is found damaged.

A copy bears the number of its last row, not a time: the machine may have no clock.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from companion.table.store import connect, sync_folder

FOLDER = "copies"
RING = 3
"""Copies that are kept; the oldest goes when a new one is whole."""


def paths(folder: Path) -> list[Path]:
    """Return the copies in a data folder, the newest first."""
    return sorted((folder / FOLDER).glob("*.sqlite"), reverse=True)


def make(folder: Path, source: Path, row: int) -> Path:
    """Copy the log at `source`, whose last row is at least `row`; the copy is on the disk when this returns.

    Raises sqlite3.Error and OSError; what is there already stays.
    """
    place = folder / FOLDER
    place.mkdir(mode=0o700, exist_ok=True)
    building, target = place / "building", place / f"{row:09d}.sqlite"
    building.unlink(missing_ok=True)
    # SQLite takes an empty file for none, and a file made here is nobody else's from its first byte on.
    os.close(os.open(building, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        _write(source, building)
        building.rename(target)
        sync_folder(place)
    except (sqlite3.Error, OSError):
        building.unlink(missing_ok=True)
        raise
    for old in paths(folder)[RING:]:
        old.unlink()
    return target


def _write(source: Path, target: Path) -> None:
    database = connect(source, read_only=True)
    try:
        database.execute("VACUUM INTO ?", (str(target),))
    finally:
        database.close()
    handle = os.open(target, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
