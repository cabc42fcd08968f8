"""Find the plugged-in Nano and write its firmware."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from companion.clock import SystemClock
from companion.sensors.link import Timing
from companion.sensors.serial.firmware_version import FIRMWARE, NANO
from companion.sensors.serial.lines import Greeting, LineDecoder
from companion.sensors.serial.ports import Port, open_port, transfer
from companion.sensors.serial.session import ASK

PROGRAM = "avrdude"
ASK_SECONDS = 15.0
"""Seconds for a bootloader to name its chip; avrdude itself would wait a minute."""
WRITE_SECONDS = 180.0
"""Seconds for writing; 16 kB, written and read back at 57,600 baud, take 10 s."""


class FlashError(Exception):
    """Error raised when a board cannot be flashed; its text says why and what to do."""


class Bootloader(Struct, frozen=True):
    """A kind of bootloader, with avrdude's names for protocol and chip."""

    programmer: str
    part: str
    baud: int
    options: tuple[str, ...] = ()

    def command(self, port: str) -> list[str]:
        """Return the command that reads the chip's signature only."""
        return [
            *(PROGRAM, "-q", "-q", "-D", "-c", self.programmer, "-p", self.part),
            *("-P", port, "-b", str(self.baud), *self.options),
        ]


_TWO_TRIES = ("-xattempts=2",)
"""avrdude makes ten: two show soon enough that the board has another bootloader."""
BOOTLOADERS = (
    Bootloader("arduino", "m328p", 115_200, _TWO_TRIES),  # Optiboot: newer Nanos
    Bootloader("arduino", "m328p", 57_600, _TWO_TRIES),  # ATmegaBOOT: most cheap Nanos
)
"""Bootloaders in the order of trying."""


def find_bootloader(port: str) -> Bootloader:
    """Return the bootloader that answers on a port; raise `FlashError` if none does."""
    for loader in BOOTLOADERS:
        if _run(loader.command(port), ASK_SECONDS) is None:
            return loader
    speeds = " and ".join(f"{loader.baud:,}" for loader in BOOTLOADERS)
    raise FlashError(
        f"No bootloader answers on {port} (asked at {speeds} baud). Unplug the board, plug it in"
        " again and repeat; a module without a bootloader needs a programmer (firmware/README.md)."
    )


def write_flash(port: str, loader: Bootloader, image: Path) -> None:
    """Write a .hex file to flash memory and verify it; raise `FlashError`."""
    wrong = _run([*loader.command(port), "-U", f"flash:w:{image}:i"], WRITE_SECONDS)
    if wrong is not None:
        raise FlashError(
            f"{port} was not flashed whole, so its firmware may not start. Repeat the command;"
            f" avrdude says: {wrong}"
        )


def _run(command: list[str], seconds: float) -> str | None:
    """Return None if the command succeeds, otherwise the last line of its output."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
        )
    except FileNotFoundError:
        raise FlashError("avrdude is not installed: `sudo apt install avrdude`.") from None
    except subprocess.TimeoutExpired:
        return f"nothing for {seconds:g} s"
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return None if done.returncode == 0 else (lines or ["nothing"])[-1]


ANSWER = 0.5
"""Seconds to wait for the greeting before asking again."""
TRIES = 12
"""A module that was reset by opening its port may stay in its bootloader for some seconds."""


def read_greeting(
    port: Port, monotonic: Callable[[], float], tries: int = TRIES
) -> Greeting | None:
    """Return the board's greeting, None without an answer; raise OSError when the port is lost."""
    decoder = LineDecoder()
    for _ in range(tries):
        until, out = monotonic() + ANSWER, ASK
        while (wait := until - monotonic()) > 0:
            for line in decoder.receive(transfer(port, out, wait)):
                if isinstance(line, Greeting):
                    return line
            out = b""
    return None


HEX_FILE = Path(__file__).with_name("presence.hex")
"""The shipped firmware."""
Print = Callable[[str], None]


class PluggedBoard(Struct, frozen=True):
    """A port and its board's greeting, None without one."""

    port: str
    greeting: Greeting | None

    @property
    def is_nano(self) -> bool:
        """Whether the board says that it is our Nano."""
        return self.greeting is not None and self.greeting.words.get("kind") == NANO


def identify_board(port: str) -> Greeting | None:
    """Return a port's greeting; raise OSError if the port cannot be opened."""
    opened = open_port(port, Timing())
    try:
        return read_greeting(opened, SystemClock().monotonic)
    finally:
        opened.close()


def choose_port(plugged: list[PluggedBoard]) -> PluggedBoard:
    """Return the only port that fits; raise `FlashError` for none, several, or another board."""
    if not plugged:
        raise FlashError("No board is plugged in. Plug it in, or name its port with --port.")
    nanos = [each for each in plugged if each.is_nano]
    silent = [each for each in plugged if each.greeting is None]
    fitting = nanos or silent
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        names = ", ".join(each.port for each in plugged)
        raise FlashError(f"{names}: this board has a firmware of its own, which is left alone.")
    ports = ", ".join(each.port for each in fitting)
    raise FlashError(f"Several devices are plugged in: {ports}. Choose one with --port.")


def write_board(plugged: PluggedBoard, print_line: Print) -> None:
    """Write the shipped firmware; raise `FlashError` or OSError."""
    loader = find_bootloader(plugged.port)
    words = {} if plugged.greeting is None else plugged.greeting.words
    before = f", now {words['fw']}" if "fw" in words else ""
    print_line(f"{plugged.port}: bootloader at {loader.baud:,} baud{before}")
    write_flash(plugged.port, loader, HEX_FILE)
    greeting = identify_board(plugged.port)
    if greeting is None:
        raise FlashError(
            f"{plugged.port} was written, but no board answers there. Repeat the command."
        )
    if greeting.words.get("fw") != FIRMWARE:
        raise FlashError(
            f"{plugged.port} was written, but its firmware says it is"
            f" {greeting.words.get('fw', '?')} in place of {FIRMWARE}."
        )
    print_line(f"{plugged.port}: firmware {FIRMWARE}")
