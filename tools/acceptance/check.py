"""One promise, the program that tests it, and its line in the report."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]
TIMEOUT, LONG_PATIENCE = 7200, 86400
"""Seconds that a program may take, and one of a long run: thousands of twin evenings take hours."""


class Check(Struct, frozen=True):
    """`number` is that of the acceptance checks. `words` are the arguments of Python; the program
    must end with `status` and its last line is the figure. FOLDER in them stands for a new folder.
    `soak` are the words for a long run, if there is one.
    """

    number: str
    what: str
    words: Sequence[str]
    soak: Sequence[str] | None = None
    status: int = 0
    says: str = ""
    """What the figure must contain, where the last line is not the figure."""
    only_long: bool = False
    """Whether it runs in a long run alone: it takes half an hour."""
    mounts: bool = False
    """Whether it mounts disks of its own, as root over nothing but them."""

    def run(self, *, long: bool) -> Reported:
        """Run the program to its end."""
        words = self.soak if long and self.soak else self.words
        own = ["unshare", "-Urm"] if self.mounts else []
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="trust-", ignore_cleanup_errors=True) as folder:
            command = [*own, sys.executable, *(word.replace("FOLDER", folder) for word in words)]
            timeout = LONG_PATIENCE if long else TIMEOUT
            try:
                result = subprocess.run(
                    command, capture_output=True, text=True, cwd=ROOT, timeout=timeout, check=False
                )
            except subprocess.TimeoutExpired:
                return Reported(self, kept=False, figure="not at its end yet", seconds=timeout)
        lines = result.stdout.strip().splitlines() or result.stderr.strip().splitlines()
        matching = [line.strip() for line in lines if self.says in line]
        kept = result.returncode == self.status and bool(matching)
        return Reported(self, kept, (matching or lines or [""])[-1], time.monotonic() - started)


class Reported(Struct, frozen=True):
    """The result of a check."""

    check: Check
    kept: bool
    figure: str
    seconds: float

    def line(self) -> str:
        """Return the result as one line of a table."""
        mark = "ok  " if self.kept else "NOT "
        return (
            f"{mark} {self.check.number:>4}  {self.check.what:<58} {self.figure}  "
            f"({self.seconds:.0f} s)"
        )
