"""Numbers of the printed codes.

Tiles are `VRT01` to `VRT38`, the corner card is `VRC00`, the caps of pawns have ArUco markers 38 to
49, and the kinds of tokens those from 50 on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from companion.core.placement import Pawn

TILE_COUNT = 38
FIRST_MARKER, FIRST_TOKEN_MARKER = 38, 50
MARKED_PAWNS = tuple(Pawn(f"H{human}{letter}") for human in (1, 2, 3) for letter in "abcd")
"""The pawns with caps, in the order of their markers."""
CARD_TEXT = "VRC00"
_AZERTY_DIGITS = "à&é\"'(-è_ç"
"""The digits 0 to 9 as a French keyboard types them without Shift."""
_TILE = re.compile(r"VRT(\d\d)", re.ASCII)
_SYMBOLOGY = re.compile(r"^\ufeff?(?:[\]$][a-z][0-9a-z])?")
"""What a scanner may send before a code: a byte order mark, and the kind of code by AIM, such as
`]Q1`, whose bracket is a `$` on a French keyboard.
"""


def tile_text(number: int) -> str:
    """Return the text of a tile's code."""
    return f"VRT{number:02}"


def tile_number(text: str) -> int | None:
    """Return the tile number of a code's text, None for any other text."""
    code = _TILE.fullmatch(text)
    number = int(code[1]) if code else 0
    return number if 1 <= number <= TILE_COUNT else None


def marker_pawn(mark: int) -> Pawn | None:
    """Return the pawn of a marker, None for any other marker."""
    index = mark - FIRST_MARKER
    return MARKED_PAWNS[index] if 0 <= index < len(MARKED_PAWNS) else None


def marker_token(mark: int, kinds: Sequence[str]) -> str | None:
    """Return the kind of token that has a marker, None for any other marker."""
    index = mark - FIRST_TOKEN_MARKER
    return kinds[index] if 0 <= index < len(kinds) else None


def parse_scanned(text: str) -> int | None:
    """Parse a tile number as scanners type it: lower case, AZERTY digits, the kind of code first.

    None for anything else. The page's `scannedNumber` reads the same.
    """
    text_read = unicodedata.normalize("NFC", text.strip()).lower()
    plain = "".join(
        str(_AZERTY_DIGITS.index(each)) if each in _AZERTY_DIGITS else each for each in text_read
    )
    return tile_number(_SYMBOLOGY.sub("", plain).upper())
