"""The arm64 image in the card slot of a Raspberry Pi 3B, as QEMU imitates it.

The kernel and the device tree are the image's own; QEMU has no Pi firmware that would load them.
The network is an adapter at the Pi's USB socket.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from hardware.image.disk import FIRMWARE_AT
from hardware.image.emulated import run
from tests.boot.machine import TIMEOUT, get_json

DEVICE_TREE = "bcm2837-rpi-3-b.dtb"
CONSOLE = "ttyS1"
"""The device tree gives the first serial port to Bluetooth."""
COMMAND_LINE = (
    f"root=LABEL=root rw net.ifnames=0 console={CONSOLE},115200 "
    "systemd.mask=companion-kiosk.service"
)
"""No display: QEMU's Pi has no 3D processor, on which the display's browser waits."""


def start_pi3(image: Path, folder: Path, port: int) -> tuple[bool, str]:
    """Start the image until the table's page answers on `port`; return the seconds.

    The image stays as it is; `folder` gets what the machine writes, and its console's text.
    """
    run(["mcopy", "-n", "-i", f"{image}@@{FIRMWARE_AT}", f"::{DEVICE_TREE}", str(folder)])
    card, console = folder / "card.qcow2", folder / "pi3.log"
    run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", str(image), "-F", "raw", str(card)])
    words = [
        *("qemu-system-aarch64", "-M", "raspi3b", "-display", "none"),
        *("-kernel", str(image.parent / "vmlinuz"), "-initrd", str(image.parent / "initrd.img")),
        *("-dtb", str(folder / DEVICE_TREE), "-append", COMMAND_LINE),
        *("-drive", f"file={card},if=sd,format=qcow2"),
        *("-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{port}-:8080"),
        *("-device", "usb-net,netdev=net", "-serial", "null", "-serial", f"file:{console}"),
    ]
    started = time.monotonic()
    with subprocess.Popen(words, stdin=subprocess.DEVNULL) as machine:
        try:
            while get_json(port, "/healthz") is None:
                if machine.poll() is not None or time.monotonic() - started > TIMEOUT:
                    return False, f"no page after {time.monotonic() - started:.0f} s: {console}"
                time.sleep(1)
        finally:
            machine.kill()
    return True, f"after {time.monotonic() - started:.0f} s"
