"""The arm64 image in the card slot of a Raspberry Pi 3B, as QEMU imitates it.

The kernel and the device tree are the image's own; QEMU has no Pi firmware that would load them.
The network is an adapter at the Pi's USB socket.
"""

from __future__ import annotations

import re
import socket
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
    "systemd.mask=companion-kiosk.service systemd.service_watchdogs=0 "
    "systemd.journald.forward_to_console=1 systemd.journald.max_level_console=info"
)
"""No display: QEMU's Pi has no 3D processor, on which the display's browser waits. No watchdog: an
imitated Pi reports later than every 12 s. The journal on the console names the table's address.
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
        *("-monitor", f"unix:{monitor},server,nowait"),
        *("-serial", "null", "-serial", f"file:{console}"),
    ]
    started = time.monotonic()
    is_reached = False
    with subprocess.Popen(words, stdin=subprocess.DEVNULL) as machine:
        try:
            while get_json(port, "/healthz") is None:
                if machine.poll() is not None or time.monotonic() - started > TIMEOUT:
                    return False, f"no page after {time.monotonic() - started:.0f} s: {console}"
                if not is_reached and (ready := READY.search(console.read_bytes())):
                    reach(monitor, port, ready[1].decode())
                    is_reached = True
                time.sleep(1)
        finally:
            machine.kill()
    return True, f"after {time.monotonic() - started:.0f} s"


def reach(monitor: Path, port: int, address: str) -> None:
    """Let `port` of this machine lead to the table's page at an address of QEMU's network."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(60)
        line.connect(str(monitor))
        await_prompt(line)
        line.sendall(f"hostfwd_add net tcp:127.0.0.1:{port}-{address}:8080\n".encode())
        await_prompt(line)


def await_prompt(line: socket.socket) -> None:
    """Read until QEMU's monitor takes a command; it drops one whose sender has left."""
    text = b""
    while not text.endswith(b"(qemu) "):
        text += line.recv(4096)
