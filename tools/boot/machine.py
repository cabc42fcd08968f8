"""A machine in QEMU that starts an image: its shell, its screen, its plug."""

from __future__ import annotations

import json
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

from hardware.image.emulated import run

MEMORY = 2048
"""MiB."""
TIMEOUT = 1800.0
"""Seconds for anything in a machine whose processor is imitated, on a loaded machine."""
PROBE = 20
"""Seconds in which a kernel that KVM can run has said its name."""
SHELL = "hvc0"
"""systemd gives this console a shell without a login, because the kernel's command line says so."""
COMMAND_LINE = f"root=LABEL=root rw net.ifnames=0 systemd.debug_shell={SHELL}"
PROCESSORS = {
    "amd64": ["qemu-system-x86_64", "-M", "q35"],
    "arm64": ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72"],
}
SERIAL = {"amd64": "console=ttyS0 console=tty0", "arm64": "console=ttyAMA0 console=tty0"}
IMITATED = ["-accel", "tcg,thread=multi"]


class Machine:
    """An image on a disk of its own: what the machine writes is kept between two starts, and the
    image stays as it is.

    `folder`: an empty one for the disk, the sockets and pictures. `tools`: a folder that the
    machine has as a second disk. `port`: where its page is found on this machine.
    """

    def __init__(
        self, image: Path, arch: str, folder: Path, port: int, tools: Path | None = None
    ) -> None:
        self.arch, self.folder, self.port = arch, folder, port
        self._boot = image.parent
        self._disk = folder / "disk.qcow2"
        self._tools = folder / "tools.img" if tools else None
        self._process: subprocess.Popen[bytes] | None = None
        self._shell = socket.socket(socket.AF_UNIX)
        backing = ["-b", str(image.resolve()), "-F", "raw", str(self._disk)]
        run(["qemu-img", "create", "-q", "-f", "qcow2", *backing])
        if tools and self._tools:
            run(["mkfs.ext4", "-q", "-L", "tools", "-d", str(tools), str(self._tools), "64M"])

    def power_on(self, accelerator: list[str], command_line: str = "") -> float:
        """Switch it on; return the time by `time.monotonic`."""
        address = self.folder / "shell"
        address.unlink(missing_ok=True)
        drives = [f"file={self._disk},if=virtio,cache=writeback"]
        if self._tools:
            drives.append(f"file={self._tools},if=virtio,format=raw,readonly=on")
        words = [
            *(*PROCESSORS[self.arch], *accelerator, "-smp", "2", "-m", str(MEMORY)),
            *("-kernel", str(self._boot / "vmlinuz"), "-initrd", str(self._boot / "initrd.img")),
            *("-append", f"{COMMAND_LINE} {SERIAL[self.arch]} {command_line}"),
            *(word for drive in drives for word in ("-drive", drive)),
            *("-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{self.port}-:8080"),
            *("-device", "virtio-net-pci,netdev=net", "-device", "virtio-rng-pci"),
            *("-vga", "none") * (self.arch == "amd64"),
            *("-device", "virtio-gpu-pci,id=screen,xres=1280,yres=720"),
            *("-device", "virtio-tablet-pci", "-device", "virtio-keyboard-pci"),
            *("-display", "none", "-serial", f"file:{self.folder / 'serial.log'}"),
            *("-device", "virtio-serial-pci", "-device", "virtconsole,chardev=shell"),
            *("-chardev", f"socket,id=shell,path={address},server=on,wait=off"),
            *("-qmp", f"unix:{self.folder / 'monitor'},server=on,wait=off"),
        ]
        started = time.monotonic()
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
        self.until(address.exists, "QEMU's socket")
        self._shell = socket.socket(socket.AF_UNIX)
        self._shell.connect(str(address))
        return started

    def pull_plug(self) -> None:
        """Cut its power: unwritten data is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._shell.close()

    def until(
        self,
        condition: Callable[[], object],
        description: str,
        pause: float = 0.2,
        timeout: float = TIMEOUT,
    ) -> None:
        """Wait until a condition holds; raise `TimeoutError`, or if the machine ends."""
        end = time.monotonic() + timeout
        while not condition():
            if self._process is None or self._process.poll() is not None:
                raise ConnectionError(f"the machine ended before: {description}")
            if time.monotonic() > end:
                raise TimeoutError(description)
            time.sleep(pause)

    def run(self, command: str) -> str:
        """Run a shell command inside, as root; return its output."""
        mark = uuid4().hex
        self._shell.sendall(f"({command}\n) 2>&1; echo {mark}\n".encode())
        return self._read_until(mark).partition(mark)[0].strip()

    def wait_for_shell(self) -> None:
        """Wait until the shell answers."""
        self._shell.settimeout(5)
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            try:
                self._shell.sendall(b"exec /bin/dash\nstty -echo; PS1= PS2=; echo rea''dy\n")
                while b"ready" not in self._shell.recv(65536):
                    pass
            except TimeoutError:
                continue
            self._shell.settimeout(TIMEOUT)
            self.run("true")
            return
        raise TimeoutError("the shell")

    def get(self, path: str) -> Any:
        """Return its page's answer, None as long as there is none."""
        return get_json(self.port, path)

    def screenshot(self, target: Path) -> Path:
        """Write its screen as a PNG."""
        arguments = {"filename": str(target), "format": "png", "device": "screen"}
        execute(self.folder / "monitor", "screendump", arguments)
        return target

    def _read_until(self, mark: str) -> str:
        received = ""
        while mark not in received:
            data = self._shell.recv(65536)
            if not data:
                raise ConnectionError("the machine ended")
            received += data.decode(errors="replace").replace("\r", "")
        return received


def execute(monitor: Path, command: str, arguments: dict[str, str]) -> object:
    """Let QEMU execute a command of its QMP socket and return the result; raise `ConnectionError`
    with its reason if it refuses.
    """
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(monitor))
        lines = line.makefile("rw")
        lines.readline()
        for order in (
            {"execute": "qmp_capabilities"},
            {"execute": command, "arguments": arguments},
        ):
            lines.write(json.dumps(order) + "\n")
            lines.flush()
            while "return" not in (output := json.loads(lines.readline())):
                if "error" in output:
                    raise ConnectionError(output["error"]["desc"])
    return output["return"]


def get_json(port: int, path: str) -> Any:
    """Return what a machine's page answers at this machine's port, None without an answer."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as output:
            return json.load(output)
    except (OSError, ValueError):
        return None


def accelerator(image: Path, arch: str) -> list[str]:
    """Return QEMU's arguments for KVM if it runs this image's kernel, else for emulation."""
    if arch != "amd64" or not Path("/dev/kvm").exists():
        return [*IMITATED, *(["-cpu", "max"] if arch == "amd64" else [])]
    words = ["-accel", "kvm", "-cpu", "host,-arch-capabilities"]
    kernel = ["-kernel", str(image.parent / "vmlinuz"), "-append", "console=ttyS0 panic=-1"]
    quiet = ["-m", "512", "-display", "none", "-serial", "stdio", "-no-reboot"]
    tried = subprocess.run(
        ["timeout", str(PROBE), *PROCESSORS[arch], *words, *kernel, *quiet],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return words if b"Linux version" in tried.stdout else [*IMITATED, "-cpu", "max"]
