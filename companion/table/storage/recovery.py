"""Repair a damaged log before it is opened, from its sound rows and those of its copies.

The original is always kept under another name.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from companion.files import free_name
from companion.platforms import WRITE_FLAGS, flush_path, replace, write_at_start
from companion.table.errors import NewerSchema
from companion.table.storage import rotation
from companion.table.storage.store import (
    FIRST_HASH,
    Inspection,
    LogBase,
    LogRow,
    create_log,
    inspect_log,
    readable_rows,
    row_hash,
)

LOG_FILE = "table.sqlite"
CHECKPOINT_FILE = "table.head"
MAX_UNPROVEN = 16
"""Sequences that are followed beside each other while no stored hash chooses between them."""
REPLACED_AS = {".good": "corrupt", ".folded": "unread"}
"""The suffix of a finished new file, and the later suffix of the file that it replaces."""


class Checkpoint(NamedTuple):
    """The number and the hash of the last acknowledged row."""

    row: int
    hash: str


def _text(checkpoint: Checkpoint) -> bytes:
    body = f"{checkpoint.row:012d} {checkpoint.hash}"
    return f"{body} {hashlib.sha256(body.encode()).hexdigest()[:16]}\n".encode()


def read_checkpoint(path: Path) -> Checkpoint | None:
    """Return the checkpoint, None if the file is missing or corrupt."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    fields = raw[:12] + b" " + raw[13:77]
    if not fields[:12].isdigit() or not fields.isascii():
        return None
    checkpoint = Checkpoint(int(raw[:12]), raw[13:77].decode("ascii"))
    return checkpoint if _text(checkpoint) == raw else None


class CheckpointFile:
    """The file, written in place and never synced: after a power cut it may be behind the log."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, WRITE_FLAGS, 0o600)

    def write(self, checkpoint: Checkpoint) -> None:
        """Write the last row's number and hash; raise OSError."""
        write_at_start(self._handle, _text(checkpoint))

    def close(self) -> None:
        os.close(self._handle)


class OpenedLog(NamedTuple):
    """The sound part of a log, and the number of lost rows at its end, -1 if unknown."""

    examined: Inspection
    lost: int


def recover(folder: Path) -> OpenedLog:
    """Make a folder's log ready to be opened and appended to.

    May be killed at any point and run again. Raises `NewerSchema`, `StorageFailed` and OSError.
    """
    path = folder / LOG_FILE
    for ending in REPLACED_AS:
        _finish(path, ending)
    checkpoint = read_checkpoint(folder / CHECKPOINT_FILE)
    if not path.exists():
        return _start_without(path, checkpoint)
    examined = inspect_log(path)
    if examined.wrong or _count_lost_rows(examined, checkpoint):
        return _repair(path, examined, checkpoint)
    return OpenedLog(examined, 0)


def leave_out(folder: Path, places: Collection[int]) -> Inspection:
    """Rewrite a log without some of its bodies, given by their places in `Inspection.bodies`.

    The old file is kept under another name. No process may have the log open. Raises
    `StorageFailed`, sqlite3.Error and OSError.
    """
    path = folder / LOG_FILE
    before = inspect_log(path)
    first = len(before.bodies) - len(before.rows)
    base = before.base._replace(carried="") if first and 0 in places else before.base
    rows: list[LogRow] = []
    for place, row in enumerate(before.rows, start=first):
        if place not in places:
            number, hashed = (rows[-1].row, rows[-1].hash) if rows else (base.row, base.hash)
            rows.append(row._replace(row=number + 1, hash=row_hash(hashed, number + 1, *row[1:-1])))
    # It would name a lost row.
    (folder / CHECKPOINT_FILE).unlink(missing_ok=True)
    after = Inspection(rows, "", base)
    _replace(path, after, ".folded")
    return after


def _start_without(path: Path, checkpoint: Checkpoint | None) -> OpenedLog:
    """Start without a file, from a copy if there is one; report losses that a checkpoint shows."""
    before = next(path.parent.glob(f"{path.name}.corrupt-*"), None)
    nothing = Inspection([], "")
    furthest = _furthest(path.parent, nothing, checkpoint)
    replace(_build(path, furthest), path)
    flush_path(path.parent)
    if furthest is nothing:
        return OpenedLog(nothing, checkpoint.row if checkpoint else -1 if before else 0)
    return OpenedLog(furthest, _count_lost_rows(furthest, checkpoint) if checkpoint else -1)


