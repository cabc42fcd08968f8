"""Append entries to one table's log: an acknowledged entry is on the disk, in order."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from companion.platforms import lock_file
from companion.table.errors import AlreadyRunning, Refused, StorageFailed
from companion.table.storage import reserve, rotation
from companion.table.storage.recovery import (
    CHECKPOINT_FILE,
    LOG_FILE,
    Checkpoint,
    CheckpointFile,
    OpenedLog,
    leave_out,
    read_checkpoint,
    recover,
)
from companion.table.storage.store import (
    FIRST_HASH,
    Inspection,
    LogRow,
    connect,
    insert_rows,
    inspect_log,
    primary_code,
    row_hash,
)

SQLITE_REFUSALS = {
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "disk_readonly",
    sqlite3.SQLITE_CANTOPEN: "disk_readonly",
    sqlite3.SQLITE_PERM: "disk_readonly",
}
OS_REFUSALS = {
    errno.EROFS: "disk_readonly",
    errno.EACCES: "disk_readonly",
    errno.EPERM: "disk_readonly",
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
}
"""The reason that the table gives for each error of a write."""

LOCK_FILE = "table.lock"
REWOUND_FILE = "rewound"
"""Left by a restored backup that holds less than the folder did, until it is announced."""

CLOSED = "storage_failed"
"""The reason of a closed log."""

DiskSpace = Literal["ok", "low", "full", "readonly"]
"""Space for further entries: at least 50 MB, less, almost none, or a read-only folder."""


class RequestId(NamedTuple):
    """Name a request: its sender, its id, and a digest of its content."""

    by: str = ""
    id: str = ""
    digest: str = ""


NO_REQUEST = RequestId()
"""No request: an entry that the table makes by itself."""


class StoredAnswer(NamedTuple):
    """The answer to a request, and the digest of its content."""

    digest: str
    text: str


class Log:
    """An append-only list of entries in one SQLite file; only this process uses its folder.

    lost: the number of entries lost by damage, -1 if unknown
    is_rewound: whether a backup took the place of later entries, and nobody was told
    reserve: keep some space for the end of a game
    A read-only folder is read too; each `append` tries to write again.
    Raises `AlreadyRunning` while another process has the folder, `NewerSchema` and `StorageFailed`.
    """

    def __init__(self, folder: Path, *, reserve: bool = False) -> None:
        self.folder = folder
        self._reserve = reserve
        self._stuck = ""
        self._must_leave_out = False
        self._lock = -1
        self._connection: sqlite3.Connection | None = None
        self._count, self._hash = 0, FIRST_HASH
        self._read_answers: dict[tuple[str, str], StoredAnswer] = {}
        self._checkpoint: CheckpointFile
        try:
            opened = self._open()
        except BaseException:
            self.close()
            raise
        examined, self.lost = opened
        self._bodies = examined.bodies
        self._count, self._hash = examined.end
        self.is_rewound = (folder / REWOUND_FILE).exists()

    def __len__(self) -> int:
        return self._count

    @property
    def head(self) -> str:
        """The hash of all entries. It covers private ones, so it is never sent."""
        return self._hash

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection that writes; raise `Refused` while the folder is read-only."""
        if self._connection is None:
            raise Refused(self._stuck)
        return self._connection

    def pop_bodies(self) -> Iterator[str]:
        """Yield the bodies found at the start, in order; only once."""
        bodies, self._bodies = self._bodies, []
        yield from bodies

    def forget_rewind(self) -> None:
        """Record that everybody was told of the restored backup; raise OSError."""
        (self.folder / REWOUND_FILE).unlink()
        self.is_rewound = False

    def stored_bodies(self) -> list[str]:
        """Return the bodies of the sound entries, also of a read-only folder; raise OSError."""
        if self._connection is None:
            return _inspect_copy(self.folder).bodies
        return read_bodies(self.folder)

    def leave_out(self, places: Collection[int]) -> bool:
        """Continue without some of the bodies found at the start, given by their places (from 0).

        The file with all of them is kept under another name. Return False for a folder that takes
        no writes: it keeps them, and takes no entry before a later start has left them out. Raises
        `StorageFailed`.
        """
        self._must_leave_out = True
        if self._connection is None:
            return False
        self._checkpoint.close()
        self._connection.close()
        self._connection = None
        try:
            after = self._rewrite_without(places)
            if after is None:
                self._open_reading()
                return False
            self._connection = connect(self.folder / LOG_FILE)
            self._checkpoint = CheckpointFile(self.folder / CHECKPOINT_FILE)
        except (sqlite3.Error, OSError) as error:
            raise StorageFailed(str(error)) from error
        self._must_leave_out = False
        self._count, self._hash = after.end
        self._write_checkpoint()
        return True

    def _rewrite_without(self, places: Collection[int]) -> Inspection | None:
        """Return the new file's content, None if the disk takes no writes."""
        try:
            return leave_out(self.folder, places)
        except (sqlite3.Error, OSError) as error:
            refusal = _refusal(error)
            if refusal is None:
                raise
            self._stuck = refusal
        if self._stuck == "disk_full" and self._release_reserve():
            return self._rewrite_without(places)
        return None

    def answer(self, by: str, id: str) -> StoredAnswer | None:
        """Return the answer to the request `id` of `by`, else None; raise `StorageFailed`."""
        if self._connection is None:
            return self._read_answers.get((by, id))
        try:
            row = self._connection.execute(
                "SELECT digest, answer FROM entries WHERE seat = ? AND id = ? AND id <> ''",
                (by, id),
            ).fetchone()
        except sqlite3.Error as error:
            raise StorageFailed(str(error)) from error
        return StoredAnswer(*row) if row else None

    def append(self, body: str, request: RequestId = NO_REQUEST, answer: str = "") -> None:
        """Add an entry; it is on the disk when this returns.

        Raises `Refused` ("disk_full", "disk_readonly") if nothing has changed, and `StorageFailed`
        if the entry may or may not be stored; then the process must end.
        """
        if self._connection is None:
            self._resume()
        number = self._count + 1
        values = (number, *request, answer, body)
        row = LogRow(*values, row_hash(self._hash, *values))
        try:
            self._commit(row)
        except Refused as refused:
            if refused.message.code != "disk_full" or not self._release_reserve():
                raise
            self._commit(row)
        self._count, self._hash = number, row.hash
        self._write_checkpoint()

    def disk_space(self) -> DiskSpace:
        """Return the space for further entries. Reads no stored data."""
        if self._connection is None:
            return "readonly" if self._stuck == "disk_readonly" else "full"
        try:
            free = reserve.free_bytes(self.folder)
        except OSError as error:
            raise StorageFailed(str(error)) from error
        if free >= reserve.LOW_SPACE_BYTES:
            return "ok"
        is_kept = not self._reserve or (self.folder / reserve.RESERVE_FILE).exists()
        return "low" if is_kept or free >= reserve.FULL_SPACE_BYTES else "full"

    def is_healthy(self) -> bool:
        """Return whether the last acknowledged entry is readable; True for a read-only folder."""
        if self._connection is None:
            return True
        try:
            last = self._connection.execute(
                "SELECT hash FROM entries WHERE row = ?", (self._count,)
            ).fetchone()
        except sqlite3.Error:
            return False
        return last is None or last[0] == self._hash

    def copy(self, *, whole: bool = True) -> None:
        """Copy the log, `whole` or by adding to an older copy, and allocate the reserve again.

        May run beside `append`. Raises sqlite3.Error and OSError; the log stays as it was.
        """
        if self._connection is None:
            return
        if self._reserve:
            reserve.allocate(self.folder)
        rotation.rotate_copies(self.folder, self.folder / LOG_FILE, self._count, whole=whole)

    def close(self) -> None:
        """Release the folder."""
        if self._connection is not None:
            self._checkpoint.close()
            self._connection.close()
            self._connection = None
        self._stuck = CLOSED
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _open(self) -> OpenedLog:
        try:
            return self._open_writing()
        except (sqlite3.Error, OSError) as error:
            refusal = _refusal(error)
            if refusal is None:
                raise StorageFailed(str(error)) from error
            self._stuck = refusal
        try:
            return self._open_reading()
        except OSError as error:
            raise StorageFailed(str(error)) from error

    def _open_writing(self) -> OpenedLog:
        if not self.folder.is_dir():
            self.folder.mkdir(mode=0o700, parents=True)
        self.folder.chmod(0o700)
        if self._lock < 0:
            self._lock = _lock_file(self.folder / LOCK_FILE)
        if self._reserve and reserve.free_bytes(self.folder) < reserve.RESERVE_BYTES:
            reserve.release(self.folder)
        opened = recover(self.folder)
        connection = connect(self.folder / LOG_FILE)
        try:
            checkpoint = CheckpointFile(self.folder / CHECKPOINT_FILE)
            checkpoint.write(Checkpoint(*opened.examined.end))
        except OSError:
            connection.close()
            raise
        self._connection, self._checkpoint = connection, checkpoint
        if self._reserve:
            reserve.allocate(self.folder)
        return opened

    def _open_reading(self) -> OpenedLog:
        """Read a read-only folder, from a copy of its files."""
        if not (self.folder / LOG_FILE).exists():
            raise StorageFailed(f"{self.folder} holds no games and takes none")
        if self._lock < 0 and (self.folder / LOCK_FILE).exists():
            self._lock = _lock_file(self.folder / LOCK_FILE, os.O_RDONLY)
        examined = _inspect_copy(self.folder)
        self._read_answers = {
            (row.seat, row.id): StoredAnswer(row.digest, row.answer)
            for row in examined.rows
            if row.id
        }
        checkpoint = read_checkpoint(self.folder / CHECKPOINT_FILE)
        return OpenedLog(examined, max(0, checkpoint.row - examined.end[0]) if checkpoint else 0)

    def _resume(self) -> None:
        """Open the folder for writing again; raise `Refused` if that fails or the log is closed."""
        if self._stuck == CLOSED:
            raise Refused(CLOSED)
        try:
            if self._must_leave_out and self._stuck == "disk_full" and not self._has_room_to_copy():
                raise Refused(self._stuck)
            opened = self._open_writing()
        except (sqlite3.Error, OSError) as error:
            if _refusal(error) is None:
                raise StorageFailed(str(error)) from error
            raise Refused(self._stuck) from error
        if self._must_leave_out or opened.examined.end != (self._count, self._hash):
            # The file is not the one that was read: the process must start again.
            raise StorageFailed("the folder is not what it was")

    def _has_room_to_copy(self) -> bool:
        size = (self.folder / LOG_FILE).stat().st_size
        return reserve.free_bytes(self.folder) > 2 * size

    def _commit(self, row: LogRow) -> None:
        connection = self.connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            insert_rows(connection, [row])
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            refusal = SQLITE_REFUSALS.get(primary_code(error))
            try:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            except sqlite3.Error as worse:
                raise StorageFailed(str(worse)) from error
            if refusal is None:
                raise StorageFailed(str(error)) from error
            raise Refused(refusal) from error

    def _release_reserve(self) -> bool:
        try:
            return reserve.release(self.folder)
        except OSError as error:
            raise StorageFailed(str(error)) from error

    def _write_checkpoint(self) -> None:
        try:
            self._checkpoint.write(Checkpoint(self._count, self._hash))
        except OSError as error:
            raise StorageFailed(str(error)) from error


