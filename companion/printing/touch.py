"""What pieces tell by touch: flat sides to cut off, and braille at its true size.

Braille is raised by swell paper or dot by dot with a pen. Letters and numbers are the same in every
language that is written with Latin letters. The sizes are those of the ADA Standards for Accessible
Design (2010), table 703.3.1: dots of 1.5 to 1.6 mm, 2.3 to 2.5 mm between the middles of two dots
of a cell, 6.1 to 7.6 mm between two cells.
"""

from __future__ import annotations

import math

from companion.printing.page import DISPLAY, INK, MUTED, Sheet

DOT = 1.6
"""Diameter of a dot, in mm."""
DOT_STEP = 2.5
"""Mm between the middles of two dots of a cell."""
CELL_STEP = 6.1
"""Mm between the same dots of two cells."""
HEIGHT = 2 * DOT_STEP + DOT
"""Mm from the upper edge of a cell's highest dots to the lower edge of its lowest ones."""
BLANK = 0x2800
"""The Unicode braille pattern without dots: dot n is bit n - 1."""
NUMBER_SIGN = "⠼"

_FIRST = {
    "a": 0b000001, "b": 0b000011, "c": 0b001001, "d": 0b011001, "e": 0b010001,
    "f": 0b001011, "g": 0b011011, "h": 0b010011, "i": 0b001010, "j": 0b011010,
}  # fmt: skip
"""The letters of the upper four dots; as digits they are 1 to 9 and 0."""
_SECOND = {
    later: _FIRST[first] | 0b000100 for first, later in zip("abcdefghij", "klmnopqrst", strict=True)
}
_THIRD = {later: _FIRST[first] | 0b100100 for first, later in zip("abcde", "uvxyz", strict=True)}
_LETTERS = {**_FIRST, **_SECOND, **_THIRD, "w": 0b111010}
_DIGITS = dict(zip("1234567890", _FIRST.values(), strict=True))


def braille(text: str) -> str:
    """Return small letters, or a number, in Unicode braille; raise ValueError for anything else."""
    if text.isascii() and text.isdigit():
        return NUMBER_SIGN + "".join(chr(BLANK + _DIGITS[digit]) for digit in text)
    if not text or set(text) - set(_LETTERS):
        raise ValueError(f"{text!r} is neither small Latin letters nor a number")
    return "".join(chr(BLANK + _LETTERS[letter]) for letter in text)


def width(signs: str) -> float:
    """Return the width of braille in mm, from edge to edge of its outer dots."""
    return (len(signs) - 1) * CELL_STEP + DOT_STEP + DOT


def draw_braille(sheet: Sheet, x: float, y: float, signs: str, ground: str) -> None:
    """Draw braille with its left upper edge at (x, y), on a plain ground."""
    sheet.box(x - 0.4, y - 0.4, width(signs) + 0.8, HEIGHT + 0.8, fill=ground)
    for index, sign in enumerate(signs):
        left, top = x + DOT / 2 + index * CELL_STEP, y + DOT / 2
        for dot in range(6):
            if ord(sign) - BLANK >> dot & 1:
                column, row = divmod(dot, 3)
                sheet.disc(left + column * DOT_STEP, top + row * DOT_STEP, DOT / 2, fill="#000000")


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
