"""What round pieces tell by touch, flat sides to cut off; and the lines of a legend."""

from __future__ import annotations

import math

from companion.printing.braille import HEIGHT, braille, draw_braille, width
from companion.printing.page import DISPLAY, INK, MUTED, Sheet

FLAT = 0.83
"""Where a flat side lies, in radii from the middle: 10 mm long on a piece of 19 mm."""
_TURNS = (45, -45)
"""Degrees from the top at which the first and the second flat side lie."""


def draw_flat_sides(sheet: Sheet, x: float, y: float, radius: float, count: int) -> None:
    """Draw what is cut off a disc around (x, y): up to two segments above, each with its line."""
    half, line = radius * math.sqrt(1 - FLAT**2), radius * FLAT
    for turn in _TURNS[:count]:
        with sheet.at(x, y, turn=turn):
            sheet.box(-half, -radius - 0.4, 2 * half, radius + 0.4 - line, fill="#FFFFFF")
            sheet.line(-half, -line, half, -line, ink=INK, thick=0.3)


def legend_line(sheet: Sheet, x: float, y: float, name: str, note: str, signs: str = "") -> None:
    """Write what a piece is, how it differs, and, for small letters or a number, its braille; its
    picture stands to the left of (x, y).
    """
    sheet.text(x, y, name, 3.2, font=DISPLAY)
    sheet.text(x, y + 6, note, 2.4, ink=MUTED)
    if signs:
        cells = braille(signs)
        sheet.text(x + 104, y + 4, signs, 2.6, ink=MUTED, align="right")
        draw_braille(sheet, x + 109, y - 1, cells, "#FFFFFF")


def draw_centred(sheet: Sheet, x: float, y: float, cells: str) -> None:
    """Draw braille on white around (x, y)."""
    draw_braille(sheet, x - width(cells) / 2, y - HEIGHT / 2, cells, "#FFFFFF")
