"""A Nano on a pseudo-terminal: an emulated ATmega328P with one of Arduino's bootloaders for it.

A real module restarts when its port is opened; this one does. Its bootloader hears a host only at
its own speed.
"""

from __future__ import annotations

import ctypes
import os
import select
from pathlib import Path
from threading import Thread

from tools.emulator import BUILD, Emulator

FOLDER = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")
BOOTLOADERS = {
    115_200: FOLDER / "optiboot/optiboot_atmega328.hex",
    57_600: FOLDER / "atmega/ATmegaBOOT_168_atmega328.hex",
}
"""By speed; arduino-core-avr has them."""
RESET_PIN = 2
IN_OPEN = 0x20
"""Of Linux's inotify: somebody opened the file."""


class Module:
    """A module on the port `path`: with a bootloader, 0 for none, and a program, "" for none."""

    def __init__(self, path: Path, speed: int, program: str) -> None:
        self.path = path
        self.emulator = Emulator(BUILD, program or "presence.elf")
        if speed:
            self.emulator.ask(f"bootloader {BOOTLOADERS[speed]}")
        if not program:
            self.emulator.ask("erase")
        device = self.emulator.ask("plug")
        path.symlink_to(device)
        self._openings = _watch_openings(device)
        self._end_read, self._end_write = os.pipe()
        self._thread = Thread(target=self._restart_when_opened, daemon=True)
        self._thread.start()
        self.emulator.pace(1.0)

    def close(self) -> None:
        os.write(self._end_write, b"!")
        self._thread.join()
        self.path.unlink()
        self.emulator.close()
        for descriptor in (self._openings, self._end_read, self._end_write):
            os.close(descriptor)

    def monotonic(self) -> float:
        """Return the module's own time in seconds."""
        return self.emulator.seconds()

    def flash(self, size: int) -> bytes:
        """Return the first bytes of the flash memory."""
        return bytes.fromhex(self.emulator.ask(f"flash {size}"))

    def _restart_when_opened(self) -> None:
        while self._end_read not in (
            ready := select.select([self._end_read, self._openings], [], [])[0]
        ):
            os.read(ready[0], 4096)
            self.emulator.ask(f"reset {RESET_PIN}")


def image_of(hex_file: Path) -> bytes:
    """Return the bytes of a .hex file, from address 0."""
    image = bytearray()
    for line in hex_file.read_text(encoding="ascii").splitlines():
        record = bytes.fromhex(line.removeprefix(":"))
        assert 0 == sum(record) % 256
        count, address, kind = record[0], int.from_bytes(record[1:3], "big"), record[3]
        if kind == 0:
            assert address == len(image), "a gap"
            image += record[4 : 4 + count]
    return bytes(image)


def _watch_openings(device: str) -> int:
    """Return a descriptor that can be read each time that a device is opened (inotify)."""
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor: int = libc.inotify_init1(os.O_CLOEXEC)
    if descriptor < 0 or libc.inotify_add_watch(descriptor, device.encode(), IN_OPEN) < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    return descriptor
