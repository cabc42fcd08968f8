"""Flip bytes of a log's files one at a time: each flip must be detected or harmless, the damaged
file kept.

`python -m tests.table.storage.bitrot [--every-byte] [--seed N]` prints what became of the flips.
"""

from __future__ import annotations

import argparse
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random

from companion.table.errors import NewerSchema, StorageFailed
from companion.table.storage.log import Log, RequestId
from companion.table.storage.recovery import LOG_FILE
from tests.helpers.ramdisk import in_memory

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