def _refusal(error: sqlite3.Error | OSError) -> str | None:
    """Return the reason for a disk that takes no writes, None for another error."""
    if isinstance(error, OSError):
        return OS_REFUSALS.get(error.errno or 0)
    return SQLITE_REFUSALS.get(primary_code(error))


def read_bodies(folder: Path) -> list[str]:
    """Return the bodies of a folder's sound entries; changes nothing, also while it is in use."""
    return inspect_log(folder / LOG_FILE).bodies


def _inspect_copy(folder: Path) -> Inspection:
    with tempfile.TemporaryDirectory(prefix="companion-") as aside:
        for name in (LOG_FILE, f"{LOG_FILE}-wal"):
            if (folder / name).exists():
                shutil.copyfile(folder / name, Path(aside) / name)
        return inspect_log(Path(aside) / LOG_FILE)


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Keep tables out of a folder, whichever release wrote it; raise `AlreadyRunning`."""
    handle = _lock_file(folder / LOCK_FILE)
    try:
        yield
    finally:
        os.close(handle)


def _lock_file(path: Path, how: int = os.O_CREAT | os.O_RDWR) -> int:
    handle = os.open(path, how, 0o600)
    try:
        lock_file(handle)
    except BlockingIOError as taken:
        os.close(handle)
        raise AlreadyRunning(f"another companion uses {path.parent}") from taken
    return handle
