"""Builds the firmware, one process after the other: each worker of a test run asks for it."""

from __future__ import annotations

import fcntl
import subprocess
from pathlib import Path


def build(firmware: Path, *targets: str) -> None:
    """Make these targets, all that are usual if none is named.

    Raise `CalledProcessError` if they cannot be made.
    """
    with (firmware / "Makefile").open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        subprocess.run(
            ["make", "--silent", "-C", firmware, *targets], check=True, stdout=subprocess.DEVNULL
        )
