"""Configure the Wi-Fi that a machine opens if no known one is in reach."""

from __future__ import annotations

import re

from companion.config import OWN_WIFI, WifiSettings, own_wifi
from companion.installer.manifest import SETTINGS_FOLDER, files_root
from companion.installer.target import CannotInstall, TargetSystem
from companion.server.auth.codes import Entropy, draw_code

KEYFILE = "etc/NetworkManager/system-connections/companion.nmconnection"
"""The file for NetworkManager; it has the password, and only root reads it."""
SERVICE_FILE = f"{SETTINGS_FOLDER}/{OWN_WIFI}"
"""The file for the service, which cannot read root's."""
PASSWORD_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""Letters that look different from each other and form no words."""
ADDRESS = "10.7.7.1"
"""The machine's address in its own Wi-Fi. NetworkManager gives hotspots 10.42.x.1, so this one
tells the service that its own Wi-Fi is open.
"""
SAFE_TEXT = re.compile(r"[\w.,!?+=-]+( [\w.,!?+=-]+)*", re.ASCII)
"""Text without a special meaning in a keyfile."""


def why_no_wifi(root: TargetSystem, choice: bool | None) -> str | None:
    """Return why a wanted Wi-Fi is not opened, None if it is or nobody wants it."""
    if not should_set_up(root, choice) or (root.has("NetworkManager") and root.has("dnsmasq")):
        return None
    return (
        "no Wi-Fi is opened: that needs `sudo apt install network-manager dnsmasq-base`, then "
        "install again"
    )


def should_set_up(root: TargetSystem, choice: bool | None) -> bool:
    """Return whether to open a Wi-Fi; by default on a Pi, but not on a laptop."""
    return root.is_pi if choice is None else choice


def wifi_credentials(root: TargetSystem, entropy: Entropy) -> WifiSettings:
    """Return the stored name and password, or new ones; raise `CannotInstall` for unusable ones."""
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
    """Return the text of the file for NetworkManager."""
    text = (files_root() / "companion.nmconnection").read_text(encoding="utf-8")
    for key in ("name", "password", "address"):
        text = text.replace(f"@{key}@", getattr(wifi, key))
    return text


def service_text(wifi: WifiSettings) -> str:
    """Return the text of the file for the service."""
    return (
        "# The Wi-Fi that this machine opens itself. After a change here: sudo companion install\n"
        f'[wifi]\nname = "{wifi.name}"\npassword = "{wifi.password}"\naddress = "{wifi.address}"\n'
    )
