"""The log of one table: what it acknowledges is on the disk, in order, and can be told from what was changed."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from companion.table.errors import AlreadyRunning, Refused, StorageFailed
from companion.table.recovery import NAME, WITNESS, prepare
from companion.table.store import FIRST, Row, chain, connect, examine, insert, primary_code
from companion.table.witness import Witness, WitnessFile

REFUSALS = {
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "disk_readonly",
    sqlite3.SQLITE_CANTOPEN: "disk_readonly",
    sqlite3.SQLITE_PERM: "disk_readonly",
}


class Answer(NamedTuple):
    """What was answered to a request before, and the digest of what it asked for."""

    digest: str
    text: str


class Log:
    """An append-only list of entries in one SQLite file of a folder that only this process uses.

    `lost` says how many entries a damage has cost: 0 none, -1 an unknown number. Raises
    `AlreadyRunning` while another process has the folder, `NewerSchema` and `StorageFailed`.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        self.folder = folder
        self._lock = _hold(folder / "table.lock")
        try:
            self._rows, self.lost = prepare(folder)
            self.connection = connect(folder / NAME)
            self._witness = WitnessFile(folder / WITNESS)
        except BaseException:
            os.close(self._lock)
            raise
        self._count = len(self._rows)
        self._hash = self._rows[-1].hash if self._rows else FIRST
        self._answers = {(row.seat, row.id): Answer(row.digest, row.answer) for row in self._rows if row.id}
        self._write_witness()

    def __len__(self) -> int:
        return self._count

    @property
    def head(self) -> str:
        """The hash that covers every entry; it covers private ones too, so it is told to nobody."""
        return self._hash

    def take_bodies(self) -> Iterator[str]:
        """Yield the bodies found at the start, once, in order."""
        rows, self._rows = self._rows, []
        for row in rows:
            yield row.body

    def answer(self, seat: str, id: str) -> Answer | None:
        """Return what was answered to this seat's request of this id, None if it was never acknowledged."""
        return self._answers.get((seat, id))

    def append(self, body: str, *, seat: str = "", id: str = "", digest: str = "", answer: str = "") -> None:
        """Add an entry; it is on the disk when this returns.

        Raises `Refused` ("disk_full", "disk_readonly"), nothing having changed, and `StorageFailed`,
        after which nobody knows and the process must end.
        """
        number = self._count + 1
        hashed = chain(self._hash, number, seat, id, digest, answer, body)
        self._commit(Row(number, seat, id, digest, answer, body, hashed))
        self._count, self._hash = number, hashed
        if id:
            self._answers[seat, id] = Answer(digest, answer)
        self._write_witness()

    def close(self) -> None:
        """Let the folder go."""
        self._witness.close()
        self.connection.close()
        os.close(self._lock)

    def _commit(self, row: Row) -> None:
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            insert(self.connection, [row])
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            refusal = REFUSALS.get(primary_code(error))
            if refusal is None:
                raise StorageFailed(str(error)) from error
            raise Refused(refusal) from error

    def _write_witness(self) -> None:
        try:
            self._witness.write(Witness(self._count, self._hash))
        except OSError as error:
            raise StorageFailed(str(error)) from error


def read_bodies(folder: Path) -> list[str]:
    """Return the bodies of a folder's sound entries without holding or changing it, also while it is in use."""
    return [row.body for row in examine(folder / NAME).rows]


def _hold(path: Path) -> int:
    handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as taken:
        os.close(handle)
        raise AlreadyRunning(f"another companion uses {path.parent}") from taken
    return handle
