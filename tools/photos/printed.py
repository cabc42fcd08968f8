"""A printed tile from above, in grey: 60 mm, with a 30 mm QR code on a white square in its middle,
and a dark picture around it.
"""

from __future__ import annotations

from functools import lru_cache

import pyqrcode
from PIL import Image, ImageDraw

TILE, CODE, WHITE = 60.0, 30.0, 42.0
"""Millimetres: a tile, its code, and the white square around the code."""
DIAMONDS = (27, 35, 43)
"""Millimetres from a radar's middle to its corners."""


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
    """Return an upright tile, `scale` pixels a millimetre: grey card with bullets, a radar, a wall
    or paving.
    """
    side = round(TILE * scale)
    card = Image.new("L", (side, side), 215)
    pen = ImageDraw.Draw(card)
    match number % 4:
        case 0:
            for left in (4, 47):
                pen.rectangle([left * scale, 5 * scale, (left + 9) * scale, 55 * scale], fill=60)
        case 1:
            middle = side / 2
            for reach in (scale * diamond for diamond in DIAMONDS):
                corners = [(0, -reach), (reach, 0), (0, reach), (-reach, 0)]
                outline = [(middle + x, middle + y) for x, y in (*corners, corners[0])]
                pen.line(outline, fill=70, width=round(2.5 * scale))
        case kind:
            for place in (12, 30, 48):
                for line in (
                    [(place * scale, 0), (place * scale, side)],
                    [(0, place * scale), (side, place * scale)],
                ):
                    pen.line(line, fill=150, width=max(1, round(0.9 * scale)))
            if kind == 2:
                pen.rectangle([0, 0, side, 6 * scale], fill=80)
    pen.polygon([(27 * scale, 4 * scale), (33 * scale, 4 * scale), (30 * scale, scale)], fill=30)
    edge = (TILE - WHITE) / 2 * scale
    pen.rectangle([edge, edge, side - edge, side - edge], fill=250)
    size = round(CODE * scale)
    printed = code(text, size).point([30 + value * 220 // 255 for value in range(256)])
    card.paste(printed, ((side - size) // 2, (side - size) // 2))
    return card
