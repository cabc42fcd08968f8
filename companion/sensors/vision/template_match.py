"""Telling a tile by its likeness: the code at a place is compared with all that are printed, module
by module.

A decoder gives up when one module in twenty is wrong, as in the far rows of a photo taken from low
down. Which of 39 known pictures is seen can be told far longer: any two of them differ in at least
58 of their 208 data modules.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

SIDE = 21
"""Modules along a side of a version 1 code."""
PIXELS = 6
"""Pixels a module in the picture that is looked at."""
MOST_WRONG, AHEAD = 40, 20
"""Data modules that may be wrong, and how many more must be wrong for every other tile."""
MOST_UNLIKE = 0.36
"""Share of the modules common to all codes that may be wrong before a code is not even looked for:
of chance, half are, and of the best of many attitudes, more than this.
"""
LIKE = 0.3
"""Share of them up to which there is a code, whatever it says."""
FILE = Path(__file__).with_name("tile_codes.txt")
"""A line a code: what it says, and its modules row by row as one hexadecimal number, 1 being dark.
The corner card's is the first, the tiles' follow in order.
"""

RING = 3
"""Modules of white around a code that must be seen too before nothing covers it; a tile has nearly
four.
"""
UNLIKE, MOST_COVERED = 0.6, 6
"""Share of a module that is wrong when it counts as covered, and how many such may be so by the
picture's noise.
"""

TWISTS = (-4, -2, 0, 2, 4)
"""Degrees by which a code may be twisted."""
BEST = 6

Modules = int
"""The modules of a code, one byte each, row by row: 255 dark, 0 light."""


class Attitude(NamedTuple):
    """How a code lies in the picture that is looked at: modules right and down of its middle,
    degrees, size.
    """

    right: float = 0.0
    down: float = 0.0
    twist: float = 0.0
    size: float = 1.0


class Search(NamedTuple):
    """Where a code may lie: `shifts` in modules right and down, and how the best of these attitudes
    are tried again, as (modules right, modules down, degrees, size).
    """

    shifts: tuple[float, ...]
    nudges: tuple[tuple[float, float, float, float], ...]


NEAR = Search(
    tuple(step / 2 for step in range(-4, 5)),
    (
        (0, 0, 0, 1), (0.25, 0, 0, 1), (-0.25, 0, 0, 1), (0, 0.25, 0, 1), (0, -0.25, 0, 1),
        (0, 0, 1, 1), (0, 0, -1, 1), (0, 0, 0, 1.02), (0, 0, 0, 0.98),
    ),
)  # fmt: skip
"""A tile's code about the middle of its place."""
WIDE = Search(
    tuple(float(step) for step in range(-8, 9)),
    tuple(product((-0.5, 0, 0.5), (-0.5, 0, 0.5), (-1, 0, 1), (0.97, 1, 1.03))),
)
"""A corner card's code about where the card should lie."""


class Likeness(NamedTuple):
    """Which tile is seen (0 for the corner card), by how many quarter turns clockwise, and how its
    code lies.
    """

    number: int
    turn: int
    attitude: Attitude


class Look(NamedTuple):
    """What was seen: whose code, if it is surely one of ours, and whether there is a code, whatever
    it says.
    """

    likeness: Likeness | None
    is_code: bool


class _Code(NamedTuple):
    number: int
    turn: int
    modules: Modules
    data: Modules


@cache
def codes() -> tuple[_Code, ...]:
    """Return all codes in each of the four turns, each with a mask of its data modules."""
    found = []
    for number, line in enumerate(FILE.read_text(encoding="ascii").splitlines()):
        word = line.partition(" ")[2]
        bits = [digit == "1" for digit in f"{int(word, 16):0{SIDE * SIDE}b}"]
        rows = [bits[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE)]
        data = [[_is_data(column, row) for column in range(SIDE)] for row in range(SIDE)]
        for turn in range(4):
            found.append(_Code(number, turn, _packed(rows), _packed(data)))
            rows, data = _turned(rows), _turned(data)
    return tuple(found)


def tell(picture: Image.Image, where: Search = NEAR) -> Likeness | None:
    """Return whose code is about in the middle of a grey picture, seen from straight above at
    `PIXELS` pixels a module, None unless it is surely one of ours.
    """
    return look(picture, where).likeness


def look(picture: Image.Image, where: Search = NEAR) -> Look:
    """Return the same, and whether there is a code at all."""
    contrast = _contrasted(picture)
    attitudes = _attitudes(contrast, where.shifts)
    if attitudes[0][0] > MOST_UNLIKE:
        return Look(None, is_code=False)
    best: dict[int, tuple[int, Likeness]] = {}
    for _, about in attitudes[:BEST]:
        for right, down, twist, size in where.nudges:
            attitude = Attitude(about.right + right, about.down + down, about.twist + twist, size)
            seen = _sample(contrast, attitude)
            for code in codes():
                wrong = _count((seen ^ code.modules) & code.data)
                if code.number not in best or wrong < best[code.number][0]:
                    best[code.number] = wrong, Likeness(code.number, code.turn, attitude)
    (wrong, likeness), (next_wrong, _) = sorted(best.values(), key=lambda each: each[0])[:2]
    is_sure = wrong <= MOST_WRONG and next_wrong - wrong >= AHEAD
    return Look(likeness if is_sure else None, is_code=attitudes[0][0] < LIKE)