def _repair(path: Path, examined: Inspection, checkpoint: Checkpoint | None) -> OpenedLog:
    """Go on with the longest sound sequence of rows; a sound file that ends too early stays."""
    furthest = _furthest(path.parent, examined, checkpoint)
    log = path.with_name(path.name + "-wal")
    evidence = log.exists() and log.stat().st_size > 0
    if examined.wrong or evidence or furthest is not examined:
        _replace(path, furthest, ".good")
    # The kind of damage shows whether rows may be missing that no checkpoint names.
    lost = _count_lost_rows(furthest._replace(wrong=examined.wrong), checkpoint)
    return OpenedLog(furthest, lost)


def _furthest(folder: Path, examined: Inspection, checkpoint: Checkpoint | None) -> Inspection:
    """Return the longest sound sequence that continues the log, from all readable rows."""
    copies = [(path, _inspect_copy(path)) for path in rotation.copy_paths(folder)]
    ends = [examined.end, *(copy.end for _, copy in copies), *([checkpoint] if checkpoint else [])]
    last = max(row for row, _ in ends)
    log = folder / LOG_FILE
    candidates: dict[int, list[LogRow]] = {}
    for path, each in [*([(log, examined)] if log.exists() else []), *copies]:
        for row in readable_rows(path, last) if each.wrong else each.rows:
            candidates.setdefault(row.row, []).append(row)
    fixed = dict([checkpoint]) if checkpoint else {}
    if examined.end != (0, FIRST_HASH):
        fixed |= dict([examined.end])
    bases = dict.fromkeys([examined.base, *(copy.base for _, copy in copies)])
    joined = [Inspection(_join(base, candidates, fixed), "", base) for base in bases]
    return max([examined, *joined], key=lambda each: each.end[0])


def _inspect_copy(path: Path) -> Inspection:
    try:
        return inspect_log(path)
    except NewerSchema as damaged:
        # This release, or an older one, wrote it.
        return Inspection([], str(damaged))


def _join(
    base: LogBase, candidates: Mapping[int, list[LogRow]], fixed: Mapping[int, str]
) -> list[LogRow]:
    """Return the longest sequence of rows after `base` that a stored hash proves.

    candidates: the readable rows of each number; a file of another history may have some too
    fixed: the hashes that certain rows must have
    A hash covers all rows before it, so a row whose own stored hash is damaged is proven by the
    next one.
    """
    links: dict[tuple[int, str], tuple[str, LogRow]] = {}
    number, heads = base.row, [base.hash]
    proven = (number, base.hash)
    while heads:
        number += 1
        rows = candidates.get(number, [])
        stored = {row.hash for row in rows} | {fixed.get(number, "")}
        reached: dict[str, tuple[str, LogRow]] = {}
        for head in heads:
            for row in rows:
                hashed = row_hash(head, *row[:-1])
                if fixed.get(number, hashed) == hashed:
                    reached.setdefault(hashed, (head, row._replace(hash=hashed)))
        links |= {(number, hashed): link for hashed, link in reached.items()}
        heads = [hashed for hashed in reached if hashed in stored]
        if heads:
            proven = (number, heads[0])
        else:
            heads = list(reached)[:MAX_UNPROVEN]
    joined: list[LogRow] = []
    number, hashed = proven
    while number > base.row:
        hashed, row = links[number, hashed]
        joined.append(row)
        number -= 1
    return joined[::-1]


def _count_lost_rows(examined: Inspection, checkpoint: Checkpoint | None) -> int:
    """Return the number of lost rows, -1 if it cannot be found.

    The checkpoint may be behind the log (its write is not synced), but never ahead of it or in
    contradiction to it.
    """
    have, _ = examined.end
    if checkpoint is None:
        return -1 if examined.wrong.startswith("the chain") or (examined.wrong and not have) else 0
    if checkpoint.row > have:
        return checkpoint.row - have
    return 0 if examined.hash_at(checkpoint.row) in (None, checkpoint.hash) else -1


def _replace(path: Path, examined: Inspection, ending: str) -> None:
    replace(_build(path, examined), path.with_name(path.name + ending))
    flush_path(path.parent)
    _finish(path, ending)


def _build(path: Path, examined: Inspection) -> Path:
    """Write a new file beside the one that it will replace, under another name."""
    building = path.with_name(path.name + ".building")
    for leftover in path.parent.glob(building.name + "*"):
        leftover.unlink()
    create_log(building, examined.rows, examined.base)
    return building


def _finish(path: Path, ending: str) -> None:
    """Put a finished new file in its place; the old file is kept with its write-ahead log."""
    good = path.with_name(path.name + ending)
    if not good.exists():
        return
    # A name whose write-ahead log alone was moved is used again.
    replaced = free_name(path.with_name(f"{path.name}.{REPLACED_AS[ending]}"))
    for suffix in ("-wal", "-journal", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            replace(part, replaced.with_name(replaced.name + suffix))
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    flush_path(path.parent)
    replace(good, path)
    flush_path(path.parent)
