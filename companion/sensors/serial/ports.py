"""Find serial ports and open them.

Opening a port resets many devices, and what a host writes may confuse them: a 3D printer in mid
print, a Zigbee stick. So `auto` opens those with the USB chip of a board; others are opened only
when named, or confirmed once.
"""

from __future__ import annotations

import errno
import io
import os
import re
import select
import stat
import sys
import zlib
from collections.abc import Container, Iterator
from contextlib import suppress
from glob import iglob
from pathlib import Path

import msgspec
import serial
from msgspec import Struct

from companion.core.game import Message
from companion.files import atomic_write
from companion.platforms import ON_LINUX, Waker
from companion.sensors.link import Timing
from companion.sensors.serial.spi import LOAD_DEVICE, SPI, SpiPort, open_spi

BAUD = 115_200
MAX_READ = 4096
AUTO = "auto"
BOARD_CHIPS = (
    "1a86:7523", "1a86:5523", "1a86:55d4",  # CH340, CH341, CH9102
    "0403:6001", "0403:6015", "10c4:ea60",  # FTDI FT232R and FT231X, CP2102
    "16c0:0483", "2341:*", "2a03:*",  # Teensy, Arduino
    "239a:*", "2e8a:*", "303a:*",  # Adafruit, Raspberry Pi Pico, Espressif
)  # fmt: skip
"""Chips by vendor and product in hex; hardware/pi/99-companion.rules has the same."""
CONFIRMED_FILE = "boards.json"
_MOST_PARENTS = 5
"""Folders of sysfs above a terminal's in which its USB device may be."""
MACOS_PSEUDO_TERMINAL = re.compile(r"/dev/ttys\d+")
_PLACES = ("serial/by-id/*", "serial/by-path/*", "ttyACM*", "ttyUSB*")


Port = serial.Serial
"""Any of pyserial's ports. Every method may raise OSError, of which SerialException is one."""


def open_board(address: str, timing: Timing) -> Port | SpiPort:
    """Open a board's device, its pyserial URL or the strips at the Pi; raise as `open_port`."""
    return open_spi() if address == SPI else open_port(address, timing)


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
    if sys.platform == "win32":
        # It opens a port for one program alone.
        port.open()
    else:
        _open_alone(port)
    return port


def transfer(port: Port | SpiPort, out: bytes, wait: float, waker: Waker | None = None) -> bytes:
    """Write, then wait up to `wait` seconds for input; return it, b"" if none came.

    `waker` ends the wait. A port without a file descriptor waits for its
    own timeout. Raises OSError when the port is lost.
    """
    if out:
        port.write(out)
    if isinstance(port, SpiPort):
        return port.receive(wait, waker)
    with suppress(io.UnsupportedOperation):
        # pyserial configures the whole port again for each new timeout.
        handle = port.fileno()
        waiting: list[int | Waker] = [handle] if waker is None else [handle, waker]
        ready = select.select(waiting, [], [], max(0.0, wait))[0]
        if waker is not None and waker in ready:
            waker.clear()
        if handle not in ready:
            return b""
    first = port.read(1)
    return first + port.read(min(port.in_waiting, MAX_READ)) if first else b""


def _open_alone(port: serial.Serial) -> None:
    """Open a port, for this program alone: pyserial's lock stops only those that ask for it.

    A pseudo-terminal stays locked while its other end is open, so it is left alone.
    """
    import fcntl
    import termios

    try:
        port.open()
    except termios.error as wrong:  # unplugged while it was opened; pyserial lets it through
        raise OSError(*wrong.args) from wrong
    with suppress(OSError, io.UnsupportedOperation, termios.error):
        if not is_pseudo_terminal(os.ttyname(port.fileno())):
            fcntl.ioctl(port.fileno(), termios.TIOCEXCL)


def is_pseudo_terminal(address: str) -> bool:
    """Return whether a device is a pseudo-terminal, which its other end has open too."""
    device = Path(address).resolve()
    return device.is_relative_to("/dev/pts") or bool(MACOS_PSEUDO_TERMINAL.fullmatch(str(device)))


def open_failure(address: str, wrong: OSError | ValueError) -> Message:
    """Return the message for a port that cannot be opened."""
    is_spi = address == SPI
    params: dict[str, str | int] = {"port": str(LOAD_DEVICE) if is_spi else address}
    match getattr(wrong, "errno", None):
        case errno.EAGAIN | errno.EBUSY:
            return Message("link.busy", params)
        case errno.EACCES | errno.EPERM:
            return Message("link.forbidden", params | {"group": device_group(address)})
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return Message("link.no_spi" if is_spi else "link.absent", params)
    return Message("link.cannot_open", params)


def device_group(address: str) -> str:
    """Return the group whose users may open a device, as Debian and Raspberry Pi OS have it."""
    return SPI if address == SPI else "dialout"


