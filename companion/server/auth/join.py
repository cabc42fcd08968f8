"""Build the join code: address, public key and four letters, as text and as a QR code; and every
option to join, in the display's order.
"""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import Any

import pyqrcode
from msgspec import Struct

from companion.config import WifiSettings

QR_QUIET_ZONE = 4
"""White modules around a QR code; without them it cannot be read on a dark page."""


class Invitation(Struct, frozen=True):
    """An invitation to join.

    key: the table's key (43 characters), None for a guest
    code: the join code, None if no seat is given
    fingerprint: of the table's certificate, "" on http
    """

    address: str
    key: str | None = None
    code: str | None = None
    fingerprint: str = ""

    @property
    def url(self) -> str:
        """The text of the QR code; a browser never sends what follows #."""
        return f"{self.address}#{self.key}{self.code or ''}" if self.key else self.address

    def sibling(self, page: str) -> str:
        """Return the address of another page, without key and code."""
        return self.address.rpartition("/")[0] + f"/{page}"

    def to_json(self) -> dict[str, str | None]:
        """Return the invitation as JSON-ready values."""
        fields = {"url": self.url, "address": self.address, "code": self.code}
        return fields | ({"fingerprint": self.fingerprint} if self.fingerprint else {})


@lru_cache(maxsize=4)
def qr_svg(text: str) -> str:
    """Return a QR code of level M as SVG, one unit a module, black on a white card."""
    rows = pyqrcode.create(text, error="M", mode="binary").code
    side = len(rows) + 2 * QR_QUIET_ZONE
    path = "".join(
        f"M{QR_QUIET_ZONE} {y + QR_QUIET_ZONE}.5{_svg_path(row)}" for y, row in enumerate(rows)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" '
        f'shape-rendering="crispEdges">'
        f'<rect width="{side}" height="{side}" fill="#fff"/><path stroke="#000" d="{path}"/></svg>'
    )


class TerminalQr(Struct, frozen=True):
    """A QR code for a terminal: its lines with colours, and its width."""

    text: str
    columns: int


def qr_terminal(text: str) -> TerminalQr:
    """Return a QR code for a terminal of any colours, two rows a line."""
    rows = pyqrcode.create(text, error="M", mode="binary").code
    side = len(rows) + 2 * QR_QUIET_ZONE
    blank = [0] * side
    card = (
        [blank] * QR_QUIET_ZONE
        + [[0] * QR_QUIET_ZONE + row + [0] * QR_QUIET_ZONE for row in rows]
        + [blank] * (QR_QUIET_ZONE + side % 2)
    )
    halves = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    lines = (
        "".join(halves[pair] for pair in zip(*two, strict=True))
        for two in zip(card[::2], card[1::2], strict=True)
    )
    return TerminalQr("\n".join(f"\x1b[30;107m{line}\x1b[0m" for line in lines), side)


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


def _svg_path(row: list[int]) -> str:
    """Return a row of modules as SVG path commands: lines for dark runs, moves for light ones."""
    runs = [(dark, len(list(run))) for dark, run in itertools.groupby(row)]
    return "".join(f"h{length}" if dark else f"m{length} 0" for dark, length in runs)
