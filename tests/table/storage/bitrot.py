"""Flip bytes of a log's files one at a time: each flip must be detected or harmless, the damaged
file kept.

`python -m tests.table.storage.bitrot [--every-byte] [--seed N]` prints what became of the flips.
"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from companion.table.errors import NewerSchema, StorageFailed
from companion.table.storage.log import Log, RequestId
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.rotation import copy_paths
from companion.table.storage.store import inspect_log
from tests.helpers.ramdisk import in_memory

PAGE_BYTES = 4096
FILES = (LOG_FILE, LOG_FILE + "-wal", "table.head")


def make(folder: Path, entries: int = 30) -> list[str]:
    """Write a log of which the last third is still in the write-ahead log, as after a kill; return
    its bodies.
    """
    running = folder.with_name(folder.name + "-running")
    bodies = [f'["entry {number}", "{"x" * (17 * number % 400)}"]' for number in range(entries)]
    for part in (bodies[: entries * 2 // 3], bodies[entries * 2 // 3 :]):
        log = Log(running)
        for number, body in enumerate(part):
            log.append(body, RequestId("A", f"{len(part)}-{number}", "d"), "7")
        if part[-1] == bodies[-1]:
            shutil.copytree(running, folder, ignore=shutil.ignore_patterns("*-shm"))
        log.close()
    return bodies


def flip(source: Path, target: Path, name: str, offset: int, mask: int, bodies: list[str]) -> str:
    """Open a copy with one byte changed; return the outcome, raise AssertionError if it was
    silent.
    """
    shutil.copytree(source, target)
    damaged = bytearray((source / name).read_bytes())
    damaged[offset] ^= mask
    (target / name).write_bytes(damaged)
    try:
        log = Log(target)
    except (NewerSchema, StorageFailed):
        assert damaged == (target / name).read_bytes(), "a refused file was changed"
        return "refused"
    recovered = list(log.pop_bodies())
    log.close()
    kept = list(target.glob(f"{LOG_FILE}.corrupt-*"))
    if name != "table.head" and kept:
        original = next(
            path for path in kept if path.name.endswith("-wal") == name.endswith("-wal")
        )
        assert damaged == original.read_bytes(), "the damaged file was not kept as it was"
    if recovered == bodies:
        return "rebuilt" if kept else "harmless"
    assert bodies[: len(recovered)] == recovered, "a changed entry was accepted"
    assert log.lost != 0 and kept, f"{len(bodies) - len(recovered)} entries were lost silently"
    assert log.lost in (-1, len(bodies) - len(recovered)), "the loss was counted wrongly"
    return "output"


def make_copied(folder: Path) -> list[str]:
    """Write a log of 25 entries whose newest copy has 22; return its bodies."""
    bodies = [f'["entry {number}", "{"x" * (17 * number % 400)}"]' for number in range(25)]
    log = Log(folder)
    for number, body in enumerate(bodies, start=1):
        log.append(body, RequestId("A", f"{number}", "d"), "7")
        if number in (10, 16, 22):
            log.copy()
    log.close()
    return bodies


def change_letter(folder: Path, rng: Random) -> None:
    """Change a letter in a row of the log that a copy has too."""
    path = folder / LOG_FILE
    row = rng.choice(inspect_log(path).rows[:22])
    values = "".join(row[1:]).encode()
    raw = bytearray(path.read_bytes())
    offset = raw.index(values) + rng.randrange(len(values))
    raw[offset] = rng.choice([letter for letter in b"0123456789abcXYZ" if letter != raw[offset]])
    path.write_bytes(raw)


def damage_sector(folder: Path, rng: Random) -> None:
    """Overwrite one sector of the log, behind its header, by zeros, ones or random bytes."""
    path = folder / LOG_FILE
    raw = bytearray(path.read_bytes())
    start = 512 * rng.randrange(1, len(raw) // 512)
    raw[start : start + 512] = rng.choice((bytes(512), b"\xff" * 512, rng.randbytes(512)))
    path.write_bytes(raw)


def swap_pages(folder: Path, rng: Random) -> None:
    """Exchange two pages of the log, but not the first."""
    path = folder / LOG_FILE
    raw = path.read_bytes()
    pages = [raw[start : start + PAGE_BYTES] for start in range(0, len(raw), PAGE_BYTES)]
    one, other = rng.sample(range(1, len(pages)), 2)
    pages[one], pages[other] = pages[other], pages[one]
    path.write_bytes(b"".join(pages))


def rot_copy(folder: Path, rng: Random) -> None:
    """Change a letter in the log, and overwrite a sector of each copy."""
    change_letter(folder, rng)
    for copy in copy_paths(folder):
        raw = bytearray(copy.read_bytes())
        start = 512 * rng.randrange(len(raw) // 512)
        raw[start : start + 512] = rng.randbytes(512)
        copy.write_bytes(raw)


def readable_bodies(folder: Path) -> set[str]:
    """Return the bodies that SQLite can still read from the log or a copy, by any way."""
    readable = set()
    for path in (folder / LOG_FILE, *copy_paths(folder)):
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            for which in ("", *(f" WHERE row = {number}" for number in range(1, 26))):
                with suppress(sqlite3.Error, UnicodeDecodeError):
                    for (body,) in database.execute(f"SELECT body FROM entries{which}"):
                        readable.add(body)
    return readable


def flips(folder: Path, places: Iterable[tuple[str, int, int]] | None = None) -> Counter[str]:
    """Return the counts of outcomes over all flips; every byte once unless `places` are named."""
    source = folder / "source"
    bodies = make(source)
    chosen = places or [
        (name, offset, 1 << offset % 8)
        for name in FILES
        for offset in range((source / name).stat().st_size)
    ]
    counts: Counter[str] = Counter()
    for name, offset, mask in chosen:
        target = folder / "target"
        counts[
            flip(source, target, name, offset % (source / name).stat().st_size, mask, bodies)
        ] += 1
        shutil.rmtree(target)
    return counts


def sample(seed: int, count: int) -> list[tuple[str, int, int]]:
    """Return places to flip: the database's whole header and `count` others."""
    rng = Random(seed)
    headers = [(name, offset, 1 << rng.randrange(8)) for name in FILES[:2] for offset in range(100)]
    return headers + [
        (rng.choice(FILES), rng.randrange(1 << 30), 1 << rng.randrange(8)) for _ in range(count)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every-byte", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with in_memory() as folder:
        places = None if arguments.every_byte else sample(arguments.seed, 2000)
        print(
            " ".join(
                f"{outcome}={count}"
                for outcome, count in sorted(flips(Path(folder), places).items())
            )
        )


if __name__ == "__main__":
    main()
