"""Backups by paths, for tests of other things."""

from __future__ import annotations

from pathlib import Path

from companion.table.storage.backup import new_file, write_backup
from companion.table.storage.backup import restore_backup as put_back


def backup(folder: Path, target: Path) -> None:
    """Write a backup of a data folder."""
    with new_file(target) as file:
        write_backup(folder, file)


def restore(source: Path, folder: Path) -> Path | None:
    """Restore a backup; return the folder with the replaced files."""
    with source.open("rb") as file:
        return put_back(file, folder)
