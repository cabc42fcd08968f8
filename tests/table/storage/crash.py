"""Let one system call of a real game fail or be its last, and look at what is left.

`python -m tests.table.storage.crash [--points N] [--error ENOSPC|EIO|EROFS]` kills (SIGKILL) or
disturbs the process at N points, drawn evenly over every write, sync, truncation, renaming, opening
and deletion of its files. It prints how many points were met, how the disturbed games ended, and
what was wrong; it exits with 1 if anything was.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.table.storage import reserve
from companion.table.storage.log import read_bodies
from tests.table.storage.disk import ROOT
from tests.table.storage.fault_injection import IDLE, PLACE
from tests.table.storage.invariants import WRONGS, check_folder, reference
from tests.table.storage.writer import DISK

CALLS = (
    "openat",
    "write",
    "pwrite64",
    "fdatasync",
    "fsync",
    "ftruncate",
    "rename",
    "unlink",
    "fallocate",
)
FILES = (
    *(
        f"table.sqlite{more}"
        for more in ("", "-wal", "-shm", ".building", ".building-wal", ".building-journal")
    ),
    *(
        "table.head",
        "table.lock",
        "keys.json",
        "keys.json.new",
        "keys.json.copy",
        "keys.json.copy.new",
        "display-code",
        "display-code.new",
    ),
    *("copies", "copies/building", "copies/building-journal", reserve.RESERVE_FILE),
)
SUBMISSIONS = 12


class Point(NamedTuple):
    """The k-th call of this name on the game's files."""

    call: str
    k: int


def strace(folder: Path, options: list[str], module: list[str]) -> None:
    """Run a module under strace, which traces only the calls on the files of the game in
    `folder`.
    """
    names = [f"{PLACE}/{name}" for name in FILES] + [IDLE, f"{IDLE}+"]
    watched = [word for name in names for word in ("-P", str(folder / name))]
    # With --seccomp-bpf strace 6.1 injects nothing where -P names paths.
    command = ["strace", "-f", "-qq", *watched, *options, sys.executable, "-m", *module]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if result.returncode:
        raise RuntimeError(result.stderr)


def points(folder: Path, seed: int) -> list[Point]:
    """Return every point of the game."""
    trace = folder / "trace"
    words = [
        "tests.table.storage.writer",
        str(folder / PLACE),
        "--seed",
        f"{seed}",
        "--submissions",
        f"{SUBMISSIONS}",
    ]
    strace(folder, ["-e", f"trace={','.join(CALLS)}", "-o", str(trace)], words)
    names = [line.split(maxsplit=1)[1].partition("(")[0] for line in trace.read_text().splitlines()]
    counts = Counter(name for name in names if name in CALLS)
    return [Point(call, k) for call in CALLS for k in range(1, counts[call] + 1)]


def disturb(
    folder: Path, seed: int, chosen: list[Point], error: str, expected: list[str]
) -> Counter[str]:
    """Disturb a game at each of some points of one call, and check the folder that is left."""
    call, last = chosen[0].call, max(point.k for point in chosen)
    folder = folder / call
    folder.mkdir()
    inject = f"inject={call}:{f'error={error}' if error else 'signal=SIGKILL'}:when={last}"
    words = [
        str(folder),
        f"{seed}",
        f"{SUBMISSIONS}",
        call,
        f"{last}",
        *(f"{point.k}" for point in chosen),
    ]
    strace(
        folder,
        ["-e", f"trace={call}", "-e", inject, "-o", "/dev/null"],
        ["tests.table.storage.fault_injection", *words],
    )
    return sum((_checked(folder, point.k, error, expected) for point in chosen), Counter[str]())


def _checked(folder: Path, k: int, error: str, expected: list[str]) -> Counter[str]:
    output = (folder / f"{k}.output").read_text().splitlines()
    status = int((folder / f"{k}.status").read_text())
    counts = check_folder(folder / f"{k}", output, expected)
    if not error:
        return counts + Counter(points=int(status == -signal.SIGKILL))
    if status not in (0, DISK):
        raise RuntimeError(f"a game ended with {status} for {error}")
    # A game that went on must have the same end.
    counts["acked_lost"] += status == 0 and read_bodies(folder / f"{k}") != expected
    return counts + Counter({"points": 1, "gave_up" if status else "went_on": 1})


def run(folder: Path, count: int, seed: int, error: str = "") -> Counter[str]:
    """Disturb the game of a seed at `count` of its points, on both cores of a small machine."""
    expected = reference(folder / "whole", seed, SUBMISSIONS)
    every = points(folder, seed)
    chosen = Random(seed).sample(every, min(count, len(every)))
    by_call = [[point for point in chosen if point.call == call] for call in CALLS]
    # The call with the most points is split into two lots of work.
    lots = [lot for points in by_call if points for lot in (points[:60], points[60:]) if lot]
    with ThreadPoolExecutor(2) as workers:
        places = [folder / f"{number}" for number in range(len(lots))]
        for place in places:
            place.mkdir()
        jobs = [
            workers.submit(disturb, place, seed, lot, error, expected)
            for place, lot in zip(places, lots, strict=True)
        ]
        return sum((job.result() for job in jobs), Counter[str]())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--error", choices=["ENOSPC", "EIO", "EROFS"], default="")
    args = parser.parse_args()
    counts, seed = Counter[str](), args.seed
    while counts["points"] < args.points:
        with tempfile.TemporaryDirectory() as folder:
            outcome = run(Path(folder), args.points - counts["points"], seed, args.error)
        if not outcome["points"]:
            raise RuntimeError("strace disturbs nothing here")
        counts, seed = counts + outcome, seed + 1
    print(" ".join(f"{kind}={counts[kind]}" for kind in ("points", "went_on", "gave_up", *WRONGS)))
    return int(any(counts[kind] for kind in WRONGS))


if __name__ == "__main__":
    sys.exit(main())
