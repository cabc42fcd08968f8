"""List the files of hardware/pi that are installed, and their places."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

PROGRAM_FOLDER = "usr/lib/table-companion"
"""The folder of the package's program."""
OPT = "opt/companion"
GAMES_FOLDER = "var/lib/companion"
SETTINGS_FOLDER = "etc/companion"
KIOSK_STATE = "var/lib/companion-kiosk"
UNIT_FOLDER = "etc/systemd/system"
DEFAULT_PORT = "8080"
"""The port in the files; the port of the settings replaces it."""


class InstalledFile(Struct, frozen=True):
    """A file of hardware/pi and its place below the root.

    ported: whether it contains the port of the pages
    """

    name: str
    place: str
    mode: int = 0o644
    ported: bool = False

    def text(self, port: int) -> str:
        """Return the file's text for a machine with this port."""
        text = (files_root() / self.name).read_text(encoding="utf-8")
        return text.replace(DEFAULT_PORT, str(port)) if self.ported else text


class FileGroup(Struct, frozen=True):
    """Files that belong together, the units to enable, and a sentence that describes them."""

    parts: tuple[InstalledFile, ...]
    units: tuple[str, ...]
    summary: str


UNIT_NAME = "companion.service"
"""The table's unit, which `systemctl` starts and stops."""

SERVICE = FileGroup(
    (
        InstalledFile(UNIT_NAME, f"{UNIT_FOLDER}/{UNIT_NAME}"),
        InstalledFile("companion-settle.service", f"{UNIT_FOLDER}/companion-settle.service"),
        InstalledFile("companion-update", f"{OPT}/companion-update", 0o755),
    ),
    (UNIT_NAME, "companion-settle.service"),
    "The service (companion.service) runs the table from power-on, as its own user; games are in "
    "/var/lib/companion.",
)
BOARDS = FileGroup(
    (InstalledFile("99-companion.rules", "etc/udev/rules.d/99-companion.rules"),),
    (),
    "A sensor board is always /dev/companion-board, and ModemManager leaves it alone (udev).",
)
MDNS = FileGroup(
    (InstalledFile("avahi.service", "etc/avahi/services/companion.service", ported=True),),
    (),
    "The table announces its name in the network (mDNS, where avahi-daemon runs).",
)
UPDATES = FileGroup(
    (
        InstalledFile("companion-update.service", f"{UNIT_FOLDER}/companion-update.service"),
        InstalledFile("companion-update.timer", f"{UNIT_FOLDER}/companion-update.timer"),
    ),
    ("companion-update.timer",),
    "At 4:30 a release in /opt/companion/incoming replaces this one, never during a game.",
)
KIOSK = FileGroup(
    (
        InstalledFile("companion-kiosk.service", f"{UNIT_FOLDER}/companion-kiosk.service"),
        InstalledFile("companion-kiosk", f"{OPT}/companion-kiosk", 0o755),
        InstalledFile("sysctl.conf", "etc/sysctl.d/99-companion.conf"),
    ),
    ("companion-kiosk.service",),
    "The screen shows the table's display from power-on, as the user companion-kiosk; a login is "
    "behind Ctrl+Alt+F2.",
)
ALWAYS = (SERVICE, BOARDS, MDNS, UPDATES)

ACCOUNTS = (
    'u companion - "Table companion" /var/lib/companion',
    # Groups that Raspberry Pi OS has and Debian may lack: the service does not start without a
    # group that it names.
    "g dialout - -",
    "g gpio - -",
    "g spi - -",
    "g video - -",
)
KIOSK_ACCOUNTS = (
    'u companion-kiosk - "Display of the table companion" /var/lib/companion-kiosk',
    "g render - -",
    "g audio - -",
)
"""Lines of sysusers.d(5)."""

FOLDERS = (
    (f"{OPT}/releases", 0o755),
    (f"{OPT}/incoming", 0o700),
    (f"{UNIT_FOLDER}/multi-user.target.wants", 0o755),
    (f"{UNIT_FOLDER}/timers.target.wants", 0o755),
)
"""Folders that must exist before a unit is enabled."""


def files_root() -> Path:
    """Return the folder of the files: the package's own, else the checkout's."""
    packaged = Path(__file__).resolve().parent / "files"
    return packaged if packaged.is_dir() else packaged.parents[2] / "hardware/pi"
