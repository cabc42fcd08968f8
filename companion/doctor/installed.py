"""Check a machine with the installed service: its settings, and writes to its card."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.config import Settings, load
from companion.doctor.result import CheckResult, bad, ok
from companion.doctor.system import System
from companion.installer.manifest import GAMES_FOLDER, SETTINGS_FOLDER, UNIT_FOLDER, UNIT_NAME
from companion.mounts import OVERLAYROOT, mount_of
from companion.server.http.addresses import is_address

UNIT = f"{UNIT_FOLDER}/{UNIT_NAME}"
KIOSK_NAME = "companion-kiosk.service"
KIOSK_UNIT = f"{UNIT_FOLDER}/{KIOSK_NAME}"
"""The unit of the display's browser, which may connect to this machine alone."""
MOUNT_OPTIONS = ("noatime", "commit=1", "errors=remount-ro")
"""Mount options of a partition for the games, as companion/installer/disk.py sets them."""
JOURNAL_FOLDER = "/var/log/journal"
STORAGE = re.compile(r"^Storage=(\w+)", re.MULTILINE)


def service_settings(
    chosen: Mapping[str, object], root: Path
) -> tuple[Settings, list[CheckResult]] | None:
    """Return the installed service's settings and results about them; None without a service.

    `chosen`: settings of the command line, which take precedence. Omits settings that only the
    service may read, and a result says so. Raises `SettingsError`.
    """
    if not (root / UNIT).exists():
        return None
    folder = root / SETTINGS_FOLDER
    file = folder / "table.toml"
    hidden = [
        path for path in (folder, file) if os.path.exists(path) and not os.access(path, os.R_OK)
    ]
    # Name one file, so that `load` skips the Wi-Fi's beside it, which not everybody may read.
    path = file if os.path.exists(file) and not hidden else Path(os.devnull)
    settings = load(path, chosen, {"STATE_DIRECTORY": str(root / GAMES_FOLDER)})
    results = [ok("doctor_service", folder=settings.data)]
    return settings, [
        *results,
        *(bad("note", "doctor_settings_unseen", file=str(path)) for path in hidden[:1]),
    ]


def is_barred(address: str, machine: System, unit: str = UNIT_NAME) -> bool:
    """Return whether an installed unit exchanges nothing with this address's network."""
    allowed = machine.ask("systemctl", "show", "--property=IPAddressAllow", "--value", unit)
    networks = [
        ipaddress.ip_network(word, strict=False)
        for word in (allowed or "").split()
        if is_address(word.partition("/")[0])
    ]
    if not networks or not is_address(address):
        return False
    return not any(ipaddress.ip_address(address) in network for network in networks)


def check_system(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Check, if installed: read-only system, partition for the games, nothing else that writes."""
    if not machine.has(f"/{UNIT}"):
        return
    mounts = machine.mounts()
    system, games = mount_of(Path("/"), mounts), mount_of(settings.folder, mounts)
    if system and games:
        read_only = system.source == OVERLAYROOT or "ro" in system.options
        yield ok("doctor_system_read_only" if read_only else "doctor_system_writable")
        if games.point == system.point:
            yield ok("doctor_data_shared")
        elif lacking := [option for option in MOUNT_OPTIONS if option not in games.options]:
            yield bad(
                "note", "doctor_data_apart_lacks", device=games.source, lacking=", ".join(lacking)
            )
        else:
            yield ok(
                "doctor_data_apart", device=games.source, options=", ".join(sorted(games.options))
            )
        if (
            games.point != system.point
            and "fsck.repair=yes" not in machine.text("/proc/cmdline").split()
        ):
            yield bad("note", "doctor_no_repair")
    storage = (
        STORAGE.findall(machine.ask("systemd-analyze", "cat-config", "systemd/journald.conf") or "")
        or ["auto"]
    )[-1]
    is_persistent = storage == "persistent" or (storage == "auto" and machine.has(JOURNAL_FOLDER))
    yield bad("note", "doctor_journal_kept") if is_persistent else ok("doctor_journal_volatile")
    # Swap in compressed memory (zram) writes nothing to the card.
    swaps = [
        line.split()[0]
        for line in machine.text("/proc/swaps").splitlines()[1:]
        if not line.startswith("/dev/zram")
    ]
    yield bad("note", "doctor_swap", devices=", ".join(swaps)) if swaps else ok("doctor_no_swap")
