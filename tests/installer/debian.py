"""This very Debian as a root to install in: what is written there lies in a folder of the test's,
nothing is changed here. It is an overlay in a mount namespace, so the tests that use it are root's.
"""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

TIMEOUT = 1800
"""Seconds for a command on a machine with much else to do; nothing is asserted about time."""
SYSTEMS_OWN = {
    "etc/passwd-",
    "etc/group-",
    "etc/shadow-",
    "etc/gshadow-",
    "etc/.pwd.lock",
    "var/lib/dpkg/status-old",
    "var/log/dpkg.log",
    "var/cache/man/index.db",
}
"""What Debian's own tools write about any change at all: their logs, and the former state of their
files.
"""
MANUALS = "var/lib/man-db/auto-update"
"""The switch of the trigger that rebuilds the manual index after each package: no root has it."""
ENVIRONMENT = {"PATH": os.defpath + ":/usr/sbin:/sbin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}


class Debian:
    """A root of Debian, or a copy of one; `run` is a command in it."""

    def __init__(self, folder: Path, like: Debian | None = None) -> None:
        self._folder = folder
        self.upper = folder / "upper"
        for name in ("work", "root"):
            (folder / name).mkdir(parents=True)
        if like:
            subprocess.run(["cp", "-a", like.upper, self.upper], check=True, timeout=TIMEOUT)
        else:
            self.upper.mkdir()

    def command(self, command: str) -> list[str]:
        """Return the command line of a shell command inside."""
        mounts = (
            f"{self.mounts()} && mount -t proc proc proc"
            " && mount --rbind /dev dev && mount --rbind /sys sys && mount -t tmpfs run run"
        )
        return [
            "unshare",
            "-m",
            "sh",
            "-ec",
            f"{mounts}; exec chroot . sh -ec {shlex.quote(command)}",
        ]

    def mounts(self) -> str:
        """Return the shell commands that mount the root and go to it."""
        root = shlex.quote(str(self._folder / "root"))
        options = f"lowerdir=/,upperdir={self.upper},workdir={self._folder / 'work'}"
        return f"mount -t overlay overlay -o {shlex.quote(options)} {root} && cd {root}"

    def run(self, command: str, status: int = 0) -> str:
        """Run a shell command inside; return its output."""
        result = ended(self.command(command))
        assert status == result.returncode, result.stdout
        return result.stdout

    def changed(self) -> list[str]:
        """Return the paths that differ from this machine's Debian: written, made or removed."""
        paths = {str(path.relative_to(self.upper)) for path in self.upper.rglob("*")}
        paths -= {*SYSTEMS_OWN, MANUALS}
        return sorted(path for path in paths if state(self.upper / path) != state(Path("/") / path))


def ended(
    words: Sequence[str],
    environment: Mapping[str, str] = MappingProxyType(ENVIRONMENT),
    timeout: float = TIMEOUT,
) -> subprocess.CompletedProcess[str]:
    """Return a command that has run to its end; `stdout` is all its output, which may be no text.

    timeout: seconds
    """
    return subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="backslashreplace",
        timeout=timeout,
        check=False,
        env=dict(environment),
    )


def state(path: Path) -> object:
    """Return a file's type and content, None if there is none; an overlay marks removed files by a
    device.
    """
    if not os.path.lexists(path):
        return None
    if path.is_symlink():
        return os.readlink(path)
    mode = path.lstat().st_mode
    return (mode, path.read_bytes()) if stat.S_ISREG(mode) else stat.S_IFMT(mode)
