"""A whole data folder in one file, and back: the log as it stands at one moment, and the keys that belong to it."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from io import BytesIO
from pathlib import Path

from companion.table import copies
from companion.table.errors import StorageFailed
from companion.table.log import Log
from companion.table.recovery import NAME
from companion.table.store import examine, sync

BESIDE = ("keys.json", "tags.json", "tls.pem", "map.toml")
"""The keys of seats and displays, the household's readings of its pawns' tags, the certificate by which its phones know
the table, the board of its box; each may be missing."""
MOST_BYTES = 1 << 28
"""What is unpacked at most: many times what a table ever writes."""
PIECE = 1 << 16
PARTS = (NAME, *BESIDE)
"""What is in a backup, and nothing else: everything beside it is made anew."""


def backup(folder: Path, target: Path) -> None:
    """Write everything that a table needs into one file, 0600, also while it runs. Never replaces a file.

    Who has it has the running game's secrets. Raises OSError, and `StorageFailed` for a log that cannot be read.
    """
    building = target.with_name(target.name + ".new")
    handle = os.open(building, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with tempfile.TemporaryDirectory(dir=target.parent) as aside, os.fdopen(handle, "wb") as file:
            # The keys first: a seat taken in between is then without its PIN, never a PIN without its key.
            beside = [(name, (folder / name).read_bytes()) for name in BESIDE if (folder / name).exists()]
            try:
                log = copies.make(Path(aside), folder / NAME, 0, whole=True)
            except sqlite3.Error as error:
                raise StorageFailed(str(error)) from error
            with tarfile.open(fileobj=file, mode="w:gz") as archive:
                for name, contents in ((NAME, log.read_bytes()), *beside):
                    _add(archive, name, contents)
            file.flush()
            os.fsync(file.fileno())
        os.link(building, target)
    finally:
        building.unlink()
    sync(target.parent)


def restore(source: Path, folder: Path) -> Path | None:
    """Put a backup in the place of a data folder, which is kept under another name; return that name.

    Of a folder that is a partition of its own, whose name nobody can change, it is what lies in it that changes places.
    The backup is looked at first: one that is not whole changes nothing. Raises `StorageFailed`, `NewerSchema`,
    and `AlreadyRunning` while a table uses the folder.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    building = _aside(folder, "restoring")
    if building.exists():
        _remove(building)
    building.mkdir(mode=0o700)
    try:
        _unpack(source, building)
        held = examine(building / NAME)
    except (OSError, tarfile.TarError, EOFError, zlib.error) as wrong:
        _remove(building)
        raise StorageFailed(f"{source} is no backup: {wrong}") from wrong
    if held.wrong:
        _remove(building)
        raise StorageFailed(f"{source} is damaged: {held.wrong}")
    sync(building)
    kept = _put_aside(folder) if folder.exists() else None
    if folder.is_mount():
        _move(building, folder)
        building.rmdir()
        sync(folder)
    else:
        building.rename(folder)
        sync(folder.parent)
    return kept


def _add(archive: tarfile.TarFile, name: str, contents: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(contents), 0o600
    archive.addfile(member, BytesIO(contents))


def _unpack(source: Path, folder: Path) -> None:
    # What tells that a byte was changed stands at the very end, which an archive's reader never looks at.
    with gzip.open(source) as packed:
        size = 0
        while piece := packed.read(PIECE):
            size += len(piece)
            if size > MOST_BYTES:
                raise tarfile.TarError("it holds more than any table writes")
    with tarfile.open(source, mode="r:gz") as archive:
        names = archive.getnames()
        if NAME not in names:
            raise tarfile.TarError(f"{NAME} is missing")
        for name in PARTS:
            member = archive.extractfile(name) if name in names else None
            if member is not None:
                handle = os.open(folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
                with os.fdopen(handle, "wb") as file:
                    shutil.copyfileobj(member, file)
                    file.flush()
                    os.fsync(file.fileno())


def _put_aside(folder: Path) -> Path:
    # Opened once, so that a running table is not robbed of its folder.
    Log(folder).close()
    number = 1
    while (kept := _aside(folder, f"before-{number}")).exists():
        number += 1
    if folder.is_mount():
        kept.mkdir(mode=0o700)
        _move(folder, kept)
    else:
        folder.rename(kept)
    return kept


def _aside(folder: Path, name: str) -> Path:
    """Return where something is laid aside on the same file system: beside a folder, or in one that is a partition."""
    return folder / name if folder.is_mount() else folder.with_name(f"{folder.name}.{name}")


def _move(source: Path, target: Path) -> None:
    """Move what a folder holds, but for what was laid aside in it and what the file system keeps there itself."""
    for path in sorted(source.iterdir()):
        if not path.name.startswith(("before-", "restoring", "lost+found")):
            path.rename(target / path.name)
    sync(target)


def _remove(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
