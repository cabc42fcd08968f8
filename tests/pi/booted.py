"""A root of Debian in which systemd runs, as on a machine that was switched on: its own processes, its own network, and
control groups of its own below this machine's. Needs root and control groups of the second kind."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from tests.pi.debian import ENVIRONMENT, PATIENCE, Debian, ended

DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
ALIEN = "rm -f etc/systemd/system/multi-user.target.wants/* usr/sbin/policy-rc.d"
"""This machine's own services do not start there a second time."""


class Booted:
    """A root that was switched on; `run` is a command in it. Used as a context, it is switched off at its end."""

    def __init__(self, debian: Debian) -> None:
        groups = (line.split() for line in Path("/proc/mounts").read_text().splitlines())
        self._group = Path(next(fields[1] for fields in groups if fields[2] == "cgroup2")) / f"companion-{os.getpid()}"
        self._group.mkdir()
        devices = "".join(f"touch dev/{name}; mount --bind /dev/{name} dev/{name}; " for name in DEVICES)
        inside = (
            f"ip link set lo up; {debian.mounts()}; {ALIEN}; mount -t proc proc proc; mount -t sysfs -o ro sysfs sys;"
            " mount --bind proc/sys proc/sys; mount -o remount,ro,bind proc/sys; mount -t cgroup2 none sys/fs/cgroup;"
            f" mount -t tmpfs -o mode=755 dev dev; {devices}mkdir dev/pts dev/shm;"
            " mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts; ln -s pts/ptmx dev/ptmx;"
            " ln -s /proc/self/fd dev/fd; mount -t tmpfs shm dev/shm; mount -t tmpfs -o mode=755 run run;"
            " mount -t tmpfs -o mode=1777 tmp tmp; mkdir -p .old; pivot_root . .old; umount -l .old; rmdir .old;"
            f" exec env -i container=companion PATH={ENVIRONMENT['PATH']} /lib/systemd/systemd --system"
        )
        apart = "unshare --kill-child --cgroup --mount --pid --fork --uts --ipc --net sh -ec"
        join = f"echo 0 > {self._group}/cgroup.procs; exec {apart} {shlex.quote(inside)}"
        self._process = subprocess.Popen(["sh", "-ec", join], stdin=subprocess.DEVNULL, env=ENVIRONMENT)

    def __enter__(self) -> Booted:
        end = time.monotonic() + PATIENCE
        while self._ask("systemctl is-system-running").stdout.strip() not in ("running", "degraded"):
            assert self._process.poll() is None and time.monotonic() < end
            time.sleep(0.2)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for child in self._children():
            os.kill(child, signal.SIGKILL)
        self._process.kill()
        self._process.wait(PATIENCE)
        end = time.monotonic() + PATIENCE
        while self._group.exists():
            assert time.monotonic() < end
            # A group is busy until the last of its processes is gone.
            with suppress(OSError):
                for folder in sorted((path for path in self._group.rglob("*") if path.is_dir()), reverse=True):
                    folder.rmdir()
                self._group.rmdir()
            time.sleep(0.1)

    def run(self, command: str, status: int = 0) -> str:
        """Run a shell command inside; return all that it says."""
        done = self._ask(command)
        assert status == done.returncode, done.stdout
        return done.stdout

    def _ask(self, command: str) -> subprocess.CompletedProcess[str]:
        first = next(iter(self._children()), self._process.pid)
        return ended(
            ["nsenter", "-t", str(first), "-m", "-p", "-u", "-i", "-n", "-C", "-r", "-w", "sh", "-ec", command]
        )

    def _children(self) -> list[int]:
        pid = self._process.pid
        try:
            return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except FileNotFoundError:
            return []
