"""Build the firmware, one process at a time: each worker of a test run does."""

from __future__ import annotations

import fcntl
import subprocess
from pathlib import Path


def build(firmware: Path, *targets: str) -> None:
    """Build these targets, by default all usual ones.

    Raise `CalledProcessError` if that fails.
    """
    with (firmware / "Makefile").open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        subprocess.run(
            ["make", "--silent", "-C", firmware, *targets], check=True, stdout=subprocess.DEVNULL
        )
