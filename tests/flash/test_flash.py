"""`companion flash` against modules that follow their bootloaders' application notes."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from companion.sensors.serial.messages import Caps, HelloReply

from companion.cli import main
from companion.flash import bootloader
from companion.flash.bootloader import BOOTLOADERS, FlashError, Kind
from companion.flash.flasher import PluggedBoard, choose_port, hex_file
from companion.sensors.serial.firmware_version import FIRMWARE
from tests.flash.bootloaders import Chip, Firmware, Loader, Module, Stk500v1, Stk500v2, image_of

PRESENCE = Caps.PRESENCE
TAGS = Caps.UID | Caps.RSSI
PLUG = Callable[..., Module]


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PLUG]:
    """Plug in modules. Needs avrdude."""
    if shutil.which("avrdude") is None:
        pytest.skip("avrdude is not installed: `make check-tools`")
    monkeypatch.setattr(bootloader, "ASK_SECONDS", 2.0)
    monkeypatch.setattr("companion.flash.flasher.HELLOS", 1)
    with ExitStack() as closing:

        def make(loader: Loader, speed: int, version: int = 0) -> Module:
            kind: Kind = "presence" if loader.chip.part == "m328p" else "identity"
            caps = PRESENCE if kind == "presence" else TAGS
            image, firmware = image_of(hex_file(kind)), Firmware(caps, version)
            return closing.enter_context(Module(tmp_path / "port", loader, speed, image, firmware))

        yield make


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["flash", *arguments])


def untouched(chip: Chip) -> bool:
    """Return whether nothing but flash was written."""
    return (0, 0) == (chip.eeprom_writes, chip.fuse_writes)


@pytest.mark.parametrize(
    ("kind", "make", "part", "speed"),
    [
        ("presence", Stk500v1, "m328p", 115_200),
        ("presence", Stk500v1, "m328p", 57_600),
        ("identity", Stk500v2, "m2560", 115_200),
    ],
)
def test_a_new_board_is_flashed_and_named(
    plug: PLUG, kind: str, make: type[Stk500v1] | type[Stk500v2], part: str, speed: int
) -> None:
    """Its bootloader is found at either speed, the flash equals the .hex, and the firmware got a
    name.

    Neither EEPROM nor fuses are written through the bootloader.
    """
    module = plug(make(Chip(part)), speed)

    result = run("--port", str(module.path), "--board", kind)

    assert 0 == result.exit_code, result.output
    assert f"{kind} board, bootloader at {speed:,} baud" in result.output
    image = image_of(hex_file("presence" if kind == "presence" else "identity"))
    assert image == bytes(module.loader.chip.flash[: len(image)])
    assert untouched(module.loader.chip)
    assert module.firmware.board_id not in (b"\xff" * 8, bytes(8))
    assert module.firmware.board_id.hex() in result.output


def test_a_kind_that_nobody_named_is_found_by_its_chip(plug: PLUG) -> None:
    """A new Mega does not answer a Nano's bootloader protocol, and gets the identity board's
    firmware.
    """
    module = plug(Stk500v2(Chip("m2560")), 115_200)

    result = run("--port", str(module.path))

    assert 0 == result.exit_code, result.output
    assert "identity board" in result.output


def test_an_older_board_keeps_its_name(plug: PLUG) -> None:
    """A board with a name and a field keeps both, and the older version is shown."""
    module = plug(Stk500v1(Chip("m328p")), 57_600, version=0x0102)
    module.firmware.board_id, module.firmware.geometry = b"TABLE-07", 1

    result = run("--port", str(module.path))

    assert 0 == result.exit_code, result.output
    assert "now 1.2" in result.output
    assert (b"TABLE-07", 1) == (module.firmware.board_id, module.firmware.geometry)
    assert untouched(module.loader.chip)


def test_the_field_is_chosen(plug: PLUG) -> None:
    """The firmware keeps a given field, beside the board's name."""
    module = plug(Stk500v1(Chip("m328p")), 115_200, version=FIRMWARE)
    module.firmware.board_id = b"TABLE-07"

    result = run("--port", str(module.path), "--field", "hexagonal")

    assert 0 == result.exit_code, result.output
    assert (b"TABLE-07", 1) == (module.firmware.board_id, module.firmware.geometry)


def test_a_wrong_chip_is_not_written(plug: PLUG) -> None:
    """A module with another chip than the given one is left unchanged, with a sentence."""
    module = plug(Stk500v1(Chip("m2560")), 115_200)

    result = run("--port", str(module.path), "--board", "presence")

    assert 1 == result.exit_code
    assert "No bootloader answers" in result.output
    assert set(module.loader.chip.flash) == {0xFF}


def test_flash_that_does_not_read_back_is_reported(plug: PLUG) -> None:
    """A flash cell that cannot be written ends the command with the advice to repeat it."""

    class Worn(Chip):
        def write(self, at: int, data: bytes) -> None:
            super().write(at, data)
            self.flash[256] = 0x00

    module = plug(Stk500v1(Worn("m328p")), 115_200)

    result = run("--port", str(module.path))

    assert 1 == result.exit_code
    assert "was not flashed whole" in result.output


def test_a_firmware_that_does_not_start_is_reported(plug: PLUG) -> None:
    """Written and compared, but silent: the command does not report success."""
    module = plug(Stk500v1(Chip("m328p")), 115_200)
    module._image = b"another"

    result = run("--port", str(module.path))

    assert 1 == result.exit_code
    assert "no board answers there" in result.output


def test_avrdude_is_named_where_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without avrdude the command prints how to install it."""
    monkeypatch.setattr(bootloader, "PROGRAM", str(tmp_path / "absent"))

    with pytest.raises(FlashError, match="sudo apt install avrdude"):
        bootloader.find_bootloader("/dev/null", ["presence"])


def test_no_command_names_another_memory_than_flash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Optiboot takes a write of EEPROM for one of flash, so that no such write is ever sent."""
    output = tmp_path / "output"
    program = tmp_path / "avrdude"
    program.write_text(f'#!/bin/sh\necho "$@" >> {output}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(bootloader, "PROGRAM", str(program))

    for loader in BOOTLOADERS:
        bootloader.find_bootloader("/dev/x", [loader.kind])
        bootloader.write_flash("/dev/x", loader, hex_file(loader.kind))

    lines = output.read_text().splitlines()
    writes = [word for line in lines for word in line.split() if ":w:" in word]
    assert len(BOOTLOADERS) == len(writes)
    assert all(word.startswith("flash:w:") for word in writes)
    assert all(" -D " in line and " -e" not in line for line in lines)


@pytest.mark.parametrize(
    ("answers", "chosen"),
    [
        ([None], "0"),
        ([FIRMWARE], "0"),
        ([None, FIRMWARE], "1"),
        ([], "No board is plugged in"),
        ([None, None], "Several devices are plugged in: 0, 1"),
        ([FIRMWARE, None, 0x0102], "Several devices are plugged in: 0, 2"),
    ],
)
def test_the_one_board_is_chosen(answers: list[int | None], chosen: str) -> None:
    """Of several devices the only board of ours is chosen; if that is unclear, a person must
    choose.
    """
    ports = [
        PluggedBoard(
            str(n),
            None
            if version is None
            else HelloReply(1, 1, 0, 6, 6, 0, PRESENCE, b"TABLE-01", version, 1),
        )
        for n, version in enumerate(answers)
    ]
    if chosen.isdigit():
        assert chosen == choose_port(ports).port
    else:
        with pytest.raises(FlashError, match=chosen):
            choose_port(ports)
