"""The arm64 image in the card slot of a Raspberry Pi 3B, as QEMU imitates it.

The kernel and the device tree are the image's own; QEMU has no Pi firmware that would load them.
The network is an adapter at the Pi's USB socket.
"""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

from hardware.image.disk import FIRMWARE_AT
from hardware.image.emulated import run
from tools.boot.machine import TIMEOUT, execute, get_json

DEVICE_TREE = "bcm2837-rpi-3-b.dtb"
CONSOLE = "ttyS1"
"""The device tree gives the first serial port to Bluetooth."""
COMMAND_LINE = (
    f"root=LABEL=root rw net.ifnames=0 console={CONSOLE},115200 "
    "systemd.mask=companion-kiosk.service systemd.service_watchdogs=0 "
    "systemd.journald.forward_to_console=1 systemd.journald.max_level_console=info"
)
"""No display: QEMU's Pi has no 3D processor, on which the display's browser waits. No watchdog: its
12 s are a Pi's, not those of an imitated one. The journal on the console names the table's address.
"""
NETWORK = "net=169.254.0.0/16,host=169.254.0.2,dhcpstart=169.254.0.15"
"""NetworkManager takes QEMU's USB adapter for a gadget, whose network has no DHCP: it chooses an
address of this network itself.
"""
READY = re.compile(rb"The table is ready on http://([0-9.]+):8080/")


def start_pi3(image: Path, folder: Path, port: int) -> tuple[bool, str]:
    """Start the image until the table's page answers on `port`; return the seconds.

    The image stays as it is; `folder` gets what the machine writes, and its console's text.
    """
    run(["mcopy", "-n", "-i", f"{image}@@{FIRMWARE_AT}", f"::{DEVICE_TREE}", str(folder)])
    card, console = folder / "card.qcow2", folder / "pi3.log"
    run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", str(image), "-F", "raw", str(card)])
    console.touch()
    monitor = folder / "monitor"
    words = [
        *("qemu-system-aarch64", "-M", "raspi3b", "-display", "none"),
        *("-kernel", str(image.parent / "vmlinuz"), "-initrd", str(image.parent / "initrd.img")),
        *("-dtb", str(folder / DEVICE_TREE), "-append", COMMAND_LINE),
        *("-drive", f"file={card},if=sd,format=qcow2"),
        *("-netdev", f"user,id=net,{NETWORK}", "-device", "usb-net,netdev=net"),
        *("-qmp", f"unix:{monitor},server=on,wait=off"),
        *("-serial", "null", "-serial", f"file:{console}"),
    ]
    started = time.monotonic()
    is_forwarded = False
    with subprocess.Popen(words, stdin=subprocess.DEVNULL) as machine:
        try:
            while get_json(port, "/healthz") is None:
                if machine.poll() is not None or time.monotonic() - started > TIMEOUT:
                    return False, f"no page after {time.monotonic() - started:.0f} s: {console}"
                if not is_forwarded and (ready := READY.search(console.read_bytes())):
                    forward_port(monitor, port, ready[1].decode())
                    is_forwarded = True
                time.sleep(1)
        finally:
            machine.kill()
    return True, f"after {time.monotonic() - started:.0f} s"


def forward_port(monitor: Path, port: int, address: str) -> None:
    """Let `port` of this machine lead to the table's page at an address of QEMU's network."""
    command = f"hostfwd_add net tcp:127.0.0.1:{port}-{address}:8080"
    # QMP has no command of its own for this; what the monitor answers is what is wrong.
    wrong = execute(monitor, "human-monitor-command", {"command-line": command})
    if wrong:
        raise ConnectionError(str(wrong))
