"""Kill a process that writes through `Log`, at many points, and look at what is left.

`python -m tests.table.crash [--points N]` prints `acked_lost=0 duplicated=0 unopenable=0`. The writer is
killed by SIGKILL after it was heard to acknowledge an entry, each time another one and a moment later.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import IO

from companion.table.errors import StorageFailed
from companion.table.log import Log

ROOT = Path(__file__).parents[2]


def write(folder: Path) -> None:
    """The child: append entries, the number of each on stdout once it is acknowledged, until it is killed."""
    log = Log(folder)
    while True:
        number = len(log)
        log.append(f'["{number}", "{"x" * (number * 37 % 3000)}"]', seat="A", id=f"{number}", answer=f"{number}")
        print(number, flush=True)


def kill_once(folder: Path, rng: Random) -> Counter[str]:
    """Run a writer, kill it after some acknowledgements, and return what was found wrong in the folder."""
    command = [sys.executable, "-m", "tests.table.crash", "--write", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as child:
        assert child.stdout is not None
        acknowledged = _read_until(child.stdout, rng.randrange(1, 12))
        # A spin of another length each time, so that the kill falls into another part of the next entry.
        for _ in range(rng.randrange(20_000)):
            pass
        child.send_signal(signal.SIGKILL)
        acknowledged += [line for line in child.stdout.read().split("\n") if line]
    return judge(folder, [int(line) for line in acknowledged])


def _read_until(stream: IO[str], count: int) -> list[str]:
    return [stream.readline().strip() for _ in range(count)]


def judge(folder: Path, acknowledged: list[int]) -> Counter[str]:
    """Acknowledged is a part of the log, in order, once, and answers a repetition as before."""
    try:
        log = Log(folder)
    except StorageFailed:
        return Counter(unopenable=1)
    found = [int(body.split('"')[1]) for body in log.take_bodies()]
    lost = [number for number in acknowledged if log.answer("A", f"{number}") is None or number not in found]
    log.close()
    return Counter(acked_lost=len(lost) + (log.lost != 0), duplicated=len(found) - len(set(found)), unopenable=0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.write)
    rng, wrong = Random(arguments.seed), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.points):
            wrong.update(kill_once(Path(folder) / "data", rng))
    print(" ".join(f"{what}={wrong[what]}" for what in ("acked_lost", "duplicated", "unopenable")))
    return int(wrong.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
