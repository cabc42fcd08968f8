"""Apply a kept list of one-line faults, one at a time, and print how many the tests find.

`python -m tools.mutants` needs half an hour on two cores; `--room web` takes one room's faults.

Each process has a copy of the checkout. First all named tests pass there without a fault; then
each fault meets its own tests, the quick ones first. Returns 1 if fewer than 95 % of the faults
are found, and 2 if the list does not fit the checkout or a test fails by itself.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from msgspec import Struct, convert

CHECKOUT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("faults.toml")
LEAST_SHARE = 0.95
TIME_LIMIT = 900.0
"""Seconds for one fault's tests, on a machine that has other work too."""
PROVIDED = (".venv", "node_modules", "tests/browser/node_modules")
"""Folders that the tests need and git does not keep."""


class Fault(Struct, frozen=True, forbid_unknown_fields=True):
    """A realistic fault: `file` has `new` in place of `old`; `tests` meet it first."""

    room: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {_line(self.old)} -> {_line(self.new)}"


class ListRefused(Exception):
    """The list does not fit the checkout, or its tests fail without a fault."""


def read_faults(path: Path = LIST) -> list[Fault]:
    """Return the faults of a list."""
    return convert(tomllib.loads(path.read_text(encoding="utf-8"))["fault"], list[Fault])


def list_errors(faults: Iterable[Fault], checkout: Path = CHECKOUT) -> list[str]:
    """Return a sentence for each text that is not there exactly once, and each missing test."""
    errors = []
    for fault in faults:
        path = checkout / fault.file
        count = path.read_text(encoding="utf-8").count(fault.old) if path.is_file() else 0
        if count != 1:
            errors.append(f"{fault.file} has {_line(fault.old)!r} {count} times, not once")
        missing = (test for test in fault.tests if not (checkout / test.split("::")[0]).exists())
        errors += [f"{fault.file}: there is no {test}" for test in missing]
    return errors


def copy_checkout(target: Path, checkout: Path = CHECKOUT) -> None:
    """Copy the files that git knows, as they are now; link what it does not keep."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=checkout, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        source, copy = checkout / name, target / name
        if source.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
    for name in PROVIDED:
        if (checkout / name).is_dir():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).symlink_to(checkout / name)


def tests_fail(copy: Path, tests: Sequence[str], limit: float = TIME_LIMIT) -> str:
    """Return the end of the output of tests that fail in a copy, "" if all pass.

    Tests that cannot run, or do not end within `limit` seconds, are no find: `ListRefused`.
    """
    pages = [test for test in tests if test.endswith(".mjs")]
    python = [test for test in tests if test not in pages]
    commands = []
    if python:
        options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "tools.mutants.quick_first"]
        options += ["-m", "not soak"]
        commands.append([sys.executable, "-m", "pytest", *options, *python])
    if pages:
        commands.append(["node", "--test", *pages])
    # A skipped test would let every fault pass: in CI it fails.
    environment = {**os.environ, "PYTHONPATH": str(copy), "CI": "true"}
    for command in commands:
        try:
            done = subprocess.run(
                command, cwd=copy, env=environment, capture_output=True, text=True, timeout=limit
            )
        except subprocess.TimeoutExpired as late:
            raise ListRefused(f"{command}: not at the end after {limit:.0f} s") from late
        if done.returncode not in (0, 1):
            raise ListRefused(f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        if done.returncode:
            return done.stdout[-2000:]
    return ""


def is_found(copy: Path, fault: Fault) -> bool:
    """Return whether the tests of a fault fail with it; the copy is then as before."""
    path = copy / fault.file
    text = path.read_text(encoding="utf-8")
    if text.count(fault.old) != 1:
        raise ListRefused(f"{fault.file} has {_line(fault.old)!r} {text.count(fault.old)} times")
    try:
        _write(path, text.replace(fault.old, fault.new))
        return bool(tests_fail(copy, fault.tests))
    finally:
        _write(path, text)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    if path.suffix == ".py":
        # A file of the same size and second would count as compiled.
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def _line(text: str) -> str:
    return " ".join(text.split())


def run(faults: Sequence[Fault], processes: int) -> Counter[tuple[str, bool]]:
    """Meet the faults in as many copies as processes; return counts by room and by whether the
    tests found them.
    """
    counts = Counter[tuple[str, bool]]()
    with TemporaryDirectory(prefix="mutants-") as folder:
        copies = SimpleQueue[Path]()
        for number in range(processes):
            copy_checkout(Path(folder) / str(number))
            copies.put(Path(folder) / str(number))

        def without_fault(tests: Sequence[str]) -> None:
            copy = copies.get()
            try:
                if wrong := tests_fail(copy, tests, processes * len(tests) * TIME_LIMIT):
                    raise ListRefused(f"tests fail without a fault:\n{wrong}")
            finally:
                copies.put(copy)

        def meet(fault: Fault) -> tuple[Fault, bool, float]:
            copy, started = copies.get(), time.monotonic()
            try:
                return fault, is_found(copy, fault), time.monotonic() - started
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(processes) as pool:
            named = sorted({test for fault in faults for test in fault.tests})
            list(pool.map(without_fault, filter(None, (named[::2], named[1::2]))))
            for fault, found, seconds in pool.map(meet, faults):
                verdict = "found" if found else "SURVIVES"
                print(f"{verdict:8} {seconds:5.1f} s  {fault}", flush=True)
                counts[fault.room, found] += 1
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--room", help="only the faults of this room")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    started = time.monotonic()
    faults = [each for each in read_faults() if args.room in (None, each.room)]
    try:
        if errors := list_errors(faults):
            raise ListRefused("\n".join(errors))
        counts = run(faults, args.processes)
    except ListRefused as refused:
        print(refused, file=sys.stderr)
        return 2
    for room in dict.fromkeys(each.room for each in faults):
        found, survivors = counts[room, True], counts[room, False]
        print(f"{room}: {found} of {found + survivors}")
    found = sum(count for (_, is_one), count in counts.items() if is_one)
    share = found / max(1, len(faults))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"found: {found} of {len(faults)}, {share:.1%}, in {time.monotonic() - started:.0f} s, "
        f"{used.ru_utime + used.ru_stime:.0f} s of the processor"
    )
    return 0 if share >= LEAST_SHARE else 1


if __name__ == "__main__":
    raise SystemExit(main())