def is_uncovered(picture: Image.Image, number: int) -> bool:
    """Return whether a grey picture shows the whole of a code, upright and seen from straight above
    at `PIXELS` pixels a module, and `RING` modules of white all around it.
    """
    side = SIDE + 2 * RING
    white = Image.new("L", (side, side), 255)
    white.paste(drawn(number), (RING, RING))
    wanted = _contrasted(white.resize(picture.size, Image.Resampling.NEAREST))
    unlike = ImageChops.difference(_contrasted(picture), wanted).resize(
        (side, side), Image.Resampling.BOX
    )
    return sum(share > 255 * UNLIKE for share in unlike.tobytes()) <= MOST_COVERED


def drawn(number: int) -> Image.Image:
    """Return a code, upright, a pixel a module, dark on white."""
    code = next(code for code in codes() if code.number == number and code.turn == 0)
    dark = code.modules.to_bytes(SIDE * SIDE, "big")
    return Image.frombytes("L", (SIDE, SIDE), bytes(255 - module for module in dark))


def corners(likeness: Likeness, side: int) -> list[tuple[float, float]]:
    """Return the code's corners in the picture of `side` pixels, from its own top left
    clockwise.
    """
    found = [
        _pixel(likeness.attitude, side, x, y)
        for x, y in ((0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE))
    ]
    return found[likeness.turn :] + found[: likeness.turn]


def _attitudes(contrast: Image.Image, shifts: tuple[float, ...]) -> list[tuple[float, Attitude]]:
    """Return how a code may lie, the likeliest first, each with the share of common modules that
    are wrong then.
    """
    common = _count(_common()[0][0])
    attitudes = (Attitude(x, y, twist) for twist in TWISTS for x in shifts for y in shifts)
    return sorted(
        (_unlike(_sample(contrast, attitude)) / common, attitude) for attitude in attitudes
    )


def _is_data(column: int, row: int) -> bool:
    """Return whether a module says something: finders, their borders with the format, and timing do
    not.
    """
    finder = (row < 9 and (column < 9 or column > 12)) or (row > 12 and column < 9)
    return not (finder or row == 6 or column == 6)


def _turned(rows: list[list[bool]]) -> list[list[bool]]:
    """Return rows turned clockwise."""
    return [list(row) for row in zip(*rows[::-1], strict=True)]


def _packed(rows: list[list[bool]]) -> Modules:
    return int.from_bytes(bytes(255 * dark for row in rows for dark in row), "big")


def _count(modules: Modules) -> int:
    return modules.bit_count() // 8


def _contrasted(picture: Image.Image) -> Image.Image:
    """Return what is darker than its surroundings, as 255: so light and shadow, glare and gloom are
    taken out.
    """
    fine, coarse = (
        picture.filter(ImageFilter.BoxBlur(radius)) for radius in (PIXELS // 3, 4 * PIXELS)
    )
    return ImageChops.subtract(fine, coarse, 1, 128).point(
        [255 * (value < 128) for value in range(256)]
    )


def _sample(contrast: Image.Image, attitude: Attitude) -> Modules:
    """Return the modules of a code that lies so."""
    (x, y), (right_x, right_y), (down_x, down_y) = (
        _pixel(attitude, contrast.width, *module) for module in ((0, 0), (1, 0), (0, 1))
    )
    data = (right_x - x, down_x - x, x, right_y - y, down_y - y, y)
    cut = contrast.transform((SIDE, SIDE), Image.Transform.AFFINE, data, Image.Resampling.NEAREST)
    return int.from_bytes(cut.tobytes(), "big")


def _pixel(attitude: Attitude, side: int, column: float, row: float) -> tuple[float, float]:
    """Return where in a picture of `side` pixels a point of a code lies, in modules from its top
    left.
    """
    angle, unit = math.radians(attitude.twist), PIXELS * attitude.size
    cos, sin = unit * math.cos(angle), unit * math.sin(angle)
    x, y = column - SIDE / 2, row - SIDE / 2
    middle = side / 2
    return (
        middle + PIXELS * attitude.right + cos * x - sin * y,
        middle + PIXELS * attitude.down + sin * x + cos * y,
    )


@cache
def _common() -> tuple[tuple[Modules, Modules], ...]:
    """Return for each turn the mask of the modules common to all codes, and which of them are
    dark.
    """
    everything = (1 << 8 * SIDE * SIDE) - 1
    masks = [(code, everything ^ code.data) for code in codes()[:4]]
    return tuple((mask, code.modules & mask) for code, mask in masks)


def _unlike(seen: Modules) -> int:
    """Return how many of the modules common to all codes are wrong in the turn that fits best."""
    return min(_count(seen & mask ^ dark) for mask, dark in _common())
