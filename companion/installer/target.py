"""Access the system to install on: this machine, or a folder such as a Pi's mounted card."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from companion.mounts import OVERLAYROOT, mount_of
from companion.platforms import ON_LINUX

SUPPORTED = {("debian", "12"), ("debian", "13"), ("raspbian", "12"), ("raspbian", "13")}
MODEL = Path("/proc/device-tree/model")
TOOLS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


CLOSE_HINT = "restart, repeat this command, then run `sudo companion install --read-only-root`"
READ_ONLY_HINT = (
    "this system is read-only: changes are lost at power-off; run `sudo overlayroot-chroot "
    f"companion install --no-read-only-root`, {CLOSE_HINT}"
)
BELOW_READ_ONLY_HINT = (
    f"this system starts read-only; run `companion install --no-read-only-root` here, {CLOSE_HINT}"
)


class CannotInstall(Exception):
    """Error raised when something cannot be installed; its text is a sentence."""


class TargetSystem:
    """A system's files and the tools that change it."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()

    @property
    def is_ours(self) -> bool:
        """Whether this program runs in it."""
        return self.path == Path("/")

    @property
    def is_pi(self) -> bool:
        """Whether it is a Raspberry Pi's, by this machine's model or by the system on a card."""
        if not self.is_ours:
            return self.at("etc/rpi-issue").exists()
        return MODEL.exists() and MODEL.read_bytes().startswith(b"Raspberry Pi")

    @property
    def runs(self) -> bool:
        """Whether its services can be started and stopped now."""
        return self.is_ours and Path("/run/systemd/system").is_dir() and not self.is_below_read_only

    @property
    def is_read_only(self) -> bool:
        """Whether everything that is written to it now is lost at power-off."""
        return self.is_ours and _root_is_overlaid("self")

    @property
    def is_below_read_only(self) -> bool:
        """Whether it is the system below a read-only one, as overlayroot-chroot opens it."""
        return self.is_ours and not self.is_read_only and _root_is_overlaid("1")

    def at(self, place: str) -> Path:
        """Return the path here of a path of that system."""
        return self.path / place

    def check(self) -> None:
        """Raise `CannotInstall` unless the companion supports this system and may change it."""
        if not ON_LINUX:
            raise CannotInstall(
                "the service, the kiosk and the access point are Linux's; here, start the table "
                "with `companion serve`"
            )
        if os.geteuid() != 0:
            raise CannotInstall("only root may do that; say `sudo companion …`")
        if self.is_read_only:
            raise CannotInstall(READ_ONLY_HINT)
        release = self._os_release()
        if (release.get("ID", ""), release.get("VERSION_ID", "")) not in SUPPORTED:
            name = release.get("PRETTY_NAME", f"{self.path} without an etc/os-release")
            raise CannotInstall(
                f"this is for Raspberry Pi OS or Debian 12 and 13, and not for {name}"
            )
        if not any(self.at(f"{folder}/systemctl").exists() for folder in ("usr/bin", "bin")):
            raise CannotInstall(f"{self.path} has no systemd, which starts the table")

    def has(self, *programs: str) -> bool:
        """Return whether one of these programs is installed there."""
        return any(
            os.path.lexists(self.at(f"usr/{folder}/{name}"))
            for folder in ("bin", "sbin")
            for name in programs
        )

    def names(self, database: str) -> list[str]:
        """Return the names of the users ("passwd") or groups ("group") there."""
        path = self.at(f"etc/{database}")
        return (
            [line.split(":")[0] for line in path.read_text().splitlines()] if path.exists() else []
        )

    def number(self, database: str, name: str) -> int:
        """Return the number of a user ("passwd") or group ("group") there."""
        lines = (line.split(":") for line in self.at(f"etc/{database}").read_text().splitlines())
        return next(int(fields[2]) for fields in lines if fields[0] == name)

    def systemctl(self, *words: str) -> None:
        """Run systemctl there; on a system that does not run it only changes links."""
        self.run("systemctl", *([] if self.is_ours else [f"--root={self.path}"]), *words)

    def run_if_live(self, *command: str) -> None:
        """Run a command that matters only on a running system."""
        if self.runs and shutil.which(command[0], path=TOOLS):
            self.run(*command)

    def is_newer(self, version: str, than: str) -> bool:
        """Return whether a version is newer than another, by Debian's rules."""
        return (
            subprocess.run(
                ["dpkg", "--compare-versions", version, "gt", than], check=False
            ).returncode
            == 0
        )

    def make_accounts(self, *lines: str) -> None:
        """Make the users and groups of sysusers.d(5) lines that do not exist."""
        self.run("systemd-sysusers", f"--root={self.path}", "--inline", *lines)

    def remove_user(self, name: str) -> None:
        """Remove a user, and its group if it has no other members."""
        self.run("userdel", *self._prefix(), name)

    def remove_group(self, name: str) -> None:
        """Remove a group."""
        self.run("groupdel", *self._prefix(), name)

    def mounts(self) -> str:
        """Return the mounts of the system in which this program runs."""
        return _mounts("self")

    def output_of(self, *command: str) -> str:
        """Return a command's output, "" if it fails."""
        return self._completed(command).stdout

    def run(self, *command: str) -> None:
        """Run a command; raise `CannotInstall` with its error message."""
        done = self._completed(command)
        if done.returncode:
            raise CannotInstall(
                f"{shlex.join(command)} failed: {done.stderr.strip() or done.stdout.strip()}"
            )

    def _prefix(self) -> list[str]:
        return [] if self.is_ours else ["--prefix", str(self.path)]

    def _completed(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                command,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                check=False,
                env={**os.environ, "PATH": TOOLS, "LC_ALL": "C"},
            )
        except OSError as missing:
            raise CannotInstall(f"{command[0]} could not be run: {missing.strerror}") from missing

    def _os_release(self) -> dict[str, str]:
        try:
            text = self.at("etc/os-release").read_text(encoding="utf-8")
        except OSError:
            return {}
        pairs = (line.partition("=") for line in text.splitlines())
        return {key: value.strip("\"'") for key, _, value in pairs}


def _mounts(process: str) -> str:
    path = Path(f"/proc/{process}/mountinfo")
    return path.read_text(encoding="utf-8", errors="surrogateescape") if path.exists() else ""


def _root_is_overlaid(process: str) -> bool:
    mount = mount_of(Path("/"), _mounts(process))
    return mount is not None and mount.source == OVERLAYROOT
