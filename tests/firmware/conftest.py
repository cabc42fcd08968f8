"""The firmware built with Debian's compilers, once a run. A machine without them skips; `make test` installs them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
FIRMWARE = CHECKOUT / "firmware"


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder with both boards' .elf and .hex."""
    needed("avr-gcc")
    subprocess.run(["make", "--silent", "-C", FIRMWARE], check=True, stdout=subprocess.DEVNULL)
    return FIRMWARE / "build"


def needed(program: str) -> None:
    """Skip the test where a program is not installed."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: `make check-tools`")
