"""A damaged log: the original is kept under another name, the good prefix goes on in a new file."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from companion.table.store import FIRST, Examined, Row, create, examine, sync_folder
from companion.table.witness import Witness, read

NAME = "table.sqlite"
WITNESS = "table.head"


class Opened(NamedTuple):
    """The sound rows of a data folder, and how many of the last were lost: 0 none, -1 nobody can say."""

    rows: list[Row]
    lost: int


def prepare(folder: Path) -> Opened:
    """Bring a folder into a state in which its log can be opened and appended to.

    May be killed at any point and run again. Raises `NewerSchema` and `StorageFailed`.
    """
    path = folder / NAME
    _finish(path)
    witness = read(folder / WITNESS)
    if not path.exists():
        return _start_empty(path, witness)
    examined = examine(path)
    lost = _lost(examined, witness)
    log = path.with_name(path.name + "-wal")
    evidence = log.exists() and log.stat().st_size > 0
    if not examined.wrong and not (lost and evidence):
        return Opened(examined.rows, lost)
    _replace(path, examined.rows)
    return Opened(examined.rows, lost)


def _start_empty(path: Path, witness: Witness | None) -> Opened:
    before = next(path.parent.glob(f"{path.name}.corrupt-*"), None)
    create(path)
    return Opened([], witness.row if witness else -1 if before else 0)


def _lost(examined: Examined, witness: Witness | None) -> int:
    """The witness may stand behind the log (its write was not synced) but never beyond it or beside it."""
    have = len(examined.rows)
    if witness is None:
        return -1 if examined.wrong.startswith("the chain") or (examined.wrong and not have) else 0
    if witness.row > have:
        return witness.row - have
    seen = examined.rows[witness.row - 1].hash if witness.row else FIRST
    return 0 if seen == witness.hash else -1


def _replace(path: Path, rows: list[Row]) -> None:
    building = path.with_name(path.name + ".building")
    for leftover in path.parent.glob(building.name + "*"):
        leftover.unlink()
    create(building, rows)
    building.rename(_good(path))
    sync_folder(path.parent)
    _finish(path)


def _finish(path: Path) -> None:
    """Put a finished new file in the place of the damaged one, which keeps its write-ahead log beside it."""
    good = _good(path)
    if not good.exists():
        return
    kept = _kept_name(path)
    for suffix in ("-wal", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(kept.with_name(kept.name + suffix))
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    sync_folder(path.parent)
    good.rename(path)
    sync_folder(path.parent)


def _good(path: Path) -> Path:
    return path.with_name(path.name + ".good")


def _kept_name(path: Path) -> Path:
    """The first free name; one whose file is still to follow its write-ahead log is taken up again."""
    number = 1
    while path.with_name(f"{path.name}.corrupt-{number}").exists():
        number += 1
    return path.with_name(f"{path.name}.corrupt-{number}")
