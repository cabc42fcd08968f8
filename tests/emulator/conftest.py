"""Fixtures: the firmware's emulator, built once a run; skip without the compilers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.emulator.nano import Nano
from tests.firmware.conftest import build
from tools.emulator import BUILD, Emulator

_MOST_STACK = 128
"""Bytes of stack that no test may exceed; the firmware leaves 1,569 of 2,048."""
_NEEDED = (Path("/usr/lib/avr/include/avr/io.h"), Path("/usr/include/simavr/sim_avr.h"))


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder with the firmware and its emulator."""
    if not (shutil.which("avr-gcc") and shutil.which("gcc") and all(p.exists() for p in _NEEDED)):
        pytest.skip("avr-gcc, gcc or simavr is not installed: `make check-tools`")
    build("emulator")
    return BUILD


@pytest.fixture(scope="module")
def _running(built: Path) -> Iterator[Nano]:
    nano = Nano()
    yield nano
    nano.emulator.close()


@pytest.fixture
def nano(_running: Nano) -> Iterator[Nano]:
    """A running board with nothing on it: one for all tests of a module."""
    _running.rest()
    yield _running
    sound(_running.emulator)


def sound(emulator: Emulator) -> None:
    """Fail if the firmware did what would fail on a real board, or nearly ran out of memory."""
    assert "" == emulator.violations()
    assert _MOST_STACK >= int(emulator.ask("state").partition("stack=")[2])
