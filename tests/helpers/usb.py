"""USB devices of a test's own machine: what sysfs says about a serial device."""

from __future__ import annotations

from pathlib import Path

NANO = "1a86:7523"
PRINTER = "2c99:0002"


def know_usb(devices: Path, name: str, usb: str = NANO, number: str = "") -> Path:
    """Make the sysfs beside the folder `devices` know a device there; return the device's path."""
    folder = devices.parent / "sys" / "class" / "tty" / name / "device"
    folder.mkdir(parents=True, exist_ok=True)
    vendor, product = usb.split(":")
    for file, text in (("idVendor", vendor), ("idProduct", product), ("serial", number)):
        (folder / file).write_text(text + "\n")
    return devices / name
