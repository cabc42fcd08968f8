"""The firmware built with Debian's compilers, once a run.

A machine without them skips; `make test` installs them.
"""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
FIRMWARE = CHECKOUT / "firmware"


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder with the Nano's .elf and .hex."""
    needed("avr-gcc")
    build()
    return FIRMWARE / "build"


def build(*targets: str) -> None:
    """Build these targets, by default the .hex, one process at a time: each worker of a test run
    does.
    """
    with (FIRMWARE / "Makefile").open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        subprocess.run(
            ["make", "--silent", "-C", FIRMWARE, *targets], check=True, stdout=subprocess.DEVNULL
        )


def needed(program: str) -> None:
    """Skip the test if a program is not installed."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: `make check-tools`")
