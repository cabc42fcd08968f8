"""Identify a tile by template matching, module by module.

A decoder fails when one module in twenty is wrong, as in the far rows of a low photo. The 39
printed codes can be distinguished far longer: any two differ in at least 58 of their 208 data
modules.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

CODE_SIDE = 21
"""Modules along a side of a version 1 code."""
MODULE_PIXELS = 6
"""Pixels a module in the picture to match."""
MAX_WRONG, MIN_LEAD = 60, 15
"""Data modules that may be wrong, and how many more must be wrong for every other code."""
MAX_COMMON_ERROR = 0.36
"""Share of the common modules that may be wrong before no code is searched for."""
CODE_COMMON_ERROR = 0.3
"""Share of wrong common modules up to which some code is there."""
CODES_FILE = Path(__file__).with_name("tile_codes.txt")
"""One line a code: its text, and its modules row by row in hexadecimal, 1 being dark.

The corner card's is the first; the tiles' follow in order.
"""

TWISTS = (-4, -2, 0, 2, 4)
"""Degrees by which a code may be twisted."""
POSES_REFINED = 6

Modules = int
"""A code's modules, one byte each, row by row: 255 dark, 0 light."""


class Pose(NamedTuple):
    """A code's offset in modules right and down, rotation in degrees, and scale."""

    right: float = 0.0
    down: float = 0.0
    rotation: float = 0.0
    size: float = 1.0


class Search(NamedTuple):
    """Search space: `shifts` in modules, and `offsets` that refine the best poses."""

    shifts: tuple[float, ...]
    offsets: tuple[tuple[float, float, float, float], ...]


TILE_SEARCH = Search(
    tuple(step / 2 for step in range(-4, 5)),
    (
        (0, 0, 0, 1), (0.25, 0, 0, 1), (-0.25, 0, 0, 1), (0, 0.25, 0, 1), (0, -0.25, 0, 1),
        (0, 0, 1, 1), (0, 0, -1, 1), (0, 0, 0, 1.02), (0, 0, 0, 0.98),
    ),
)  # fmt: skip
"""For a tile's code at its place."""
CARD_SEARCH = Search(
    tuple(float(step) for step in range(-8, 9)),
    tuple(product((-0.5, 0, 0.5), (-0.5, 0, 0.5), (-1, 0, 1), (0.97, 1, 1.03))),
)
"""For a corner card near its place."""


class Match(NamedTuple):
    """The tile's number (0: corner card), its quarter turns clockwise, and the code's pose."""

    number: int
    turn: int
    attitude: Pose


class MatchResult(NamedTuple):
    """The match, if certain, and whether there is a code at all."""

    match: Match | None
    is_code: bool


class _Code(NamedTuple):
    number: int
    turn: int
    modules: Modules
    data: Modules


@cache
def all_codes() -> tuple[_Code, ...]:
    """Return all codes in each of the four turns, with masks of their data modules."""
    codes = []
    for number, line in enumerate(CODES_FILE.read_text(encoding="ascii").splitlines()):
        word = line.partition(" ")[2]
        bits = [digit == "1" for digit in f"{int(word, 16):0{CODE_SIDE * CODE_SIDE}b}"]
        rows = [
            bits[start : start + CODE_SIDE] for start in range(0, CODE_SIDE * CODE_SIDE, CODE_SIDE)
        ]
        data = [[_is_data(column, row) for column in range(CODE_SIDE)] for row in range(CODE_SIDE)]
        for turn in range(4):
            codes.append(_Code(number, turn, _pack(rows), _pack(data)))
            rows, data = _rotated(rows), _rotated(data)
    return tuple(codes)


def identify(picture: Image.Image, where: Search = TILE_SEARCH) -> Match | None:
    """Return the code in the middle of a rectified grey picture, None if uncertain."""
    return match_code(picture, where).match


def match_code(picture: Image.Image, where: Search = TILE_SEARCH) -> MatchResult:
    """Return the best match, and whether there is a code at all."""
    contrast = threshold(picture)
    attitudes = _ranked_poses(contrast, where.shifts)
    if attitudes[0][0] > MAX_COMMON_ERROR:
        return MatchResult(None, is_code=False)
    best: dict[int, tuple[int, Match]] = {}
    for _, about in attitudes[:POSES_REFINED]:
        for right, down, rotation, size in where.offsets:
            attitude = Pose(about.right + right, about.down + down, about.rotation + rotation, size)
            seen = _sample(contrast, attitude)
            for code in all_codes():
                wrong = _count((seen ^ code.modules) & code.data)
                if code.number not in best or wrong < best[code.number][0]:
                    best[code.number] = wrong, Match(code.number, code.turn, attitude)
    (wrong, match), (next_wrong, _) = sorted(best.values(), key=lambda each: each[0])[:2]
    is_sure = wrong <= MAX_WRONG and next_wrong - wrong >= MIN_LEAD
    return MatchResult(match if is_sure else None, is_code=attitudes[0][0] < CODE_COMMON_ERROR)


