"""The firmware built with Debian's compilers, once a run.

A machine without them skips; `make test` installs them.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.firmware.building import build

CHECKOUT = Path(__file__).resolve().parents[2]
FIRMWARE = CHECKOUT / "firmware"


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder with both boards' .elf and .hex."""
    needed("avr-gcc")
    build(FIRMWARE)
    return FIRMWARE / "build"


def needed(program: str) -> None:
    """Skip the test if a program is not installed."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: `make check-tools`")
