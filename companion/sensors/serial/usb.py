"""USB serial chips: which devices may be a board, so that `auto` opens no others.

Opening a port resets many devices, and what a host writes may confuse them: a 3D printer in mid
print, a Zigbee stick. Others are opened only when named, or confirmed once.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from companion.files import atomic_write
from companion.platforms import ON_LINUX

BOARD_CHIPS: dict[str, str] = {
    "1a86:7523": "CH340",
    "1a86:5523": "CH341",
    "1a86:55d4": "CH9102",
    "0403:6001": "FTDI FT232R",
    "0403:6015": "FTDI FT231X",
    "10c4:ea60": "CP2102",
    "16c0:0483": "Teensy",
    "2341:*": "Arduino",
    "2a03:*": "Arduino",
    "239a:*": "Adafruit",
    "2e8a:*": "Raspberry Pi Pico",
    "303a:*": "Espressif",
}
"""Chips by vendor and product in hex; hardware/pi/99-companion.rules has the same."""
CONFIRMED_FILE = "boards.json"
_MOST_PARENTS = 5
"""Folders of sysfs above a terminal's in which its USB device may be."""


def usb_id(path: Path, sysfs: Path) -> str | None:
    """Return a device's USB vendor, product and serial number, "1a86:7523:0001"; None without."""
    if not ON_LINUX:
        return list_usb_ports().get(str(path))
    for name in (path.name, path.resolve().name):
        device = (sysfs / "class" / "tty" / name / "device").resolve()
        for folder in (device, *device.parents[:_MOST_PARENTS]):
            if vendor := _text(folder / "idVendor"):
                return f"{vendor}:{_text(folder / 'idProduct')}:{_text(folder / 'serial')}"
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


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip().lower()
    except OSError:
        return ""
