"""Build the joining code: address, public key and four letters, as text and as a QR code."""

from __future__ import annotations

import itertools
from functools import lru_cache

import pyqrcode
from msgspec import Struct

QR_QUIET_ZONE = 4
"""Modules of white around a QR code; without them it is not read on a dark page."""


class Invitation(Struct, frozen=True):
    """Where to join. `key` (43 characters) is None for who may only look on, `code` where no seat
    is given away. `fingerprint` is that of the table's certificate, if it answers on https.
    """

    address: str
    key: str | None = None
    code: str | None = None
    fingerprint: str = ""

    @property
    def url(self) -> str:
        """What the QR code says; what follows # is never sent by a browser."""
        return f"{self.address}#{self.key}{self.code or ''}" if self.key else self.address

    def sibling(self, page: str) -> str:
        """Return the address of another page, without what lets anybody in."""
        return self.address.rpartition("/")[0] + f"/{page}"

    def show(self) -> dict[str, str | None]:
        """Return the invitation as JSON-ready values."""
        told = {"url": self.url, "address": self.address, "code": self.code}
        return told | ({"fingerprint": self.fingerprint} if self.fingerprint else {})


def join_address(addresses: list[str], port: int, tls: bool = False) -> str:
    """Return the address of the joining page by number: names are not found by every phone."""
    host = addresses[0] if addresses else "127.0.0.1"
    scheme, usual = ("https", 443) if tls else ("http", 80)
    return f"{scheme}://{host}{'' if port == usual else f':{port}'}/join"


@lru_cache(maxsize=4)
def qr_svg(text: str) -> str:
    """Return a QR code of level M as SVG, one unit a module, black on a white card."""
    rows = pyqrcode.create(text, error="M", mode="binary").code
    side = len(rows) + 2 * QR_QUIET_ZONE
    path = "".join(
        f"M{QR_QUIET_ZONE} {y + QR_QUIET_ZONE}.5{_runs(row)}" for y, row in enumerate(rows)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" '
        f'shape-rendering="crispEdges">'
        f'<rect width="{side}" height="{side}" fill="#fff"/><path stroke="#000" d="{path}"/></svg>'
    )


def qr_terminal(text: str) -> str:
    """Return a QR code for a terminal, two rows a line, dark on a light card whatever the
    terminal's colours.
    """
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
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" for line in lines)


def _runs(row: list[int]) -> str:
    """Return a row's modules as commands of a stroke one module wide: drawn over dark runs, moved
    over light ones.
    """
    runs = [(dark, len(list(run))) for dark, run in itertools.groupby(row)]
    return "".join(f"h{length}" if dark else f"m{length} 0" for dark, length in runs)