def render_code(number: int) -> Image.Image:
    """Return an upright code, one pixel a module, dark on white."""
    code = next(code for code in all_codes() if code.number == number and code.turn == 0)
    dark = code.modules.to_bytes(CODE_SIDE * CODE_SIDE, "big")
    return Image.frombytes("L", (CODE_SIDE, CODE_SIDE), bytes(255 - module for module in dark))


def match_corners(match: Match, side: int) -> list[tuple[float, float]]:
    """Return the code's corners in the picture, from its own top left clockwise."""
    corners = [
        _pixel(match.attitude, side, x, y)
        for x, y in ((0, 0), (CODE_SIDE, 0), (CODE_SIDE, CODE_SIDE), (0, CODE_SIDE))
    ]
    return corners[match.turn :] + corners[: match.turn]


def _ranked_poses(contrast: Image.Image, shifts: tuple[float, ...]) -> list[tuple[float, Pose]]:
    """Return the poses, best first, each with its share of wrong common modules."""
    common = _count(_common_modules()[0][0])
    attitudes = (Pose(x, y, rotation) for rotation in TWISTS for x in shifts for y in shifts)
    return sorted(
        (_common_errors(_sample(contrast, attitude)) / common, attitude) for attitude in attitudes
    )


def _is_data(column: int, row: int) -> bool:
    """Return whether a module is data: not finder, format or timing."""
    finder = (row < 9 and (column < 9 or column > 12)) or (row > 12 and column < 9)
    return not (finder or row == 6 or column == 6)


def _rotated(rows: list[list[bool]]) -> list[list[bool]]:
    """Return rows turned clockwise."""
    return [list(row) for row in zip(*rows[::-1], strict=True)]


def _pack(rows: list[list[bool]]) -> Modules:
    return int.from_bytes(bytes(255 * dark for row in rows for dark in row), "big")


def _count(modules: Modules) -> int:
    return modules.bit_count() // 8


def threshold(picture: Image.Image) -> Image.Image:
    """Return as 255 the pixels darker than those around them: light and shadow are removed."""
    fine, coarse = (
        picture.filter(ImageFilter.BoxBlur(radius))
        for radius in (MODULE_PIXELS // 3, 4 * MODULE_PIXELS)
    )
    return ImageChops.subtract(fine, coarse, 1, 128).point(
        [255 * (value < 128) for value in range(256)]
    )


def _sample(contrast: Image.Image, attitude: Pose) -> Modules:
    """Return the modules of a code with this pose."""
    (x, y), (right_x, right_y), (down_x, down_y) = (
        _pixel(attitude, contrast.width, *module) for module in ((0, 0), (1, 0), (0, 1))
    )
    data = (right_x - x, down_x - x, x, right_y - y, down_y - y, y)
    cut = contrast.transform(
        (CODE_SIDE, CODE_SIDE), Image.Transform.AFFINE, data, Image.Resampling.NEAREST
    )
    return int.from_bytes(cut.tobytes(), "big")


def _pixel(attitude: Pose, side: int, column: float, row: float) -> tuple[float, float]:
    """Return the picture's point of a point of the code, in modules from its top left."""
    angle, unit = math.radians(attitude.rotation), MODULE_PIXELS * attitude.size
    cos, sin = unit * math.cos(angle), unit * math.sin(angle)
    x, y = column - CODE_SIDE / 2, row - CODE_SIDE / 2
    middle = side / 2
    return (
        middle + MODULE_PIXELS * attitude.right + cos * x - sin * y,
        middle + MODULE_PIXELS * attitude.down + sin * x + cos * y,
    )


@cache
def _common_modules() -> tuple[tuple[Modules, Modules], ...]:
    """Return for each turn the mask of the modules common to all codes, and the dark ones."""
    everything = (1 << 8 * CODE_SIDE * CODE_SIDE) - 1
    masks = [(code, everything ^ code.data) for code in all_codes()[:4]]
    return tuple((mask, code.modules & mask) for code, mask in masks)


def _common_errors(seen: Modules) -> int:
    """Return the wrong common modules in the turn that fits best."""
    return min(_count(seen & mask ^ dark) for mask, dark in _common_modules())
