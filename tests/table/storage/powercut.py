"""Pull the plug at many moments of a real game, and look at what is left.

`python -m tests.table.storage.powercut [--states N] [--seed N] [--sync normal]` prints how many
distinct states of the disk were opened by the real start-up code, and what was wrong; it exits with
1 if anything was. With `--sync normal` something must be: then SQLite does not sync what the table
has acknowledged.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

from tests.table.storage.disk import Call, Disk, Loss, lay_out, traced
from tests.table.storage.invariants import WRONGS, check_folder, reference

SUBMISSIONS = 40
LOSSES: tuple[Loss, ...] = ("dropped", "applied", "torn", "torn", "torn", "torn", "torn", "torn")


def cuts(
    calls: list[Call], states: int, rng: Random
) -> Iterator[tuple[dict[str, bytes], list[str]]]:
    """Yield up to `states` distinct disks after a cut, drawn evenly over the game, each with the
    entries acknowledged by then.
    """
    moments = list(product(range(len(calls) + 1), enumerate(LOSSES)))
    chosen = sorted(rng.sample(moments, min(len(moments), 2 * states)))
    wanted, hashes = len(chosen) / states, set[bytes]()
    disk, elapsed, count = Disk(), 0, 0
    for number, (moment, (_, loss)) in enumerate(chosen):
        for call in calls[elapsed:moment]:
            disk.do(call)
        elapsed = moment
        files = disk.cut(loss, rng)
        mark = hashlib.sha256(repr((sorted(files.items()), disk.output)).encode()).digest()
        if mark not in hashes and count <= number / wanted:
            hashes.add(mark)
            count += 1
            yield files, disk.output.decode().splitlines()


def run(
    folder: Path, states: int, seed: int, sync: str = "full", submissions: int = SUBMISSIONS
) -> Counter[str]:
    """Play a game of this seed in `folder`; return the counts of faults and of states."""
    source, target = folder / "source", folder / "target"
    words = [
        "tests.table.storage.writer",
        str(source),
        "--seed",
        f"{seed}",
        "--submissions",
        f"{submissions}",
        "--sync",
        sync,
    ]
    calls = traced(words, source)
    expected = reference(folder / "whole", seed, submissions)
    counts = Counter[str]()
    for files, output in cuts(calls, states, Random(seed)):
        lay_out(files, source, target)
        counts["states"] += 1
        for kind, count in check_folder(target, output, expected).items():
            counts[kind] += count > 0
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sync", choices=["full", "normal"], default="full")
    args = parser.parse_args()
    counts, seed = Counter[str](), args.seed
    while counts["states"] < args.states:
        with tempfile.TemporaryDirectory() as folder:
            counts += run(Path(folder), min(2000, args.states - counts["states"]), seed, args.sync)
        seed += 1
    print(f"states={counts['states']} " + " ".join(f"{kind}={counts[kind]}" for kind in WRONGS))
    return int(any(counts[kind] for kind in WRONGS))


if __name__ == "__main__":
    sys.exit(main())
