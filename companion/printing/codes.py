"""The patterns that a camera reads: QR codes on tiles and cards, ArUco marks on others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import pyqrcode

Pattern = Sequence[Sequence[int]]
"""Rows of modules, 1 for black."""

_ARUCO: Mapping[int, int] = {
    38: 0x0DF6, 39: 0x1C5A, 40: 0x1718, 41: 0x2A28, 42: 0x328C, 43: 0x38B2,
    44: 0x24E8, 45: 0x2EEB, 46: 0x2D3F, 47: 0x4B64, 48: 0x502E, 49: 0x5013, 50: 0x5194, 51: 0x5568,
}  # fmt: skip
"""The inner 4×4 modules of ArUco's dictionary 4X4_100, row by row, 1 for white."""
PAWN_MARKS, TOKEN_MARKS = tuple(_ARUCO)[:12], tuple(_ARUCO)[12:]
"""Each pawn has its own mark, and each kind of token, in the order of the game's box."""


@cache
def tile_code(text: str) -> Pattern:
    """Return the QR code of a tile: version 1, 21 modules, level H: a quarter may be unreadable."""
    code: Pattern = pyqrcode.create(text, error="H", mode="alphanumeric", version=1).code
    return code


@cache
def link_code(text: str) -> Pattern:
    """Return the QR code of an address, of level M."""
    code: Pattern = pyqrcode.create(text, error="M", mode="binary").code
    return code


def aruco_mark(number: int) -> Pattern:
    """Return the ArUco mark of a number from 38 to 51: 6×6 modules with its black border."""
    bits = [
        [0 if _ARUCO[number] >> (15 - 4 * row - column) & 1 else 1 for column in range(4)]
        for row in range(4)
    ]
    edge = [1] * 6
    return [edge, *([1, *row, 1] for row in bits), edge]
