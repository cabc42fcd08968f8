"""Mend a damaged log before it is opened, from its sound rows or from a copy.

The original is always kept under another name.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from companion.table.storage import rotation
from companion.table.storage.checkpoint import Checkpoint, read_checkpoint
from companion.table.storage.store import (
    FIRST_HASH,
    Inspection,
    LogRow,
    create_log,
    fsync_path,
    inspect_log,
    row_hash,
)

LOG_FILE = "table.sqlite"
CHECKPOINT_FILE = "table.head"
REPLACED_AS = {".good": "corrupt", ".folded": "unread"}
"""What a finished new file is called before it takes its place, and what the one before it is
called afterwards.
"""


class OpenedLog(NamedTuple):
    """What of a data folder is sound, and how many of its last rows were lost: 0 none, -1 nobody
    can say.
    """

    examined: Inspection
    lost: int


def recover(folder: Path) -> OpenedLog:
    """Bring a folder into a state in which its log can be opened and appended to.

    May be killed at any point and run again. Raises `NewerSchema`, `StorageFailed` and OSError.
    """
    path = folder / LOG_FILE
    for ending in REPLACED_AS:
        _finish(path, ending)
    witness = read_checkpoint(folder / CHECKPOINT_FILE)
    if not path.exists():
        return _start_without(path, witness)
    examined = inspect_log(path)
    if examined.wrong or _lost(examined, witness):
        return _mend(path, examined, witness)
    return OpenedLog(examined, 0)


def leave_out(folder: Path, places: Collection[int]) -> Inspection:
    """Write a log anew without some of its bodies, named by their places (from 0) in
    `Inspection.bodies`; the file as it was is kept under another name.
    Nobody may have the log open.
    Raises `StorageFailed`, sqlite3.Error and OSError.
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
    # It would name a row that is no longer there.
    (folder / CHECKPOINT_FILE).unlink(missing_ok=True)
    after = Inspection(rows, "", base)
    _replace(path, after, ".folded")
    return after


def _start_without(path: Path, witness: Checkpoint | None) -> OpenedLog:
    """Begin without a file; a folder that had one, by its witness or its copies, is not silently a
    new one.
    """
    before = next(path.parent.glob(f"{path.name}.corrupt-*"), None)
    nothing = Inspection([], "")
    found = _best(path.parent, nothing, witness)
    _build(path, found).rename(path)
    fsync_path(path.parent)
    if found is nothing:
        return OpenedLog(nothing, witness.row if witness else -1 if before else 0)
    return OpenedLog(found, _lost(found, witness) if witness else -1)


def _mend(path: Path, examined: Inspection, witness: Checkpoint | None) -> OpenedLog:
    """Go on with what reaches furthest; a file that is sound and only ends too early is gone on
    with as it is.
    """
    found = _best(path.parent, examined, witness)
    log = path.with_name(path.name + "-wal")
    evidence = log.exists() and log.stat().st_size > 0
    if examined.wrong or evidence or found is not examined:
        _replace(path, found, ".good")
    # What is wrong with the file says whether rows may be missing that no witness names.
    return OpenedLog(found, _lost(found._replace(wrong=examined.wrong), witness))


def _best(folder: Path, examined: Inspection, witness: Checkpoint | None) -> Inspection:
    """Return what reaches furthest: what is sound of the log itself, or a copy that goes on where
    it breaks.
    """
    candidates = [
        copy for path in rotation.copy_paths(folder) if not (copy := inspect_log(path)).wrong
    ]
    fitting = [
        copy
        for copy in candidates
        if _fits(copy, examined) and not (witness and _contradicts(copy, witness))
    ]
    return max([examined, *fitting], key=lambda each: each.end[0])


def _fits(copy: Inspection, examined: Inspection) -> bool:
    row, hashed = examined.end
    return examined.end == (0, FIRST_HASH) or copy.hash_at(row) in (None, hashed)


def _contradicts(copy: Inspection, witness: Checkpoint) -> bool:
    return copy.hash_at(witness.row) not in (None, witness.hash)


def _lost(examined: Inspection, witness: Checkpoint | None) -> int:
    """The witness may stand behind the log (its write was not synced) but never beyond it or beside
    it.
    """
    have, _ = examined.end
    if witness is None:
        return -1 if examined.wrong.startswith("the chain") or (examined.wrong and not have) else 0
    if witness.row > have:
        return witness.row - have
    return 0 if examined.hash_at(witness.row) in (None, witness.hash) else -1


def _replace(path: Path, examined: Inspection, ending: str) -> None:
    _build(path, examined).rename(path.with_name(path.name + ending))
    fsync_path(path.parent)
    _finish(path, ending)


def _build(path: Path, examined: Inspection) -> Path:
    """Write a new file beside the one that it will replace: until it is whole it has another
    name.
    """
    building = path.with_name(path.name + ".building")
    for leftover in path.parent.glob(building.name + "*"):
        leftover.unlink()
    create_log(building, examined.rows, examined.base)
    return building


def _finish(path: Path, ending: str) -> None:
    """Put a finished new file in the place of the one before, which keeps its write-ahead log
    beside it.
    """
    good = path.with_name(path.name + ending)
    if not good.exists():
        return
    kept = _kept_name(path, REPLACED_AS[ending])
    for suffix in ("-wal", "-journal", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(kept.with_name(kept.name + suffix))
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    fsync_path(path.parent)
    good.rename(path)
    fsync_path(path.parent)


def _kept_name(path: Path, what: str) -> Path:
    """The first free name; one whose file is still to follow its write-ahead log is taken up
    again.
    """
    number = 1
    while path.with_name(f"{path.name}.{what}-{number}").exists():
        number += 1
    return path.with_name(f"{path.name}.{what}-{number}")
