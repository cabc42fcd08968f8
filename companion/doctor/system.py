"""Query the operating system, one query a method, so that tests can fake it."""

from __future__ import annotations

import glob
import importlib.metadata
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from companion.config import Broker, ClubSettings
from companion.core.game import Message
from companion.sensors.link import Link, Timing
from companion.sensors.serial.ports import (
    AUTO,
    connection_lost,
    find_ports,
    open_board,
    open_failure,
    programs_with,
    transfer,
)
from companion.sensors.serial.session import Session
from companion.sensors.tags.registry import TagRegistry
from companion.server.http.addresses import TableAddresses, listen_failure, table_answers
from companion.server.http.network import own_addresses

RADIOS = Path("/sys/class/rfkill")


class System:
    """The machine this program runs on. It changes nothing."""

    def python(self) -> tuple[int, int]:
        """Return the version of Python, as (major, minor)."""
        return sys.version_info[:2]

    def missing_modules(self, modules: Sequence[str]) -> list[str]:
        """Return the modules that cannot be imported."""
        return [module for module in modules if importlib.util.find_spec(module) is None]

    def installed(self, package: str) -> bool:
        """Return whether a package of this name is installed."""
        try:
            importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            return False
        return True

    def mounts(self) -> str:
        """Return the kernel's list of mounts, proc_pid_mountinfo(5); "" where there is none."""
        return self.text("/proc/self/mountinfo")

    def text(self, path: str) -> str:
        """Return a small file's text, "" if it does not exist or may not be read."""
        try:
            return Path(path).read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ""

    def has(self, path: str) -> bool:
        """Return whether a path exists, as far as this program may see."""
        return os.path.exists(path)

    def free_bytes(self, path: Path) -> int:
        """Return the free bytes of an existing path's file system."""
        return shutil.disk_usage(path).free

    def addresses(self) -> list[str]:
        """Return the IPv4 addresses under which other devices may reach this machine."""
        return own_addresses()

    def wifi_blocked(self) -> bool:
        """Return whether rfkill blocks the Wi-Fi, as on a Pi until its country is set."""
        radios = [
            path.parent for path in RADIOS.glob("*/type") if path.read_text().strip() == "wlan"
        ]
        return any(
            (radio / kind).read_text().strip() == "1"
            for radio in radios
            for kind in ("soft", "hard")
        )

    def listen_failure(self, addresses: TableAddresses) -> Message | None:
        """Return why a table cannot listen there, None if it can."""
        try:
            socket.create_server((addresses.host, addresses.port)).close()
        except OSError as failed:
            return listen_failure(addresses.host, addresses.port, failed)
        return None

    def companion_answers(self, addresses: TableAddresses) -> bool:
        """Return whether a companion already serves there."""
        return table_answers(addresses, timeout=2)

    def serial_ports(self) -> list[str]:
        """Return the serial devices that may be a board, by names that survive replugging."""
        return [device for device, _ in find_ports(AUTO, Path("/dev")).boards]

    def strange_ports(self) -> list[str]:
        """Return the other serial devices on USB, which `auto` does not open."""
        return find_ports(AUTO, Path("/dev")).strangers

    def programs_with(self, device: str) -> tuple[str, ...]:
        """Return the names of the programs that have a device open, as far as can be seen."""
        return programs_with(device)

    def identify(self, device: str, timing: Timing | None = None) -> tuple[Link, list[str]]:
        """Return what a device says it is, and its last lines; only a board is "up".

        Takes some seconds. A foreign device receives nothing but question marks.
        """
        limits = timing or Timing()
        conversation = Session("doctor", TagRegistry(), limits)
        try:
            port = open_board(device, limits)
        except (OSError, ValueError) as wrong:
            return Link("refused", device, message=open_failure(device, wrong)), []
        try:
            out = conversation.port_opened(device, time.monotonic())
            greets_until = time.monotonic() + limits.ask_for
            while not conversation.over and (
                conversation.link.state != "up"
                or (not conversation.cells and time.monotonic() < greets_until)
            ):
                out = conversation.advance(time.monotonic(), transfer(port, out, limits.read))
        except OSError as wrong:
            return Link("refused", device, message=connection_lost(device, wrong)), []
        finally:
            port.close()
        lines = [trace.line for trace in conversation.traces if trace.way == "in"]
        return conversation.link, lines

    def devices(self, *patterns: str) -> list[str]:
        """Return the devices whose paths match."""
        return sorted(path for pattern in patterns for path in glob.glob(pattern))

    def may_use(self, path: str) -> bool:
        """Return whether this program may read and write a device."""
        return os.access(path, os.R_OK | os.W_OK)

    def may_read(self, folder: Path) -> bool:
        """Return whether this program may list a folder."""
        return os.access(folder, os.R_OK | os.X_OK)

    def broker_problem(self, settings: ClubSettings, broker: Broker) -> Message | None:
        """Return why an MQTT broker does not serve a table, None if it does.

        Needs the extra `club`. Leaves nothing at the broker.
        """
        from companion.mqtt.publisher import probe_broker

        return probe_broker(settings, broker, f"companion-doctor-{os.getpid()}", time.monotonic)

    def find(self, *programs: str) -> str | None:
        """Return the path of the first of these programs that is installed."""
        return next((path for program in programs if (path := shutil.which(program))), None)

    def ask(self, *command: str) -> str | None:
        """Return a command's output, None if it is missing or fails."""
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                timeout=5,
                check=True,
                encoding="utf-8",
                errors="replace",
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout

    def wall(self) -> float:
        """Return the machine's clock in seconds since 1970."""
        return time.time()