def connection_lost(address: str, wrong: OSError) -> Message:
    """Return the message for a port that failed."""
    if isinstance(wrong, serial.SerialTimeoutException):
        return Message("link.silent")
    return Message("link.unplugged", {"port": address})


PortId = tuple[str, int]
"""A device file and its inode, which is new when the device is plugged in again; of an address that
is no file, a number made of it.
"""


class PluggedDevices(Struct, frozen=True):
    """The plugged-in devices: those to try, best first, and others that may be a board too."""

    boards: list[PortId]
    strangers: list[str] = []


def find_ports(
    address: str, devices: Path, taken: str = "", confirmed: Container[str] = ()
) -> PluggedDevices:
    """Return the ports to try: the address, or for "auto" every device with a board's USB chip.

    Each device is listed once. `taken`: a device to skip. `confirmed`: ids of further devices that
    are boards. sysfs lies beside the folder `devices`.
    """
    if address != AUTO:
        return PluggedDevices([(address, _inode(Path(address)))])
    skipped = Path(taken).resolve() if taken else None
    boards: dict[Path, PortId] = {}
    strangers: dict[Path, str] = {}
    for path, usb in _usb_devices(devices):
        device = path.resolve()
        if device in boards or device in strangers or device == skipped:
            continue
        if is_board_chip(usb) or usb in confirmed:
            boards[device] = (str(path), _inode(path))
        else:
            strangers[device] = str(path)
    return PluggedDevices(list(boards.values()), list(strangers.values()))


def _usb_devices(devices: Path) -> Iterator[tuple[Path, str]]:
    """Yield each serial device on USB under each of its names, stable ones first, and its id."""
    if not ON_LINUX:
        yield from ((Path(name), usb) for name, usb in sorted(list_usb_ports().items()))
        return
    for path in (path for pattern in _PLACES for path in sorted(devices.glob(pattern))):
        if (usb := usb_id(path, devices.parent / "sys")) is not None:
            yield path, usb


def programs_with(address: str, processes: Path = Path("/proc")) -> tuple[str, ...]:
    """Return the names of other programs that have a device open, as far as this one may see."""
    names = set()
    with suppress(OSError):
        device = os.stat(address).st_rdev
        for opened in iglob(f"{processes}/[0-9]*/fd/*"):
            process = Path(opened).parents[1]
            with suppress(OSError):
                status = os.stat(opened)
                is_it = stat.S_ISCHR(status.st_mode) and status.st_rdev == device
                if is_it and process.name != str(os.getpid()):
                    name = (process / "comm").read_text(encoding="utf-8", errors="replace")
                    names.add(name.strip())
    return tuple(sorted(names))


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        # Windows lists names that are no files.
        return zlib.crc32(str(path).encode())


def usb_id(path: Path, sysfs: Path) -> str | None:
    """Return a device's USB vendor, product and serial number, "1a86:7523:0001"; None without."""
    if not ON_LINUX:
        return list_usb_ports().get(str(path))
    for name in (path.name, path.resolve().name):
        device = (sysfs / "class" / "tty" / name / "device").resolve()
        for folder in (device, *device.parents[:_MOST_PARENTS]):
            if vendor := _line_of(folder / "idVendor"):
                return f"{vendor}:{_line_of(folder / 'idProduct')}:{_line_of(folder / 'serial')}"
    return None


def list_usb_ports() -> dict[str, str]:
    """Return the `usb_id` of each serial port on USB, as Windows and macOS tell it."""
    try:
        from serial.tools.list_ports import comports
    except AttributeError:
        # Wine lacks a function of Windows that is loaded there.
        return {}
    return {
        port.device: f"{port.vid:04x}:{port.pid:04x}:{(port.serial_number or '').lower()}"
        for port in comports()
        if port.vid is not None and port.pid is not None
    }


def is_board_chip(usb: str) -> bool:
    """Return whether a device with this `usb_id` may be a board."""
    vendor, product, _ = usb.split(":", 2)
    return f"{vendor}:{product}" in BOARD_CHIPS or f"{vendor}:*" in BOARD_CHIPS


class ConfirmedDevices:
    """The devices that a person confirmed as boards, by `usb_id`; kept in `folder`, if any."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = None if folder is None else folder / CONFIRMED_FILE
        self._ids: set[str] = set()
        # A damaged file costs a second confirmation.
        with suppress(OSError, ValueError):
            if self._path is not None:
                self._ids = set(msgspec.json.decode(self._path.read_bytes(), type=list[str]))

    def __contains__(self, usb: object) -> bool:
        return usb in self._ids

    def add(self, usb: str) -> None:
        """Confirm a device; raise OSError if that cannot be stored."""
        ids = self._ids | {usb}
        if self._path is not None:
            atomic_write(self._path, msgspec.json.encode(sorted(ids)))
        self._ids = ids


def _line_of(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip().lower()
    except OSError:
        return ""
