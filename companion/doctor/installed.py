"""How a machine is that was made the table's own: whose games are looked at, and what of the card
is written to.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.config import Settings, load
from companion.doctor.result import CheckResult, bad, ok
from companion.doctor.system import System
from companion.installer.manifest import GAMES_FOLDER, SETTINGS_FOLDER, UNIT_FOLDER
from companion.mounts import OVERLAYROOT, mount_of

UNIT = f"{UNIT_FOLDER}/companion.service"
MOUNT_OPTIONS = ("noatime", "commit=1", "errors=remount-ro")
"""What a partition for games is mounted with, as companion/installer/disk.py lays it."""
JOURNAL_FOLDER = "/var/log/journal"
STORAGE = re.compile(r"^Storage=(\w+)", re.MULTILINE)


def service_settings(
    chosen: Mapping[str, object], root: Path
) -> tuple[Settings, list[CheckResult]] | None:
    """Return the settings of the service that is installed, under what the command line gave, and
    what is to be said of them; None where none is installed.

    What only the service may read is left out, and that is said. Raises `SettingsError`.
    """
    if not (root / UNIT).exists():
        return None
    folder = root / SETTINGS_FOLDER
    file = folder / "table.toml"
    hidden = [
        path for path in (folder, file) if os.path.exists(path) and not os.access(path, os.R_OK)
    ]
    # A file that is named is read alone: what is beside it, the own Wi-Fi, not everybody may read.
    path = file if os.path.exists(file) and not hidden else Path(os.devnull)
    settings = load(path, chosen, {"STATE_DIRECTORY": str(root / GAMES_FOLDER)})
    said = [ok("doctor_service", folder=settings.data)]
    return settings, [
        *said,
        *(bad("note", "doctor_settings_unseen", file=str(path)) for path in hidden[:1]),
    ]


def check_system(settings: Settings, machine: System) -> Iterator[CheckResult]:
    """Whether the system is read-only, the games lie on a partition of their own, and nothing else
    wears the card out; asked only where the machine is the table's own.
    """
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
    kept = storage == "persistent" or (storage == "auto" and machine.has(JOURNAL_FOLDER))
    yield bad("note", "doctor_journal_kept") if kept else ok("doctor_journal_volatile")
    # One in memory that is packed (zram) writes nothing.
    swaps = [
        line.split()[0]
        for line in machine.text("/proc/swaps").splitlines()[1:]
        if not line.startswith("/dev/zram")
    ]
    yield bad("note", "doctor_swap", devices=", ".join(swaps)) if swaps else ok("doctor_no_swap")
