"""Detect mirrored QR codes.

Decoders read a mirrored code like any other. Its format information, 15 bits around the first
finder, is then reversed.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from companion.sensors.vision.homography import Degenerate, Point, fit_homography, project

_CODE_SIDE = 21
"""Modules along a side of a version 1 code."""
FORMAT = (
    (8, 0), (8, 1), (8, 2), (8, 3), (8, 4), (8, 5), (8, 7), (8, 8),
    (7, 8), (5, 8), (4, 8), (3, 8), (2, 8), (1, 8), (0, 8),
)  # fmt: skip
"""Column and row of the format information's first copy, lowest bit first (ISO/IEC 18004, 7.9)."""
EC_LEVELS = {"L": 1, "M": 0, "Q": 3, "H": 2}


def mirror_votes(picture: Image.Image, corners: Sequence[Point], level: str, mask: int) -> int:
    """Return how many more bits of the format information match mirrored than upright.

    `corners`: from the code's top left clockwise in the grey picture. `level`: L, M, Q or H.
    """
    bits = format_bits(EC_LEVELS[level], mask)
    seen = _dark(picture, corners)
    front = sum(a == b for a, b in zip(seen, bits, strict=True))
    behind = sum(a == b for a, b in zip(seen, reversed(bits), strict=True))
    return behind - front


def format_bits(level: int, mask: int) -> list[bool]:
    """Return the 15 bits of a format information, lowest first: five of data, ten of BCH code,
    masked.
    """
    data = level << 3 | mask
    rest = data << 10
    for bit in range(14, 9, -1):
        if rest >> bit & 1:
            rest ^= 0b10100110111 << (bit - 10)
    word = (data << 10 | rest) ^ 0b101010000010010
    return [bool(word >> bit & 1) for bit in range(15)]


def _dark(picture: Image.Image, corners: Sequence[Point]) -> list[bool]:
    """Return which modules of the format information are dark: darker than halfway between the
    extremes.
    """
    square = ((0.0, 0.0), (_CODE_SIDE, 0.0), (_CODE_SIDE, _CODE_SIDE), (0.0, _CODE_SIDE))
    try:
        to_pixels = fit_homography(zip(square, corners, strict=True))
        at = [project(to_pixels, (column + 0.5, row + 0.5)) for column, row in FORMAT]
    except Degenerate:
        return [False] * len(FORMAT)
    inside = [
        (min(max(int(x), 0), picture.width - 1), min(max(int(y), 0), picture.height - 1))
        for x, y in at
    ]
    levels = [float(picture.getpixel(pixel)) for pixel in inside]  # type: ignore[arg-type]
    middle = (min(levels) + max(levels)) / 2
    return [level < middle for level in levels]
