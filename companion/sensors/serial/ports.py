"""Find serial ports and open them."""

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
    """The part of pyserial's port that is used.

    Every method may raise OSError, of which SerialException is one.
    """

    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int = 1, /) -> bytes: ...
    def fileno(self) -> int: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


def open_port(address: str, timing: Timing, baud: int = BAUD) -> Port:
    """Open a device or pyserial URL; raise OSError or ValueError.

    Exclusive, so that no other program takes bytes; with a write timeout, so that a stalled peer
    does not block.
    """
    port = serial.serial_for_url(address, do_not_open=True)
    port.baudrate = baud
    port.timeout = timing.read
    port.write_timeout = timing.write
    if hasattr(port, "exclusive"):
        port.exclusive = True
    try:
        port.open()
    except termios.error as wrong:  # unplugged while it was opened; pyserial lets it through
        raise OSError(*wrong.args) from wrong
    return cast(Port, port)


def transfer(port: Port, out: bytes, wait: float) -> bytes:
    """Write, then wait up to `wait` seconds for input; return it, b"" if none came.

    A port without a file descriptor waits for its own timeout. Raises OSError when the port is
    lost.
    """
    if out:
        port.write(out)
    if not _ready(port, wait):
        return b""
    first = port.read(1)
    waiting = port.in_waiting if first else 0
    return first + port.read(waiting) if waiting else first


def _ready(port: Port, wait: float) -> bool:
    # pyserial configures the whole port again for each new timeout.
    try:
        handle = port.fileno()
    except io.UnsupportedOperation:
        return True
    return bool(select.select([handle], [], [], max(0.0, wait))[0])


def open_failure(address: str, wrong: OSError | ValueError) -> Message:
    """Return the message for a port that cannot be opened."""
    params: dict[str, str | int] = {"port": address}
    match getattr(wrong, "errno", None):
        case errno.EAGAIN | errno.EBUSY:
            return Message("link.busy", params)
        case errno.EACCES | errno.EPERM:
            return Message("link.forbidden", params)
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return Message("link.absent", params)
    return Message("link.cannot_open", params)


def connection_lost(address: str, wrong: OSError) -> Message:
    """Return the message for a port that failed."""
    if isinstance(wrong, serial.SerialTimeoutException):
        return Message("link.silent")
    return Message("link.unplugged", {"port": address})


PortId = tuple[str, int]
"""A device file and its inode, which is new when the device is plugged in again."""


def find_ports(address: str, devices: Path, taken: str = "") -> list[PortId]:
    """Return the ports to try, best first: the address, or for "auto" every possible board.

    Each device is listed once. An address that is no file has inode 0. `taken`: a device to skip.
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
