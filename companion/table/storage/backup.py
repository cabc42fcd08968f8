"""Write a data folder's log and keys into one file, and restore them."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from companion.files import free_name
from companion.platforms import flush, flush_path, name_new, open_new, replace
from companion.table.errors import NewerSchema, NoBackup, StorageFailed
from companion.table.storage import rotation
from companion.table.storage.log import LOCK_FILE, REWOUND_FILE, locked_folder
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import Inspection, inspect_log

SIDE_FILES = (
    "keys.json",
    "keys.json.copy",
    "tags.json",
    "tags.json.copy",
    "boards.json",
    "tls.pem",
    "map.toml",
)
"""Keys, the tag registry, the certificate, a box's typed board; each may be missing."""
MAX_UNPACKED_BYTES = 1 << 28
"""Bytes that are unpacked at most: many times the size of a table's files."""
CHUNK_BYTES = 1 << 16
REPLACED_PREFIX = "before-"
"""The beginning of the names of folders with files that a backup replaced."""
RESTORING = "restoring"
"""The folder into which a backup is unpacked."""
BACKUP_FILES = (LOG_FILE, *SIDE_FILES)
"""The files in a backup. All others are made again."""


@contextmanager
def new_file(target: Path) -> Iterator[BinaryIO]:
    """Yield a file (0600) that gets its name once complete; replace none. Raises OSError."""
    building = target.with_name(target.name + ".new")
    handle = open_new(building)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            flush(handle)
        name_new(building, target)
    finally:
        building.unlink(missing_ok=True)
    flush_path(target.parent)


def write_backup(folder: Path, file: BinaryIO) -> None:
    """Write everything that a table needs into `file`, also while the table runs.

    The file holds the running game's secrets. Raises `StorageFailed` for an unreadable folder.
    """
    try:
        # The keys first: a seat taken in between has no PIN then, but no PIN is without its key.
        beside = [
            (name, (folder / name).read_bytes()) for name in SIDE_FILES if (folder / name).exists()
        ]
        with tempfile.TemporaryDirectory(prefix="companion-") as aside:
            log = rotation.rotate_copies(Path(aside), folder / LOG_FILE, 0, whole=True).read_bytes()
    except (OSError, sqlite3.Error) as error:
        raise StorageFailed(str(error)) from error
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, contents in ((LOG_FILE, log), *beside):
            _add(archive, name, contents)
    file.flush()


def restore_backup(source: BinaryIO, folder: Path) -> Path | None:
    """Replace a data folder's files by a backup; return the folder in it that keeps the old files.

    The backup is checked first: a damaged one changes nothing. If it lacks entries that the folder
    held, the table announces that at its next start. Raises `NoBackup`,
    `StorageFailed`, `NewerSchema`, and `AlreadyRunning` while a table uses the folder.
    """
    made = not folder.exists()
    building = folder / RESTORING
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if building.exists():
            shutil.rmtree(building)
        building.mkdir(mode=0o700)
    except OSError as error:
        raise StorageFailed(str(error)) from error
    try:
        held = _check_whole(source, building)
        replaced = _put_aside(folder, held)
    except BaseException:
        shutil.rmtree(folder if made else building)
        raise
    _move(building, folder)
    building.rmdir()
    flush_path(folder)
    return replaced


def _check_whole(source: BinaryIO, building: Path) -> Inspection:
    """Unpack a backup and return its log; raise `NoBackup`, `StorageFailed` and `NewerSchema`."""
    try:
        _unpack(source, building)
        held = inspect_log(building / LOG_FILE)
    except (gzip.BadGzipFile, tarfile.TarError, EOFError, zlib.error) as wrong:
        raise NoBackup(f"{source.name} is no backup: {wrong}") from wrong
    except OSError as error:
        raise StorageFailed(str(error)) from error
    if held.wrong:
        raise NoBackup(f"{source.name} is damaged: {held.wrong}")
    flush_path(building)
    return held


def _add(archive: tarfile.TarFile, name: str, contents: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(contents), 0o600
    archive.addfile(member, BytesIO(contents))


def _unpack(source: BinaryIO, folder: Path) -> None:
    # The checksum is at the very end, which an archive's reader never reads.
    with gzip.open(source) as packed:
        size = 0
        while piece := packed.read(CHUNK_BYTES):
            size += len(piece)
            if size > MAX_UNPACKED_BYTES:
                raise tarfile.TarError("it holds more than any table writes")
    source.seek(0)
    with tarfile.open(fileobj=source, mode="r:gz") as archive:
        names = archive.getnames()
        if LOG_FILE not in names:
            raise tarfile.TarError(f"{LOG_FILE} is missing")
        for name in BACKUP_FILES:
            member = archive.extractfile(name) if name in names else None
            if member is not None:
                with os.fdopen(open_new(folder / name), "wb") as file:
                    shutil.copyfileobj(member, file)
                    file.flush()
                    flush(file.fileno())


def _put_aside(folder: Path, held: Inspection) -> Path | None:
    """Move a folder's files into a new folder in it; return that, None if there were no files.

    held: the log that takes their place
    """
    if not _held(folder):
        return None
    with locked_folder(folder):
        if _has_more(folder / LOG_FILE, held):
            os.close(open_new(folder / RESTORING / REWOUND_FILE))
            flush_path(folder / RESTORING)
        replaced = free_name(folder / REPLACED_PREFIX.removesuffix("-"))
        replaced.mkdir(mode=0o700)
        _move(folder, replaced)
    return replaced


def _has_more(path: Path, held: Inspection) -> bool:
    """Return whether a log may have entries that `held` lacks."""
    if not path.exists():
        return False
    try:
        before = inspect_log(path)
    except NewerSchema:
        return True
    row, hashed = before.end
    return bool(before.wrong) or held.hash_at(row) != hashed


def _move(source: Path, target: Path) -> None:
    for path in _held(source):
        replace(path, target / path.name)
    flush_path(target)


def _held(folder: Path) -> list[Path]:
    """Return a folder's files, except its lock, those put aside and those of the file system."""
    return sorted(
        path
        for path in folder.iterdir()
        if not path.name.startswith((LOCK_FILE, REPLACED_PREFIX, RESTORING, "lost+found"))
    )
