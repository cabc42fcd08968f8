"""Define the log's file: its schema, its hash chain, and how to read it without changing it.

SQLite's own `integrity_check` reports "ok" after a flipped byte of payload, and a damaged
write-ahead log simply ends earlier. So every row carries the hash of all before it, and a small
file beside the database names the last row that was ever acknowledged.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from companion.core.codec import canonical_json
from companion.platforms import flush_path, open_new
from companion.table.errors import NewerSchema, StorageFailed

APPLICATION_ID = 0x48644D76
SCHEMA_VERSION = 2
SCHEMA = {
    "entries": (
        "CREATE TABLE entries (row INTEGER PRIMARY KEY, seat TEXT NOT NULL, id TEXT NOT NULL, "
        "digest TEXT NOT NULL, "
        "answer TEXT NOT NULL, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT"
    ),
    "requests": "CREATE UNIQUE INDEX requests ON entries (seat, id) WHERE id <> ''",
    "base": (
        "CREATE TABLE base (row INTEGER PRIMARY KEY, hash TEXT NOT NULL, carried TEXT NOT NULL, "
        "proof TEXT NOT NULL) STRICT"
    ),
}
"""Each table and index with the SQL that makes it."""
FIRST_HASH = "0" * 64
CACHE_KB = 256
"""Kilobytes of pages that a connection keeps. SQLite's usual 2 MB would fill with a log's pages,
which are written and hardly read.
"""
CORRUPTION_CODES = frozenset(
    {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT}
)


class LogRow(NamedTuple):
    """One stored entry. `id` is "" without a request; `hash` covers all rows so far."""

    row: int
    seat: str
    id: str
    digest: str
    answer: str
    body: str
    hash: str


class LogBase(NamedTuple):
    """The deleted beginning of a log: its last row, that row's hash, and the table's state after it
    as the body of an entry.
    """

    row: int = 0
    hash: str = FIRST_HASH
    carried: str = ""


class Inspection(NamedTuple):
    """The content of a file: the rows up to the first bad link, and the fault, "" for none."""

    rows: list[LogRow]
    wrong: str
    base: LogBase = LogBase()

    @property
    def end(self) -> tuple[int, str]:
        """The number and the hash of the last sound row."""
        return (
            (self.rows[-1].row, self.rows[-1].hash)
            if self.rows
            else (self.base.row, self.base.hash)
        )

    @property
    def bodies(self) -> list[str]:
        """The bodies to fold, in order."""
        return [
            *([self.base.carried] if self.base.carried else []),
            *(row.body for row in self.rows),
        ]

    def hash_at(self, number: int) -> str | None:
        """Return the hash of a row, None if it is not in this file."""
        if number == self.base.row:
            return self.base.hash
        place = number - self.base.row - 1
        return self.rows[place].hash if 0 <= place < len(self.rows) else None


def row_hash(
    previous: str, row: int, seat: str, id: str, digest: str, answer: str, body: str
) -> str:
    """Return the hash of a row's values and of the hash before it."""
    return hashlib.sha256(
        (previous + canonical_json([row, seat, id, digest, answer, body])).encode("ascii")
    ).hexdigest()


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Return a connection that keeps what it acknowledges (WAL, synchronous=FULL)."""
    mode = "ro" if read_only else "rw"
    database = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=2.0,
    )
    try:
        if not read_only:
            database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        # On macOS the disk's own memory too; no other system has this.
        database.execute("PRAGMA fullfsync=ON")
        database.execute(f"PRAGMA cache_size=-{CACHE_KB}")
    except (sqlite3.Error, UnicodeDecodeError):
        database.close()
        raise
    return database


def create_log(path: Path, rows: Iterable[LogRow] = (), base: LogBase = LogBase()) -> None:  # noqa: B008 - a frozen value
    """Make a new file (0600) with `rows` after `base`; it is on the disk when this returns."""
    os.close(open_new(path))
    database = connect(path)
    try:
        database.execute("BEGIN IMMEDIATE")
        for sql in SCHEMA.values():
            database.execute(sql)
        database.execute("INSERT INTO base VALUES (?, ?, ?, ?)", (*base, _proof(base)))
        insert_rows(database, rows)
        database.execute(f"PRAGMA application_id={APPLICATION_ID}")
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        database.execute("COMMIT")
        # Closing would do that too, but without an error if the disk failed.
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        database.close()
    flush_path(path.parent)


def insert_rows(database: sqlite3.Connection, rows: Iterable[LogRow]) -> None:
    """Add rows in the open transaction."""
    database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def primary_code(error: sqlite3.Error | UnicodeDecodeError) -> int:
    """Return SQLite's primary result code.

    An error of Python's module itself counts as damage: a row, or a message, that is not UTF-8.
    """
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code & 0xFF


def inspect_log(path: Path) -> Inspection:
    """Return the content of a file, without changing a byte of it or of its write-ahead log.

    Raises `NewerSchema` for a file of a newer release, and `StorageFailed` if the disk fails.
    """
    rows: list[LogRow] = []
    base = LogBase()
    try:
        wrong = _header(path)
        database = connect(path, read_only=True)
        try:
            schema = _schema(database)
            base, unsound = _base(database)
            wrong = wrong or schema or unsound
            rows.extend(_sound_rows(database, base))
            wrong = wrong or _count(database, len(rows)) or _integrity(database)
        finally:
            database.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        _check_corrupt(error)
        wrong = str(error)
    return Inspection(rows, wrong, base)


def readable_rows(path: Path, last: int) -> list[LogRow]:
    """Return the rows of a damaged file that can be read, whether or not they fit together.

    last: the number up to which missing rows are looked for one by one
    Changes nothing. Raises `StorageFailed` if the disk fails.
    """
    rows: dict[int, LogRow] = {}
    try:
        with closing(connect(path, read_only=True)) as database:
            # A scan also reads the rows of pages that are in the wrong place, but ends at the
            # first page that is damaged.
            _collect(database, rows, "SELECT * FROM entries")
            number = 0
            while (number := number + 1) <= last or number in rows:
                if number not in rows:
                    _collect(database, rows, "SELECT * FROM entries WHERE row = ?", number)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        _check_corrupt(error)
    return list(rows.values())


def _collect(
    database: sqlite3.Connection, rows: dict[int, LogRow], query: str, *values: int
) -> None:
    try:
        for row in map(LogRow._make, database.execute(query, values)):
            if _has_types(row):
                rows.setdefault(row.row, row)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        _check_corrupt(error)


def _check_corrupt(error: sqlite3.Error | UnicodeDecodeError) -> None:
    """Raise `StorageFailed` for an error that no damage of the file explains."""
    if primary_code(error) not in CORRUPTION_CODES:
        raise StorageFailed(str(error)) from error


def _has_types(row: LogRow) -> bool:
    """Return whether the values have the schema's types, which a flipped type bit changes."""
    return type(row.row) is int and all(type(value) is str for value in row[1:])


