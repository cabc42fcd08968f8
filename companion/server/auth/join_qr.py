"""List every join option in the display's order: its Wi-Fi first, then each address."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from companion.config import WifiSettings
from companion.server.auth.join import Invitation, qr_svg


class JoinOption(Struct, frozen=True):
    """A code to scan: its text, and its caption."""

    code: str
    caption: dict[str, str]


def join_options(wifi: WifiSettings, invitations: list[Invitation]) -> list[JoinOption]:
    """Return every join option, in the order in which a phone uses them."""
    first = (
        [JoinOption(wifi_code(wifi), {"wifi": wifi.name, "password": wifi.password})]
        if wifi.name
        else []
    )
    return first + [JoinOption(each.url, {"address": each.address}) for each in invitations]


def describe_options(options: list[JoinOption], index: int) -> dict[str, Any]:
    """Return all options, and the drawing of one, as JSON-ready values."""
    chosen = min(index, len(options) - 1)
    return {
        "ways": [way.caption for way in options],
        "index": chosen,
        "svg": qr_svg(options[chosen].code),
    }


def wifi_code(wifi: WifiSettings) -> str:
    """Return the QR text of a Wi-Fi."""
    name, password = (re.sub(r'([\\;,:"])', r"\\\1", text) for text in (wifi.name, wifi.password))
    return f"WIFI:T:WPA;S:{name};P:{password};;" if password else f"WIFI:T:nopass;S:{name};;"
