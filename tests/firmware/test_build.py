"""The Nano's firmware is built without a warning, leaves room for its stack, and is the one that
the package brings.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

import pytest

from firmware import generate
from tests.firmware.conftest import CHECKOUT, FIRMWARE, needed

RAM, STACK = 2048, 256
"""Bytes of the controller, and those that must be free; the emulator's tests measure what is used.
"""
FILES = generate.outputs()


def test_ram_leaves_room_for_the_stack_and_the_report_says_so(built: Path) -> None:
    """`make firmware` prints size and SHA-256 of the .hex; what the compiler lays out leaves the
    stack its share.
    """
    report = make("report")

    sizes = re.search(
        rf"^presence flash +\d+ bytes, ram +(\d+) of {RAM} bytes$", report, re.MULTILINE
    )
    assert sizes and RAM >= int(sizes[1]) + STACK
    assert hashlib.sha256((built / "presence.hex").read_bytes()).hexdigest() in report


def test_a_build_elsewhere_is_the_same(built: Path, tmp_path: Path) -> None:
    """The .hex depends on the source alone, not on the folder or the time."""
    needed("avr-gcc")
    subprocess.run(["cp", "-r", FIRMWARE, tmp_path / "copy"], check=True)
    subprocess.run(
        ["make", "--silent", "-C", tmp_path / "copy", "clean", "report"],
        check=True,
        stdout=subprocess.DEVNULL,
    )

    copy = tmp_path / "copy" / "build" / "presence.hex"
    assert (built / "presence.hex").read_bytes() == copy.read_bytes()


def test_what_is_shipped_is_what_is_built(built: Path) -> None:
    """The package's .hex is built from this source: byte by byte where the compiler is the one
    that built it, elsewhere by the digest of the source that was written with it.
    """
    compiler, digest = make("source").splitlines()
    shipped_compiler, shipped_digest = (FIRMWARE / "shipped.txt").read_text().splitlines()

    assert shipped_digest == digest, "make -C firmware ship"
    if shipped_compiler == compiler:
        shipped = CHECKOUT / "companion" / "flash" / "presence.hex"
        assert (built / shipped.name).read_bytes() == shipped.read_bytes(), "make -C firmware ship"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_generated_files_are_fresh(path: Path) -> None:
    """Pins and version equal what pins.toml says now."""
    assert FILES[path] == path.read_text(encoding="utf-8"), "run `python firmware/generate.py`"


def test_a_pin_that_is_used_twice_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two signals on one pin stop the generation."""
    text = generate.SOURCE.read_text(encoding="utf-8")
    (tmp_path / "pins.toml").write_text(text.replace('"PB2"', '"PB3"', 1), encoding="utf-8")
    monkeypatch.setattr(generate, "SOURCE", tmp_path / "pins.toml")

    with pytest.raises(generate.PinsError, match="a pin of presence is used twice"):
        generate.read_pins()


def make(target: str) -> str:
    """Return the output of a target."""
    return subprocess.run(
        ["make", "--silent", "-C", FIRMWARE, target], capture_output=True, text=True, check=True
    ).stdout
