"""`companion flash` against a module that follows its bootloader's application note."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.flash import bootloader
from companion.flash.bootloader import BOOTLOADERS, FlashError
from companion.flash.flasher import HEX_FILE, PluggedBoard, choose_port
from companion.sensors.serial.firmware_version import FIRMWARE, NANO
from companion.sensors.serial.lines import Greeting
from tests.flash.bootloaders import Chip, Firmware, Module, Stk500v1, image_of

PLUG = Callable[..., Module]
MEGA = b"\x1e\x98\x01"


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PLUG]:
    """Plug in modules. Needs avrdude."""
    if shutil.which("avrdude") is None:
        pytest.skip("avrdude is not installed: `make check-tools`")
    monkeypatch.setattr(bootloader, "ASK_SECONDS", 2.0)
    monkeypatch.setattr("companion.flash.board_client.ANSWER", 0.2)
    monkeypatch.setattr("companion.flash.board_client.TRIES", 2)
    with ExitStack() as closing:

        def make(speed: int, firmware: Firmware, chip: Chip | None = None) -> Module:
            loader, image = Stk500v1(chip or Chip()), image_of(HEX_FILE)
            return closing.enter_context(Module(tmp_path / "port", loader, speed, image, firmware))

        yield make


def flash(module: Module) -> Result:
    return CliRunner().invoke(main, ["flash", "--port", str(module.path)])


@pytest.mark.parametrize(("speed", "version"), [(115_200, ""), (57_600, "1.9")])
def test_a_board_is_flashed(plug: PLUG, speed: int, version: str) -> None:
    """New, or with an older version, which is shown: its bootloader is found at either speed, and
    the flash equals the .hex. Neither EEPROM nor fuses are written through the bootloader.
    """
    module = plug(speed, Firmware(version))

    result = flash(module)

    assert 0 == result.exit_code, result.output
    assert f"bootloader at {speed:,} baud" + (version and f", now {version}") in result.output
    assert f"firmware {FIRMWARE}" in result.output
    chip, image = module.loader.chip, image_of(HEX_FILE)
    assert (image, 0, 0) == (bytes(chip.flash[: len(image)]), chip.eeprom_writes, chip.fuse_writes)


@pytest.mark.parametrize(
    ("chip", "firmware", "words"),
    [
        (Chip(MEGA), Firmware(), "No bootloader answers"),
        (Chip(), Firmware("1.0", "pico"), "a firmware of its own, which is left alone"),
    ],
)
def test_another_board_is_left_alone(
    plug: PLUG, chip: Chip, firmware: Firmware, words: str
) -> None:
    """A module with another chip, or a board that says it is another one, is not written."""
    module = plug(115_200, firmware, chip)

    result = flash(module)

    assert 1 == result.exit_code
    assert words in result.output
    assert {0xFF} == set(module.loader.chip.flash)


def test_flash_that_does_not_read_back_is_reported(plug: PLUG) -> None:
    """A flash cell that cannot be written ends the command with the advice to repeat it."""

    class Worn(Chip):
        def write(self, at: int, data: bytes) -> None:
            super().write(at, data)
            self.flash[256] = 0x00

    result = flash(plug(115_200, Firmware(), Worn()))

    assert 1 == result.exit_code
    assert "was not flashed whole" in result.output


def test_a_firmware_that_does_not_start_is_reported(plug: PLUG) -> None:
    """Written and compared, but silent: the command does not report success."""
    module = plug(115_200, Firmware())
    module._image = b"another"

    result = flash(module)

    assert 1 == result.exit_code
    assert "no board answers there" in result.output


def test_avrdude_is_named_where_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without avrdude the command prints how to install it."""
    monkeypatch.setattr(bootloader, "PROGRAM", str(tmp_path / "absent"))

    with pytest.raises(FlashError, match="sudo apt install avrdude"):
        bootloader.find_bootloader("/dev/null")


def test_no_command_names_another_memory_than_flash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Optiboot takes a write of EEPROM for one of flash, so no such write is ever sent."""
    output, program = tmp_path / "output", tmp_path / "avrdude"
    program.write_text(f'#!/bin/sh\necho "$@" >> {output}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(bootloader, "PROGRAM", str(program))

    for loader in BOOTLOADERS:
        bootloader.find_bootloader("/dev/x")
        bootloader.write_flash("/dev/x", loader, HEX_FILE)

    lines = output.read_text().splitlines()
    writes = [word for line in lines for word in line.split() if ":w:" in word]
    assert len(BOOTLOADERS) == len(writes)
    assert all(word.startswith("flash:w:") for word in writes)
    assert all(" -D " in line and " -e" not in line for line in lines)


@pytest.mark.parametrize(
    ("kinds", "chosen"),
    [
        ([None], "0"),
        ([NANO], "0"),
        ([None, NANO, "pico"], "1"),
        ([None, "pico"], "0"),
        ([], "No board is plugged in"),
        (["pico"], "a firmware of its own"),
        ([None, None], "Several devices are plugged in: 0, 1"),
        ([NANO, None, NANO], "Several devices are plugged in: 0, 2"),
    ],
)
def test_the_one_board_is_chosen(kinds: list[str | None], chosen: str) -> None:
    """Of several devices our only Nano is chosen, or the only silent one; if that is unclear, a
    person must choose.
    """
    ports = [
        PluggedBoard(str(n), kind and Greeting(1, "6x6", {"kind": kind}))  # type: ignore[arg-type]
        for n, kind in enumerate(kinds)
    ]
    if chosen.isdigit():
        assert chosen == choose_port(ports).port
    else:
        with pytest.raises(FlashError, match=chosen):
            choose_port(ports)
