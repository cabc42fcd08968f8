"""A Nano on a pseudo-terminal: a bootloader that speaks Atmel's AN061 as Optiboot does, written
from that note, and behind it a program that greets. It restarts when its port is opened.
"""

from __future__ import annotations

import ctypes
import os
import pty
import select
import termios
import tty
from pathlib import Path
from threading import Thread
from typing import ClassVar

from companion.sensors.serial.firmware_version import FIRMWARE, NANO
from companion.sensors.serial.session import ASK

PAGE = 128
FLASH = 0x7E00
"""Bytes before the bootloader's own place."""
SIGNATURE = b"\x1e\x95\x0f"
SPEEDS = {termios.B57600: 57_600, termios.B115200: 115_200}


IN_OPEN = 0x20
"""Of Linux's inotify: somebody opened the file."""


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


class Chip:
    """A microcontroller's memories, as its bootloader writes them."""

    def __init__(self, signature: bytes = SIGNATURE) -> None:
        self.signature = signature
        self.flash = bytearray(b"\xff" * FLASH)
        self.eeprom_writes = 0
        self.fuse_writes = 0

    def write(self, at: int, data: bytes) -> None:
        """Write a page."""
        assert 0 == at % PAGE and len(data) <= PAGE
        assert at + len(data) <= len(self.flash), "into the bootloader"
        self.flash[at : at + len(data)] = data


class Stk500v1:
    """AN061 as in Optiboot: it ignores the kind of memory, and writes flash."""

    OK, IN_SYNC, NO_SYNC, UNKNOWN, END = 0x10, 0x14, 0x15, 0x12, 0x20
    LENGTHS: ClassVar = {0x41: 2, 0x42: 21, 0x55: 3, 0x56: 5, 0x74: 4}

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.reset()

    def reset(self) -> None:
        self._waiting = bytearray()
        self._address = 0

    def take(self, data: bytes) -> bytes:
        self._waiting += data
        out = bytearray()
        while (length := self._length()) and len(self._waiting) > length:
            command = bytes(self._waiting[: length + 1])
            del self._waiting[: length + 1]
            if command[-1] != self.END:
                out.append(self.NO_SYNC)
                self._waiting.clear()
            else:
                out += self._obey(command[:-1])
        return bytes(out)

    def _length(self) -> int:
        """Return how many bytes the command has before its end mark, 0 for an unknown command."""
        if not self._waiting:
            return 0
        code = self._waiting[0]
        if code == 0x45:
            return 1 + self._waiting[1] if len(self._waiting) > 1 else 0
        if code == 0x64:
            size = int.from_bytes(self._waiting[1:3], "big")
            return 4 + size if len(self._waiting) > 3 else 0
        return self.LENGTHS.get(code, 1)

    def _obey(self, command: bytes) -> bytes:
        answer = b""
        match command[0]:
            case 0x30 | 0x42 | 0x45 | 0x50 | 0x51:
                pass
            case 0x41:
                answer = {0x81: b"\x04", 0x82: b"\x04"}.get(command[1], b"\x03")
            case 0x55:
                self._address = 2 * int.from_bytes(command[1:3], "little")
            case 0x56:
                answer = self._universal(command[1:])
            case 0x64:
                self.chip.eeprom_writes += command[3:4] != b"F"
                self.chip.write(self._address, command[4:])
            case 0x74:
                size = int.from_bytes(command[1:3], "big")
                answer = bytes(self.chip.flash[self._address : self._address + size])
            case 0x75:
                answer = self.chip.signature
            case _:
                return bytes((self.UNKNOWN,))
        return bytes((self.IN_SYNC,)) + answer + bytes((self.OK,))

    def _universal(self, instruction: bytes) -> bytes:
        self.chip.fuse_writes += instruction[0] == 0xAC and instruction[1] != 0x80
        if instruction[0] == 0x30:
            return self.chip.signature[instruction[2] : instruction[2] + 1]
        return b"\x00"


class Firmware:
    """The program behind the bootloader: it greets when it is asked.

    `version`: "" before the module was flashed. `kind`: our Nano's, or another board's.
    """

    def __init__(self, version: str = "", kind: str = NANO) -> None:
        self.version, self.kind = version, kind

    def take(self, data: bytes) -> bytes:
        return f"#board 1 6x6 kind={self.kind} fw={self.version}\n".encode() * data.count(b"?")


def _watch_openings(device: str) -> int:
    """Return a descriptor that can be read each time that a device is opened (inotify)."""
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor: int = libc.inotify_init1(os.O_CLOEXEC)
    if descriptor < 0 or libc.inotify_add_watch(descriptor, device.encode(), IN_OPEN) < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    return descriptor


class Module:
    """A module on the port `path`. Its bootloader receives only at its own speed, and leaves for
    the program at the first byte that it does not understand.
    """

    def __init__(
        self, path: Path, loader: Stk500v1, speed: int, image: bytes, firmware: Firmware
    ) -> None:
        self.path, self.loader, self.speed = path, loader, speed
        self.firmware = firmware
        self._image = image
        self._in_loader = True
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        device = os.ttyname(self._slave)
        path.symlink_to(device)
        self._openings = _watch_openings(device)
        self._end_read, self._end_write = os.pipe()
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Module:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._end_write, b"!")
        self._thread.join()
        self.path.unlink()
        for descriptor in (
            *(self._openings, self._master, self._slave),
            *(self._end_read, self._end_write),
        ):
            os.close(descriptor)

    def _run(self) -> None:
        while True:
            ready, _, _ = select.select([self._end_read, self._openings, self._master], [], [])
            if self._end_read in ready:
                return
            if self._openings in ready:
                os.read(self._openings, 4096)
                self._restart()
            elif self._master in ready:
                os.write(self._master, self._answer(os.read(self._master, 4096)))

    def _restart(self) -> None:
        self.loader.reset()
        self._in_loader = True

    def _answer(self, data: bytes) -> bytes:
        speed = SPEEDS[termios.tcgetattr(self._master)[5]]
        self._in_loader &= speed == self.speed and not data.startswith(ASK)
        if self._in_loader:
            return self.loader.take(data)
        if self.loader.chip.flash.startswith(self._image):
            self.firmware.version = FIRMWARE
        return self.firmware.take(data) if self.firmware.version and speed == 115_200 else b""
