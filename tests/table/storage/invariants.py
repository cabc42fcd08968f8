"""What holds in a data folder after any fault: it opens, and holds every acknowledged entry once,
unchanged.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from companion.games import GAMES
from companion.server.auth.access import AccessControl
from companion.server.auth.keystore import KeyStore, KeysUnreadable, StoredKeys
from companion.table.entries import decode_items
from companion.table.errors import StorageFailed, UnreadableEntry
from companion.table.settings import TableSettings
from companion.table.state import TableState
from companion.table.storage import rotation
from companion.table.storage.log import Log, read_bodies
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import inspect_log
from companion.table.table import Table
from tests.helpers.simulated_clock import SimulatedClock
from tests.table.storage.writer import game

WRONGS = ("acked_lost", "duplicated", "unopenable", "bad_copy")


def reference(folder: Path, seed: int, submissions: int) -> list[str]:
    """Return the bodies of the whole game that `tests.table.storage.writer` plays, in order."""
    with game(folder, seed) as playing:
        playing.begin()
        playing.play(submissions)
    return read_bodies(folder)


def check_folder(folder: Path, output: list[str], expected: list[str]) -> Counter[str]:
    """Return the faults after a real start: acknowledged entries that are lost; entries that were
    never made, or made twice; whether the folder opens at all, and the next copy equals the log.
    `expected` is the undisturbed run of the same game.
    """
    if not output and not (folder / LOG_FILE).exists():
        return Counter()
    try:
        log = Log(folder)
    except StorageFailed:
        return Counter(unopenable=1)
    count, lost = len(log), log.lost
    try:
        table = Table(GAMES, log, SimulatedClock(), Random(1).randbytes, Random(1))
        AccessControl(folder, table, SimulatedClock(), Random(1).randbytes)
        return Counter(
            acked_lost=(lost != 0)
            + _acks_lost(log, count, folder, output)
            + _seats_lost(table, folder, output),
            duplicated=int(read_bodies(folder)[:count] != expected[:count]),
            bad_copy=int(not _is_copied(log, folder)),
        )
    except (KeysUnreadable, UnreadableEntry):
        return Counter(unopenable=1)
    finally:
        log.close()


def _is_copied(log: Log, folder: Path) -> bool:
    log.copy(whole=False)
    newest = inspect_log(rotation.copy_paths(folder)[0])
    return not newest.wrong and newest.rows == inspect_log(folder / LOG_FILE).rows


def _acks_lost(log: Log, count: int, folder: Path, output: list[str]) -> int:
    heads = _heads(read_bodies(folder)[:count])
    lost = 0
    for line in output:
        if line.startswith("ACK"):
            _, entries, seat, id, receipt, position, head = line.split()
            stored = log.answer(seat, id)
            kept = count >= int(entries) and stored is not None and stored.text == receipt
            lost += not (kept and heads.get(int(position)) == head)
    return lost


def _heads(bodies: list[str]) -> dict[int, str]:
    table = TableState(GAMES, TableSettings())
    heads = dict(table.public_log.heads)
    for body in bodies:
        for item in decode_items(body):
            table.apply(item)
        heads |= table.public_log.heads
    return heads


def _seats_lost(table: Table, folder: Path, output: list[str]) -> int:
    """A phone whose seat was acknowledged has it, and the PIN that restores it."""
    pins = KeyStore(folder, StoredKeys("", "")).keys.pins
    keys = [line.split()[1] for line in output if line.startswith("SEAT")]
    return sum(table.seats.seat_of(key) is None or key not in pins for key in keys)
