"""Which USB serial devices may be a board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.sensors.serial.ports import (
    AUTO,
    BOARD_CHIPS,
    CONFIRMED_FILE,
    ConfirmedDevices,
    find_ports,
    is_board_chip,
    usb_id,
)
from tests.helpers.usb import know_usb

RULES = Path(__file__).parents[3] / "hardware" / "pi" / "99-companion.rules"


@pytest.mark.parametrize(
    ("usb", "may_be"),
    [("1a86:7523:", True), ("2341:0043:55731", True), ("2e8a:000a:e66", True),
     ("2c99:0002:CZPX", False), ("1a86:ffff:", False), ("16c0:0483:1", True)],
)  # fmt: skip
def test_chips(usb: str, may_be: bool) -> None:
    """Boards are known by their chip: a whole vendor's, or one product."""
    assert may_be == is_board_chip(usb)


def test_udev_has_the_same_chips() -> None:
    """The rules of the installed table name exactly these chips."""
    rule = r'idVendor}=="(\w+)"(?:, ATTRS{idProduct}=="(\w+)")?, ENV{COMPANION_BOARD}="1"'

    assert list(BOARD_CHIPS) == [
        f"{vendor}:{product or '*'}" for vendor, product in re.findall(rule, RULES.read_text())
    ]


def test_one_device_has_one_id_under_each_name(tmp_path: Path) -> None:
    """The id is read from the device behind a stable name, above the interface as in sysfs; what
    is not on USB has none.
    """
    devices = tmp_path / "dev"
    (devices / "serial" / "by-id").mkdir(parents=True)
    usb = tmp_path / "sys" / "devices" / "1-1"
    (usb / "1-1:1.0" / "ttyUSB0").mkdir(parents=True)
    for file, text in (("idVendor", "1A86"), ("idProduct", "7523"), ("serial", "7")):
        (usb / file).write_text(text + "\n")
    named = tmp_path / "sys" / "class" / "tty" / "ttyUSB0"
    named.mkdir(parents=True)
    (named / "device").symlink_to(usb / "1-1:1.0" / "ttyUSB0")
    (devices / "ttyUSB0").touch()
    link = devices / "serial" / "by-id" / "usb-CH340"
    link.symlink_to("../../ttyUSB0")

    sysfs = tmp_path / "sys"
    assert ["1a86:7523:7"] * 2 == [usb_id(path, sysfs) for path in (link, devices / "ttyUSB0")]
    assert usb_id(devices / "ttyS0", sysfs) is None
    assert [str(link)] == [name for name, _ in find_ports(AUTO, devices).boards]


def test_confirmed_devices_are_kept(tmp_path: Path) -> None:
    """A confirmed device is a board from then on, alone of its kind; a damaged file costs a second
    confirmation and no more.
    """
    devices = tmp_path / "dev"
    devices.mkdir()
    for name, number in (("ttyACM0", "A"), ("ttyACM1", "B")):
        know_usb(devices, name, "2c99:0002", number).touch()
    ConfirmedDevices(tmp_path).add("2c99:0002:a")
    plugged = find_ports(AUTO, devices, confirmed=ConfirmedDevices(tmp_path))
    assert ([str(devices / "ttyACM0")], [str(devices / "ttyACM1")]) == (
        [name for name, _ in plugged.boards],
        plugged.strangers,
    )
    (tmp_path / CONFIRMED_FILE).write_text("{")

    assert "2c99:0002:a" not in ConfirmedDevices(tmp_path)
    with pytest.raises(OSError):
        ConfirmedDevices(tmp_path / "absent").add("2c99:0002:a")
