"""A root of Debian in which systemd runs, as on a machine that was switched on: its own processes,
its own network, and control groups of its own below this machine's. Needs root and control groups
of the second kind.

A read-only one is mounted before that by overlayroot's own script, which stands in the root, with
around it what an initramfs has.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from tests.installer.card import Card
from tests.installer.debian import ENVIRONMENT, TIMEOUT, Debian, ended

DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
ALIEN = (
    "find etc/systemd/system/multi-user.target.wants ! -type d ! -name 'companion*' -delete; "
    "rm -f usr/sbin/policy-rc.d"
)
"""This machine's own services do not start there a second time."""
FSCK = "systemd/system/systemd-fsck@.service"
NO_UDEV = f"mkdir -p run/systemd/system; sed 's/%i.device//; /^BindsTo=$/d' lib/{FSCK} > run/{FSCK}"
"""No udev runs in here to report a device, for which a check of its file system waits."""
INITRAMFS = (
    "mkdir -p ../initramfs; mount -t tmpfs initramfs ../initramfs; cd ../initramfs; mkdir upper "
    "work all;"
    " mount -t overlay initramfs -o lowerdir=/,upperdir=upper,workdir=work all; cd all; mount -t "
    "proc proc proc;"
    " mkdir -p scripts card; for kind in failure success warning; do"
    ' echo "log_${kind}_msg() { echo \\"\\$*\\"; }" >> scripts/functions; done;'
    " mount --move ../../root card; mount -o remount,ro card;"
    " rootmnt=/card chroot . sh /card/usr/share/initramfs-tools/scripts/init-bottom/overlayroot;"
    " chroot . findmnt -n -o SOURCE /card | grep -qx overlayroot || mount -o remount,rw card; cd "
    "card"
)
"""The shell commands between a root that is mounted and one that overlayroot has made read-only,
where that is configured; otherwise it is writable, as fstab would have it.
"""


class Booted:
    """A root that was switched on; `run` is a command in it. Used as a context, its plug is pulled
    at the end. `card` is plugged in where there is one; `sealed`: whether overlayroot is in the
    initramfs.
    """

    def __init__(self, debian: Debian, card: Card | None = None, sealed: bool = False) -> None:
        groups = (
            line.split() for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
        )
        self._group = (
            Path(next(fields[1] for fields in groups if fields[2] == "cgroup2"))
            / f"companion-{os.getpid()}"
        )
        self._group.mkdir()
        names = (*DEVICES, *([Path(card.device).name] if card else []))
        devices = "".join(
            f"touch dev/{name}; mount --bind /dev/{name} dev/{name}; " for name in names
        )
        if card:
            devices += (
                "mkdir -p dev/disk/by-uuid; "
                f"ln -s ../../{names[-1]} dev/disk/by-uuid/{card.uuid}; {NO_UDEV}; "
            )
        inside = (
            f"ip link set lo up; {debian.mounts()}; {INITRAMFS if sealed else ':'}; {ALIEN};"
            " mount -t tmpfs -o mode=755 run run; mount -t proc proc proc; mount -t sysfs -o ro "
            "sysfs sys;"
            " mount --bind proc/sys proc/sys; mount -o remount,ro,bind proc/sys; mount -t "
            "cgroup2 none sys/fs/cgroup;"
            f" mount -t tmpfs -o mode=755 dev dev; {devices}mkdir dev/pts dev/shm;"
            " mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts; ln -s pts/ptmx dev/ptmx;"
            " ln -s /proc/self/fd dev/fd; mount -t tmpfs shm dev/shm;"
            " mount -t tmpfs -o mode=1777 tmp tmp; mkdir -p .old; pivot_root . .old; umount -l "
            ".old; rmdir .old;"
            f" exec env -i container=companion PATH={ENVIRONMENT['PATH']} /lib/systemd/systemd "
            f"--system"
        )
        apart = "unshare --kill-child --cgroup --mount --pid --fork --uts --ipc --net sh -ec"
        join = f"echo 0 > {self._group}/cgroup.procs; exec {apart} {shlex.quote(inside)}"
        self._process = subprocess.Popen(
            ["sh", "-ec", join], stdin=subprocess.DEVNULL, env=ENVIRONMENT
        )

    def __enter__(self) -> Booted:
        end = time.monotonic() + TIMEOUT
        while self._ask("systemctl is-system-running").stdout.strip() not in (
            "running",
            "degraded",
        ):
            assert self._process.poll() is None and time.monotonic() < end
            time.sleep(0.2)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        for child in self._children():
            os.kill(child, signal.SIGKILL)
        self._process.kill()
        self._process.wait(TIMEOUT)
        end = time.monotonic() + TIMEOUT
        while self._group.exists():
            assert time.monotonic() < end
            # A group is busy until the last of its processes is gone.
            with suppress(OSError):
                for folder in sorted(
                    (path for path in self._group.rglob("*") if path.is_dir()), reverse=True
                ):
                    folder.rmdir()
                self._group.rmdir()
            time.sleep(0.1)

    def run(self, command: str, status: int = 0) -> str:
        """Run a shell command inside; return its output."""
        result = self._ask(command)
        assert status == result.returncode, result.stdout
        return result.stdout

    def read(self, path: str) -> bytes:
        """Return the content of a file inside."""
        return Path(f"/proc/{self._first}/root{path}").read_bytes()

    def beside(self, *words: str) -> str:
        """Run a program of this machine in the other one's network; return its output."""
        result = ended(["nsenter", "-t", str(self._first), "-n", *words])
        assert 0 == result.returncode, result.stdout
        return result.stdout

    @property
    def _first(self) -> int:
        return next(iter(self._children()), self._process.pid)

    def _ask(self, command: str) -> subprocess.CompletedProcess[str]:
        return ended(
            [
                "nsenter",
                "-t",
                str(self._first),
                "-m",
                "-p",
                "-u",
                "-i",
                "-n",
                "-C",
                "-r",
                "-w",
                "sh",
                "-ec",
                command,
            ]
        )

    def _children(self) -> list[int]:
        pid = self._process.pid
        try:
            return [
                int(word)
                for word in Path(f"/proc/{pid}/task/{pid}/children")
                .read_text(encoding="utf-8")
                .split()
            ]
        except FileNotFoundError:
            return []
