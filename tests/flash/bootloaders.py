"""A module on a pseudo-terminal: a bootloader, and behind it the program that the test starts.

`Stk500v1` speaks Atmel's AN061 as Optiboot does, `Stk500v2` AN068 as a Mega's bootloader does;
both were written from those notes. A real module restarts when its port is opened; this one does.
"""

from __future__ import annotations

import ctypes
import os
import pty
import select
import termios
import tty
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import ClassVar, Protocol

from companion.sensors.serial.frames import FrameDecoder, encode_frame
from companion.sensors.serial.messages import (
    Configure,
    Done,
    Hello,
    HelloReply,
    WireMessage,
    parse_message,
)

from companion.sensors.serial.firmware_version import FIRMWARE

PAGE = {"m328p": 128, "m2560": 256}
FLASH = {"m328p": 0x7E00, "m2560": 0x3E000}
"""Bytes before the bootloader's own place."""
SIGNATURE = {"m328p": b"\x1e\x95\x0f", "m2560": b"\x1e\x98\x01"}
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

    def __init__(self, part: str) -> None:
        self.part = part
        self.flash = bytearray(b"\xff" * FLASH[part])
        self.eeprom_writes = 0
        self.fuse_writes = 0
        self.started = False
        """Whether the bootloader was asked to start what it has written."""

    def write(self, at: int, data: bytes) -> None:
        """Write a page."""
        assert 0 == at % PAGE[self.part] and len(data) <= PAGE[self.part]
        assert at + len(data) <= len(self.flash), "into the bootloader"
        self.flash[at : at + len(data)] = data


class Loader(Protocol):
    """A bootloader: bytes in, bytes out."""

    chip: Chip

    def reset(self) -> None: ...
    def take(self, data: bytes) -> bytes: ...


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
            case 0x30 | 0x42 | 0x45 | 0x50:
                pass
            case 0x41:
                answer = {0x81: b"\x04", 0x82: b"\x04"}.get(command[1], b"\x03")
            case 0x51:
                self.chip.started = True
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
                answer = SIGNATURE[self.chip.part]
            case _:
                return bytes((self.UNKNOWN,))
        return bytes((self.IN_SYNC,)) + answer + bytes((self.OK,))

    def _universal(self, instruction: bytes) -> bytes:
        self.chip.fuse_writes += instruction[0] == 0xAC and instruction[1] != 0x80
        if instruction[0] == 0x30:
            return SIGNATURE[self.chip.part][instruction[2] : instruction[2] + 1]
        return b"\x00"


class Stk500v2:
    """AN068: messages with a length and a checksum."""

    START, TOKEN, OK, FAILED = 0x1B, 0x0E, 0x00, 0xC0

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.reset()

    def reset(self) -> None:
        self._waiting = bytearray()
        self._address = 0

    def take(self, data: bytes) -> bytes:
        self._waiting += data
        return b"".join(self._packed(sequence, self._obey(body)) for sequence, body in self._read())

    def _read(self) -> Iterator[tuple[int, bytes]]:
        while (start := self._waiting.find(self.START)) >= 0:
            del self._waiting[:start]
            size = int.from_bytes(self._waiting[2:4], "big")
            if len(self._waiting) < 6 + size:
                return
            message = bytes(self._waiting[: 6 + size])
            del self._waiting[: 6 + size]
            assert self.TOKEN == message[4] and 0 == _checksum(message)
            yield message[1], message[5:-1]

    def _packed(self, sequence: int, body: bytes) -> bytes:
        head = bytes((self.START, sequence, len(body) >> 8, len(body) & 255, self.TOKEN)) + body
        return head + bytes((_checksum(head),))

    def _obey(self, body: bytes) -> bytes:
        code, reply = body[0], bytes((body[0], self.OK))
        match code:
            case 0x01:
                return reply + b"\x08STK500_2"
            case 0x02 | 0x10:
                return reply
            case 0x03:
                return reply + b"\x02"
            case 0x06:
                self._address = 2 * (int.from_bytes(body[1:5], "big") & 0x7FFFFFFF)
                return reply
            case 0x11:
                self.chip.started = True
                return reply
            case 0x13:
                size = int.from_bytes(body[1:3], "big")
                self.chip.write(self._address, body[10 : 10 + size])
                self._address += size
                return reply
            case 0x14:
                size = int.from_bytes(body[1:3], "big")
                data = bytes(self.chip.flash[self._address : self._address + size])
                self._address += size
                return reply + data + bytes((self.OK,))
            case 0x15:
                self.chip.eeprom_writes += 1
            case 0x17 | 0x19:
                self.chip.fuse_writes += 1
            case 0x1B:
                return reply + SIGNATURE[self.chip.part][body[4] : body[4] + 1] + bytes((self.OK,))
            case 0x1D:
                signature = SIGNATURE[self.chip.part]
                value = signature[body[6]] if body[4] == 0x30 else 0
                return reply + bytes((0, body[4], body[5], value, self.OK))
        return bytes((code, self.FAILED))


def _checksum(message: bytes) -> int:
    total = 0
    for byte in message:
        total ^= byte
    return total


class Firmware:
    """The program behind the bootloader: as much of a board as `companion flash` needs."""

    def __init__(self, caps: int, version: int) -> None:
        self.caps, self.version = caps, version
        self.board_id, self.geometry = b"\xff" * 8, 0
        self.boot = 0
        self.reset()

    def reset(self) -> None:
        self.boot += 1
        self._decoder = FrameDecoder()
        self._shown = self.geometry

    def take(self, data: bytes) -> bytes:
        self._decoder.receive(data)
        out = bytearray()
        while (frame := self._decoder.next_frame()) is not None:
            answer = self._answer(parse_message(frame))
            out += encode_frame(answer.frame(frame.seq))
        return bytes(out)

    def _answer(self, request: WireMessage) -> WireMessage:
        if isinstance(request, Configure):
            self.board_id, self.geometry = request.board_id, request.geometry
            return Done()
        assert isinstance(request, Hello)
        return HelloReply(
            *(self.boot, 1, self._shown, 6, 6, 0, self.caps, self.board_id, self.version, 1)
        )


def _watch_openings(device: str) -> int:
    """Return a descriptor that can be read each time that a device is opened (inotify)."""
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor: int = libc.inotify_init1(os.O_CLOEXEC)
    if descriptor < 0 or libc.inotify_add_watch(descriptor, device.encode(), IN_OPEN) < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    return descriptor


class Module:
    """A module on the port `path`. Its bootloader receives only at its own speed."""

    def __init__(
        self, path: Path, loader: Loader, speed: int, image: bytes, firmware: Firmware
    ) -> None:
        self.path, self.loader, self.speed = path, loader, speed
        self.firmware = firmware
        self._image = image
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
        self.firmware.reset()

    def _answer(self, data: bytes) -> bytes:
        speed = SPEEDS.get(termios.tcgetattr(self._master)[5], 250_000)
        if speed == self.speed:
            return self.loader.take(data)
        if speed != 250_000 or not self._is_flashed():
            return b""
        self.firmware.version = max(self.firmware.version, FIRMWARE if self._is_new() else 0)
        return self.firmware.take(data)

    def _is_new(self) -> bool:
        return self.loader.chip.flash.startswith(self._image)

    def _is_flashed(self) -> bool:
        return self.firmware.version > 0 or self._is_new()
