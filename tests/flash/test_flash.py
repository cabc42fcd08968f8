"""`companion flash` with avrdude, against an emulated Nano with its real bootloaders."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.flash import flasher
from companion.flash.flasher import HEX_FILE, FlashError, PluggedBoard, choose_port, read_greeting
from companion.sensors.serial.firmware_version import FIRMWARE, NANO
from companion.sensors.serial.lines import Greeting
from tests.firmware.conftest import build, needed
from tests.flash.module import BOOTLOADERS, Module, image_of

PLUG = Callable[..., Module]


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PLUG]:
    """Plug in modules: `plug(speed of the bootloader, program)`. The command waits for a greeting
    in the module's own time, so that a loaded machine changes nothing.
    """
    for program in ("avrdude", "avr-gcc", "gcc"):
        needed(program)
    if not all(path.exists() for path in BOOTLOADERS.values()):
        pytest.skip("arduino-core-avr is not installed: `make check-tools`")
    build("emulator", "arduino")
    with ExitStack() as closing:

        def make(speed: int, program: str) -> Module:
            module = Module(tmp_path / "port", speed, program)
            closing.callback(module.close)
            monkeypatch.setattr(flasher, "SystemClock", lambda: module)
            monkeypatch.setattr(flasher, "read_greeting", partial(read_greeting, tries=6))
            return module

        yield make


def flash(module: Module, times: int = 6) -> Result:
    """Run the command; again, as its sentence says, where a loaded machine was too slow for
    avrdude.
    """
    for _ in range(times):
        result = CliRunner().invoke(main, ["flash", "--port", str(module.path)])
        if result.exit_code == 0 or "epeat" not in result.output:
            break
    return result


@pytest.mark.parametrize(
    ("speed", "program", "before"), [(115_200, "presence.elf", FIRMWARE), (57_600, "", "")]
)
def test_a_board_is_flashed(plug: PLUG, speed: int, program: str, before: str) -> None:
    """New, or with a firmware, which is named: its bootloader is found at either speed, the flash
    equals the .hex, and the new firmware greets.
    """
    module = plug(speed, program)

    result = flash(module)

    assert 0 == result.exit_code, result.output
    assert f"bootloader at {speed:,} baud" + (before and f", now {before}") in result.output
    assert f"firmware {FIRMWARE}" in result.output
    image = image_of(HEX_FILE)
    assert image == module.flash(len(image))


@pytest.mark.parametrize(
    ("speed", "program", "words"),
    [
        (0, "presence.elf", "No bootloader answers"),
        (57_600, "arduino.elf", "a firmware of its own, which is left alone"),
    ],
)
def test_another_board_is_left_alone(plug: PLUG, speed: int, program: str, words: str) -> None:
    """A module without a bootloader, or a board that greets as another one, is not written."""
    module = plug(speed, program)
    before = module.flash(4096)

    result = flash(module, times=1)

    assert 1 == result.exit_code
    assert words in result.output
    assert before == module.flash(4096)


def test_flash_that_does_not_read_back_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """avrdude's failure to verify ends the command with its words and the advice to repeat."""
    program = tmp_path / "avrdude"
    program.write_text(
        '#!/bin/sh\necho "verification error, first mismatch at 0x100" >&2\nexit 1\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(flasher, "PROGRAM", str(program))

    with pytest.raises(FlashError, match=r"was not flashed whole.*first mismatch at 0x100"):
        flasher.write_flash("/dev/x", flasher.BOOTLOADERS[0], HEX_FILE)


@pytest.mark.parametrize(
    ("greeting", "words"),
    [
        (None, "no board answers there"),
        (Greeting(1, "6x6", {"fw": "1.9"}), f"says it is 1.9 in place of {FIRMWARE}"),
    ],
)
def test_a_firmware_that_does_not_start_is_reported(
    monkeypatch: pytest.MonkeyPatch, greeting: Greeting | None, words: str
) -> None:
    """Written and compared, but silent or another one: the command does not report success."""
    monkeypatch.setattr(flasher, "find_bootloader", lambda _: flasher.BOOTLOADERS[0])
    monkeypatch.setattr(flasher, "write_flash", lambda *_: None)
    monkeypatch.setattr(flasher, "identify_board", lambda _: greeting)

    with pytest.raises(FlashError, match=words):
        flasher.write_board(PluggedBoard("/dev/x", None), lambda _: None)


def test_avrdude_is_named_where_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without avrdude the command prints how to install it."""
    monkeypatch.setattr(flasher, "PROGRAM", str(tmp_path / "absent"))

    with pytest.raises(FlashError, match="sudo apt install avrdude"):
        flasher.find_bootloader("/dev/null")


def test_no_command_names_another_memory_than_flash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Optiboot takes a write of EEPROM for one of flash, so no such write is ever sent."""
    output, program = tmp_path / "output", tmp_path / "avrdude"
    program.write_text(f'#!/bin/sh\necho "$@" >> {output}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(flasher, "PROGRAM", str(program))

    for loader in flasher.BOOTLOADERS:
        flasher.find_bootloader("/dev/x")
        flasher.write_flash("/dev/x", loader, HEX_FILE)

    lines = output.read_text().splitlines()
    writes = [word for line in lines for word in line.split() if ":w:" in word]
    assert len(flasher.BOOTLOADERS) == len(writes)
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
