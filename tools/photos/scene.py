"""A laid table: the place and turn of each tile, how crooked it lies, and the pieces on it."""

from __future__ import annotations

import math
from random import Random

from msgspec import Struct
from PIL import Image, ImageDraw

from tools.photos.printed import tile

CELLS = [f"{column}{row}" for row in range(1, 7) for column in "ABCDEF"]
PITCH = 60.8
"""Millimetres from tile to tile: nobody lays them without a gap."""
TABLE = 620.0
"""Millimetres of the table's top that are drawn; the field is in its middle."""
CARD = "VRC00"

Laid = dict[str, tuple[int, int]]
"""Cell to the tile's number and its clockwise turn in degrees, seen from above."""


class Scene(Struct, frozen=True, kw_only=True):
    """The pieces on the table. Pawns are (cell, dx, dy) in mm from the tile's centre, tokens
    likewise, spares (x, y, number) in mm from the field's centre.
    """

    laid: Laid
    crooked: tuple[float, float] = (1.2, 2.5)
    """How far, in mm and degrees, a tile may lie from where it should."""
    card: str | None = None
    """Side of A1 on which the corner card lies: "west" or "north"."""
    card_says: str = CARD
    pawns: tuple[tuple[str, float, float], ...] = ()
    tokens: tuple[tuple[str, float, float], ...] = ()
    caps: tuple[tuple[str, float, float, int], ...] = ()
    """Pawns with a printed cap: (cell, dx, dy, number of the mark)."""
    marked_tokens: tuple[tuple[str, float, float, int], ...] = ()
    """Tokens of the print kit: (cell, dx, dy, number of the mark)."""
    hand: tuple[float, float] | None = None
    """Where the fingers of a hand are that reaches over the table from row 6, in mm from the
    field's centre.
    """
    things: tuple[tuple[str, float, float], ...] = ()
    """What else is on or over the table: "die", "cup" or "sleeve", with x and y in mm from the
    field's centre.
    """
    spares: tuple[tuple[float, float, int], ...] = ()
    pitch: float = PITCH
    seed: int = 0


def random_laid(rng: Random) -> Laid:
    """Return 36 of the 38 tiles, in random turns."""
    numbers = rng.sample(range(1, 39), 36)
    return {
        cell: (number, 90 * rng.randrange(4)) for cell, number in zip(CELLS, numbers, strict=True)
    }


def place(cell: str, pitch: float = PITCH) -> tuple[float, float]:
    """Return a cell's centre in mm from the field's centre, x to the east, y to the south."""
    return ("ABCDEFG".index(cell[0]) - 2.5) * pitch, (int(cell[1]) - 3.5) * pitch


def from_above(scene: Scene, scale: float) -> Image.Image:
    """Return the table's top as a flat picture in grey, `scale` pixels a millimetre."""
    rng = Random(scene.seed)
    side = round(TABLE * scale)
    table = wood(side, rng)
    for cell, (number, turn) in scene.laid.items():
        x, y = place(cell, scene.pitch)
        drift, twist = scene.crooked
        x, y = x + rng.uniform(-drift, drift), y + rng.uniform(-drift, drift)
        lay(
            table,
            tile(f"VRT{number:02}", number, scale),
            x,
            y,
            turn + rng.uniform(-twist, twist),
            scale,
        )
    if scene.card:
        x, y = place("A1", scene.pitch)
        dx, dy = {"west": (-66, 2), "north": (3, -65)}[scene.card]
        lay(table, tile(scene.card_says, 0, scale), x + dx, y + dy, rng.uniform(-5, 5), scale)
    for x, y, number in scene.spares:
        lay(table, tile(f"VRT{number:02}", number, scale), x, y, rng.uniform(0, 360), scale)
    pen = ImageDraw.Draw(table)
    for cell, right, down in scene.tokens:
        x, y = (
            centre + off + TABLE / 2
            for centre, off in zip(place(cell, scene.pitch), (right, down), strict=True)
        )
        pen.ellipse(
            [(x - 9) * scale, (y - 9) * scale, (x + 9) * scale, (y + 9) * scale],
            fill=70,
            outline=150,
        )
    return table


def wood(side: int, rng: Random) -> Image.Image:
    """Return a table top with a grain."""
    grain = Image.frombytes("L", (4, 160), rng.randbytes(640)).resize(
        (side, side), Image.Resampling.BICUBIC
    )
    return grain.point([90 + value // 8 for value in range(256)])


def lay(
    table: Image.Image, card: Image.Image, x: float, y: float, turn: float, scale: float
) -> None:
    """Paste a card with its centre at (x, y) mm from the field's centre, turned clockwise; it
    throws a thin shadow.
    """
    mask = Image.new("L", card.size, 255)
    reach = math.ceil(card.width * 0.75)
    frame = (2 * reach, 2 * reach)
    angle = math.radians(turn)
    cos, sin = math.cos(angle), math.sin(angle)
    # Where in the card a point of the frame lies: the frame's centre on the card's, turned back.
    half = card.width / 2
    data = (cos, sin, half - reach * cos - reach * sin, -sin, cos, half + reach * sin - reach * cos)
    turned = card.transform(frame, Image.Transform.AFFINE, data, Image.Resampling.BICUBIC)
    covered = mask.transform(frame, Image.Transform.AFFINE, data, Image.Resampling.BICUBIC)
    left = round((x + TABLE / 2) * scale) - reach
    top = round((y + TABLE / 2) * scale) - reach
    shadow = max(1, round(0.7 * scale))
    table.paste(45, (left + shadow, top + shadow), covered)
    table.paste(turned, (left, top), covered)
