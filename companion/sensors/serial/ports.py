"""Where a board may be plugged in, and how its port is opened."""

from __future__ import annotations

import errno
import io
import select
import termios
from pathlib import Path
from typing import Protocol, cast

import serial

from companion.core.game import Message
from companion.sensors.link import Timing

BAUD = 250_000
AUTO = "auto"
_PLACES = ("serial/by-id/*", "serial/by-path/*", "ttyACM*", "ttyUSB*")


class Port(Protocol):
    """What is used of pyserial's port.

    Every method may raise OSError, of which SerialException is one.
    """

    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int = 1, /) -> bytes: ...
    def fileno(self) -> int: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


def open_port(address: str, timing: Timing, baud: int = BAUD) -> Port:
    """Return the opened port of a device or any address that pyserial knows; raise OSError or
    ValueError.

    Exclusive, or any second program could steal bytes; with a write timeout, or a stalled peer
    would block for ever.
    """
    port = serial.serial_for_url(address, do_not_open=True)
    port.baudrate = baud
    port.timeout = timing.read
    port.write_timeout = timing.write
    if hasattr(port, "exclusive"):
        port.exclusive = True
    try:
        port.open()
    except (
        termios.error
    ) as wrong:  # the device went while it was being opened; pyserial lets this through
        raise OSError(*wrong.args) from wrong
    return cast(Port, port)


def transfer(port: Port, out: bytes, wait: float) -> bytes:
    """Write, then wait for a byte, at most `wait` seconds; return it with all that came along, b""
    if none came.

    A port that is no file of the system's waits for its own timeout instead. Raises OSError when
    the port is lost.
    """
    if out:
        port.write(out)
    if not _ready(port, wait):
        return b""
    first = port.read(1)
    waiting = port.in_waiting if first else 0
    return first + port.read(waiting) if waiting else first


def _ready(port: Port, wait: float) -> bool:
    # Another timeout for each read would set up the whole line anew each time.
    try:
        handle = port.fileno()
    except io.UnsupportedOperation:
        return True
    return bool(select.select([handle], [], [], max(0.0, wait))[0])


def open_failure(address: str, wrong: OSError | ValueError) -> Message:
    """Return what to say of a port that does not open."""
    params: dict[str, str | int] = {"port": address}
    match getattr(wrong, "errno", None):
        case errno.EAGAIN | errno.EBUSY:
            return Message("link.busy", params)
        case errno.EACCES | errno.EPERM:
            return Message("link.forbidden", params)
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return Message("link.absent", params)
    return Message("link.cannot_open", params)


def loss(address: str, wrong: OSError) -> Message:
    """Return what to say of a port that was open and failed."""
    if isinstance(wrong, serial.SerialTimeoutException):
        return Message("link.silent")
    return Message("link.unplugged", {"port": address})


PortId = tuple[str, int]
"""A device file and its inode: plugging in again makes a new inode, so that it is not the same
socket.
"""


def find_ports(address: str, devices: Path, taken: str = "") -> list[PortId]:
    """Return the sockets to try, best first: the address alone, or for "auto" whatever could be a
    board.

    A device found under several names is listed once. An address that is no file is always there,
    as inode 0. `taken` is a device that something else than a board has, under any of its names.
    """
    if address != AUTO:
        return [(address, _inode(Path(address)))]
    sockets: dict[Path, PortId] = {}
    for pattern in _PLACES:
        for path in sorted(devices.glob(pattern)):
            if not taken or path.resolve() != Path(taken).resolve():
                sockets.setdefault(path.resolve(), (str(path), _inode(path)))
    return list(sockets.values())


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
