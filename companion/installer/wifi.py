"""Configure the Wi-Fi that a machine opens where no known one is in reach."""

from __future__ import annotations

import re

from companion.config import OWN_WIFI, WifiSettings, own_wifi
from companion.installer.manifest import SETTINGS_FOLDER, files_root
from companion.installer.target import CannotInstall, TargetSystem
from companion.server.auth.codes import Entropy, draw_code

KEYFILE = "etc/NetworkManager/system-connections/companion.nmconnection"
"""What NetworkManager reads; it holds the password and is root's alone."""
SERVICE_FILE = f"{SETTINGS_FOLDER}/{OWN_WIFI}"
"""What the service is told of it, which cannot read root's."""
PASSWORD_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""Those that nobody takes for another, and no word comes of."""
ADDRESS = "10.7.7.1"
"""Not among those that NetworkManager gives to hotspots (10.42.x.1): by it the service knows that
ours is open.
"""
SAFE_TEXT = re.compile(r"[\w.,!?+=-]+( [\w.,!?+=-]+)*", re.ASCII)
"""What means nothing in a keyfile."""


def why_no_wifi(root: TargetSystem, choice: bool | None) -> str | None:
    """Return why none is opened although it is wanted, None where one is or nobody wants it."""
    if not is_wanted(root, choice) or (root.has("NetworkManager") and root.has("dnsmasq")):
        return None
    return (
        "no Wi-Fi is opened: that needs `sudo apt install network-manager dnsmasq-base`, then "
        "install again"
    )


def is_wanted(root: TargetSystem, choice: bool | None) -> bool:
    """Return whether one is to be opened: by a Pi unless it was declined, elsewhere (it may be a
    laptop) once asked.
    """
    return root.is_pi if choice is None else choice


def wifi_credentials(root: TargetSystem, entropy: Entropy) -> WifiSettings:
    """Return the name and password that were made once, or new ones; raise `CannotInstall` for what
    cannot be laid.
    """
    wifi = own_wifi(root.at(SERVICE_FILE))
    if not wifi.name:
        name, *password = (
            draw_code(letters, entropy, PASSWORD_LETTERS) for letters in (4, 5, 5, 5)
        )
        return WifiSettings(f"Table {name}", "-".join(password), ADDRESS)
    if not (SAFE_TEXT.fullmatch(wifi.name) and SAFE_TEXT.fullmatch(wifi.password) and wifi.address):
        raise CannotInstall(
            f"/{SERVICE_FILE} needs name, password and address, the first two of English letters, "
            f"digits, single spaces and"
            " . , ! ? + = _ -"
        )
    return wifi


def keyfile_text(wifi: WifiSettings) -> str:
    """Return what NetworkManager is told."""
    text = (files_root() / "companion.nmconnection").read_text(encoding="utf-8")
    for key in ("name", "password", "address"):
        text = text.replace(f"@{key}@", getattr(wifi, key))
    return text


def service_text(wifi: WifiSettings) -> str:
    """Return what the service is told."""
    return (
        "# The Wi-Fi that this machine opens itself. After a change here: sudo companion install\n"
        f'[wifi]\nname = "{wifi.name}"\npassword = "{wifi.password}"\naddress = "{wifi.address}"\n'
    )
