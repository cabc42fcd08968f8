"""Fixtures: the firmware's emulator, built once a run; skip without the compilers."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.sim.emulator import BUILD, Emulator
from tests.emulator.firmware_wire import FirmwareWire
from tests.firmware.building import build

_MOST_STACK = {"presence": 200, "identity": 300}
"""Bytes of stack that no test may exceed; the presence board has 864 left, the identity board
3,963.
"""
_NEEDED = (Path("/usr/lib/avr/include/avr/io.h"), Path("/usr/include/simavr/sim_avr.h"))


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder with both boards' .elf files and emulators."""
    if (
        shutil.which("avr-gcc") is None
        or shutil.which("gcc") is None
        or not all(path.exists() for path in _NEEDED)
    ):
        pytest.skip("avr-gcc, gcc or simavr is not installed: `make check-tools`")
    build(BUILD.parent, "emulator")
    return BUILD


@pytest.fixture
def make_board(built: Path) -> Iterator[Callable[..., FirmwareWire]]:
    """Return a function that makes wires to emulated boards; fail on an electrical violation."""
    wires: list[FirmwareWire] = []

    def make(*arguments: Any, **options: Any) -> FirmwareWire:
        wires.append(FirmwareWire(*arguments, **options))
        return wires[-1]

    with ExitStack() as closing:
        yield make
        for board in wires:
            closing.callback(board.close)
        for board in wires:
            sound(board.emulator, board.board.kind)


def sound(emulator: Emulator, kind: str) -> None:
    """Fail if the firmware caused an electrical violation, or nearly ran out of memory."""
    assert "" == emulator.violations()
    stack = int(emulator.ask("memory").partition("stack=")[2])
    assert _MOST_STACK[kind] >= stack
