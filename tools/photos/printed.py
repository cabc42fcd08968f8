"""A printed tile from above, in grey: 60 mm, a 24 mm QR code on a white square in its middle."""

from __future__ import annotations

from functools import lru_cache

import pyqrcode
from PIL import Image, ImageDraw

TILE, CODE, WHITE = 60.0, 24.0, 33.1
"""Millimetres: a tile, its code, and the white square around the code."""


@lru_cache(maxsize=64)
def code(text: str, side: int) -> Image.Image:
    """Return a version 1, level H code, `side` pixels wide and without a quiet zone."""
    rows = pyqrcode.create(text, error="H", mode="alphanumeric", version=1).code
    bits = bytes(0 if dark else 255 for row in rows for dark in row)
    fine = Image.frombytes("L", (len(rows), len(rows)), bits).resize(
        (21 * 32, 21 * 32), Image.Resampling.NEAREST
    )
    return fine.resize((side, side), Image.Resampling.BOX)


def tile(text: str, number: int, scale: float) -> Image.Image:
    """Return an upright tile, `scale` pixels a millimetre: grey card, a symbol, some of them with a
    wall.
    """
    side = round(TILE * scale)
    card = Image.new("L", (side, side), 200)
    pen = ImageDraw.Draw(card)
    pen.rectangle([0, 0, side - 1, side - 1], outline=120, width=max(1, round(0.4 * scale)))
    if number % 5 == 0:
        pen.rectangle([0, 0, side, 3 * scale], fill=40)
    x, y = 53 * scale, 7 * scale
    pen.regular_polygon((x, y, 4 * scale), 3 + number % 4, fill=60)
    pen.polygon([(28 * scale, 0), (32 * scale, 0), (30 * scale, 3 * scale)], fill=90)
    edge = (TILE - WHITE) / 2 * scale
    pen.rectangle([edge, edge, side - edge, side - edge], fill=250)
    size = round(CODE * scale)
    printed = code(text, size).point([30 + value * 220 // 255 for value in range(256)])
    card.paste(printed, ((side - size) // 2, (side - size) // 2))
    return card
