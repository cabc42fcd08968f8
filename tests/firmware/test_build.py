"""Both boards' firmware is built from one source, without a warning, and leaves room for its
stack.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

import pytest

from tests.firmware.conftest import CHECKOUT, FIRMWARE, needed

RAM = {"presence": 2048, "identity": 8192}
STACK = 256
"""Bytes that must be free beside what the compiler lays out; the emulator's tests measure what is
used.
"""


@pytest.mark.parametrize("board", RAM)
def test_ram_leaves_room_for_the_stack(built: Path, board: str) -> None:
    """Data laid out by the compiler and the stack's share fit into the controller's memory."""
    sizes = subprocess.run(
        ["avr-size", built / f"{board}.elf"], capture_output=True, text=True, check=True
    ).stdout
    _, data, bss = (int(size) for size in sizes.splitlines()[1].split()[:3])

    assert RAM[board] >= data + bss + STACK


def test_report_names_size_and_hash(built: Path) -> None:
    """`make firmware` prints the size and the SHA-256 of each .hex."""
    output = subprocess.run(
        ["make", "--silent", "-C", FIRMWARE], capture_output=True, text=True, check=True
    ).stdout

    for board in RAM:
        assert re.search(
            rf"^{board}\s+flash\s+\d+ bytes, ram\s+\d+ of {RAM[board]} bytes$", output, re.MULTILINE
        )
        assert (
            f"{hashlib.sha256((built / f'{board}.hex').read_bytes()).hexdigest()}  {board}.hex"
            in output
        )


def test_a_build_elsewhere_is_the_same(built: Path, tmp_path: Path) -> None:
    """The .hex depends on the source alone, not on the folder or the time: a published file can be
    built again.
    """
    needed("avr-gcc")
    subprocess.run(["cp", "-r", FIRMWARE, tmp_path / "copy"], check=True)
    subprocess.run(
        ["make", "--silent", "-C", tmp_path / "copy", "clean", "report"],
        check=True,
        stdout=subprocess.DEVNULL,
    )

    for board in RAM:
        assert (built / f"{board}.hex").read_bytes() == (
            tmp_path / "copy" / "build" / f"{board}.hex"
        ).read_bytes()


def test_what_is_shipped_is_what_is_built(built: Path) -> None:
    """The .hex files in the package are built from this source: byte by byte where the compiler is
    the one that built them, elsewhere by the digest of the source that was written with them.
    """
    output = subprocess.run(
        ["make", "--silent", "-C", FIRMWARE, "source"], capture_output=True, text=True, check=True
    ).stdout
    compiler, digest = output.splitlines()
    shipped_compiler, shipped_digest = (FIRMWARE / "shipped.txt").read_text().splitlines()

    assert shipped_digest == digest, "make -C firmware ship"
    for board in RAM if shipped_compiler == compiler else ():
        shipped = CHECKOUT / "companion" / "flash" / f"{board}.hex"
        assert (built / shipped.name).read_bytes() == shipped.read_bytes(), "make -C firmware ship"
