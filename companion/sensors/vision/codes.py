"""What the printed codes say: `VRT01` to `VRT38` for the tiles, `VRC00` for the corner card, and on
the pawns' caps ArUco marks with the numbers 38 to 49.
"""

from __future__ import annotations

import re
import unicodedata

from companion.core.placement import Pawn

TILE_COUNT = 38
FIRST_MARKER = 38
MARKED_PAWNS = tuple(Pawn(f"H{human}{letter}") for human in (1, 2, 3) for letter in "abcd")
"""The pawns that the caps are for, in the order of their marks."""
CARD_TEXT = "VRC00"
_SHIFTED = "à&é\"'(-è_ç"
"""What the digits 0 to 9 become where a scanner thinks of a French keyboard: they need Shift there.
"""
_TILE = re.compile(r"VRT(\d\d)", re.ASCII)


def tile_text(number: int) -> str:
    """Return what the code of a tile says."""
    return f"VRT{number:02}"


def tile_number(text: str) -> int | None:
    """Return the number of the tile whose code says this, None if it is no tile's."""
    found = _TILE.fullmatch(text)
    number = int(found[1]) if found else 0
    return number if 1 <= number <= TILE_COUNT else None


def marker_pawn(mark: int) -> Pawn | None:
    """Return the pawn whose cap has this mark, None for any other mark."""
    index = mark - FIRST_MARKER
    return MARKED_PAWNS[index] if 0 <= index < len(MARKED_PAWNS) else None


def parse_scanned(text: str) -> int | None:
    """Return the number of the tile whose code a hand scanner told as this, in small letters or as
    if on a French keyboard; None for anything else. The page's `scannedNumber` reads the same.
    """
    told = unicodedata.normalize("NFC", text.strip()).lower()
    plain = "".join(str(_SHIFTED.index(each)) if each in _SHIFTED else each for each in told)
    return tile_number(plain.upper())