def _header(path: Path) -> str:
    """Check the format version: a wrong one would silently make the file read-only."""
    with path.open("rb") as file:
        start = file.read(20)
    return (
        ""
        if start[:16] == b"SQLite format 3\0" and start[18:20] in (b"\1\1", b"\2\2")
        else "header"
    )


def _schema(database: sqlite3.Connection) -> str:
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if application == APPLICATION_ID and version > SCHEMA_VERSION:
        raise NewerSchema(
            f"this data folder has schema {version}, this release knows {SCHEMA_VERSION}"
        )
    schema = dict(database.execute("SELECT name, sql FROM sqlite_schema"))
    expected = (APPLICATION_ID, SCHEMA_VERSION, SCHEMA)
    return "" if (application, version, schema) == expected else "schema"


def _proof(base: LogBase) -> str:
    return row_hash(base.hash, base.row, "", "", "", "", base.carried)


def _base(database: sqlite3.Connection) -> tuple[LogBase, str]:
    """Return the base of a file, and its fault.

    Without a readable base, the rows of a log with its first row verify from the beginning.
    """
    try:
        rows = database.execute("SELECT * FROM base").fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if primary_code(error) not in CORRUPTION_CODES:
            raise
        return LogBase(), "base"
    if len(rows) == 1 and all(type(value) is str for value in rows[0][1:]):
        base = LogBase(*rows[0][:3])
        if rows[0][3] == _proof(base):
            return base, ""
    return LogBase(), "base"


def _sound_rows(database: sqlite3.Connection, base: LogBase) -> Iterator[LogRow]:
    previous = base.hash
    for number, values in enumerate(
        database.execute("SELECT * FROM entries ORDER BY row"), start=base.row + 1
    ):
        row = LogRow(*values)
        if row.row != number or not _has_types(row):
            return
        if row.hash != row_hash(previous, *row[:-1]):
            return
        previous = row.hash
        yield row


def _count(database: sqlite3.Connection, sound: int) -> str:
    (count,) = database.execute("SELECT count(*) FROM entries NOT INDEXED").fetchone()
    return "" if count == sound else f"the chain breaks after row {sound}"


def _integrity(database: sqlite3.Connection) -> str:
    (answer,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if answer == "ok" else str(answer)
