"""Call a Nano's bootloader through avrdude.

A bootloader writes only flash memory: it cannot set fuses, and Optiboot treats a write of EEPROM as
a write of flash. So each command here names flash only.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from msgspec import Struct

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
