"""Decide whether a known tile is in its place with nothing over its code and quiet zone.

Only the camera's decoder process imports this: numpy comes with OpenCV.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import cos, radians, sin
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from companion.sensors.vision import template_match
from companion.sensors.vision.homography import Point
from companion.sensors.vision.template_match import CODE_SIDE, MODULE_PIXELS

CODE_QUIET_ZONE = 3
"""Modules of white around a code that must be uncovered; a tile has nearly four."""
MAX_COVERED = 6
"""Covered modules allowed for noise."""
MAX_SHADED = 0.3
"""Share of differing modules above which no shadow's edge can be the cause."""
TOKEN_MODULES = 8
"""Modules from a token's middle up to which it covers a code: a token is 19 mm, a module 1.4."""
SIDE = CODE_SIDE + 2 * CODE_QUIET_ZONE
"""Modules along a code with its quiet zone."""
SHIFTS, TWISTS = tuple(range(-3, 4)), (-4, -2, 0, 2, 4)
"""Modules by which a tile may lie beside its place, and degrees by which it may be twisted."""
THIRD_CORNER = (0.0, 0.7, -0.7)
"""Modules by which a decoder misses the corner without a finder, of a slanted or bent code."""
ODD_SHARE = 0.6
"""Share of a module that differs from print."""
NUDGES, NUDGE_TWISTS = (-0.5, 0.0, 0.5), (-1, 0, 1)
"""Modules by which the second search shifts the best place, each way, and degrees by which it turns
it: half the steps of the first search.
"""
BLOCK = 7
"""Modules along a part with its own brightness threshold: a shadow's edge leaves such parts on both
sides, and a covering object is larger.
"""
MIN_BOTH = 4
"""Dark and light modules that a part needs for a threshold between them."""
MAX_ODD = 6
"""Modules of a part that may differ from print."""
MIN_CONTRAST = 0.12
"""Difference of light and dark modules in a part, as a share of their sum."""

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]


def is_clear(
    cut: Image.Image, tile: tuple[int, int], tokens: Sequence[Point], *, is_exact: bool
) -> bool:
    """Return whether a grey picture shows a tile's whole code and quiet zone, but under tokens.

    `tile`: its number and quarter turns clockwise. `tokens`: their middles, in modules from the
    picture's middle. `is_exact`: the picture was rectified by the code's own corners, else the code
    is searched.
    """
    white = _printed(*tile)
    blur = ImageFilter.BoxBlur(MODULE_PIXELS // 3)
    dark = np.asarray(template_match.threshold(cut).filter(blur), dtype=np.float32) / np.float32(
        255
    )
    poses = _corner_poses() if is_exact else _poses()
    # Most codes are at their detected corners.
    if is_exact and _odd(dark, white, poses[0], tokens).sum() <= MAX_COVERED:
        return True
    places = _find_code(dark > 0.5, white, poses)
    odd = _odd(dark, white, places, tokens)
    if not MAX_COVERED < odd.sum() < MAX_SHADED * white.size:
        return bool(odd.sum() <= MAX_COVERED)
    light = np.asarray(cut.filter(blur), dtype=np.float32)
    # A covered module differs from print in every part around it.
    covered = ~_fits(_sampled(light, places), white) & odd
    return bool(covered.sum() <= MAX_COVERED)


def _odd(dark: Floats, white: Bools, places: Floats, tokens: Sequence[Point]) -> Bools:
    """Return which modules differ from print, except those under tokens."""
    odd: Bools = abs(_sampled(dark, places) + white - 1) > ODD_SHARE
    return odd & ~_under(places, tokens)


def _under(places: Floats, tokens: Sequence[Point]) -> Bools:
    """Return which modules tokens cover."""
    covered = np.zeros(places.shape[:-1], np.bool_)
    for token in tokens:
        away = places / MODULE_PIXELS - np.array(token, dtype=np.float32)
        covered |= np.hypot(away[..., 0], away[..., 1]) <= TOKEN_MODULES
    return covered


@cache
def _printed(number: int, quarters: int) -> Bools:
    """Return which modules of a code with its quiet zone are white."""
    white = np.full((SIDE, SIDE), True)
    inner = slice(CODE_QUIET_ZONE, CODE_QUIET_ZONE + CODE_SIDE)
    white[inner, inner] = np.asarray(template_match.render_code(number)) > 127
    turned: Bools = np.rot90(white, -quarters)
    return turned


def _find_code(dark: Bools, white: Bools, poses: Floats) -> Floats:
    """Return the modules' middles, in pixels from the picture's middle, where a code fits best."""
    offsets = MODULE_PIXELS * np.array([(x, y) for x in NUDGES for y in NUDGES])
    # A quarter of the modules distinguishes the poses.
    best = poses[_best(dark, white[::2, ::2], poses[:, ::2, ::2])]
    middle = best.mean(axis=(0, 1))
    turned = np.array([middle + (best - middle) @ _turn(angle) for angle in NUDGE_TWISTS])
    moved = (turned[:, None] + offsets[:, None, None, :]).reshape(-1, *best.shape)
    middles: Floats = moved[_best(dark, white, moved)]
    return middles


def _turn(degrees: float) -> NDArray[np.float64]:
    """Return the matrix that turns rows of x and y clockwise."""
    angle = radians(degrees)
    return np.array([(cos(angle), sin(angle)), (-sin(angle), cos(angle))])


def _best(dark: Bools, white: Bools, poses: Floats) -> int:
    return int((_sampled(dark, poses) == white).sum(axis=(1, 2)).argmin())


@cache
def _corner_poses() -> Floats:
    """Return the modules' middles where the code's third corner is moved."""
    share = np.clip((np.arange(SIDE) - CODE_QUIET_ZONE) / CODE_SIDE, 0, None)
    moved = np.array([(x, y) for x in THIRD_CORNER for y in THIRD_CORNER])
    middle = _poses()[len(TWISTS) * len(SHIFTS) ** 2 // 2]
    poses = middle + MODULE_PIXELS * np.outer(share, share)[..., None] * moved[:, None, None, :]
    return np.asarray(poses, dtype=np.float32)


@cache
def _poses() -> Floats:
    """Return for each pose the modules' middles, in pixels from the picture's middle."""
    steps = np.arange(SIDE) - (SIDE - 1) / 2
    upright = np.stack(np.meshgrid(steps, steps), axis=-1)
    turned = np.array([upright @ _turn(angle) for angle in TWISTS])
    shifts = np.array([(x, y) for x in SHIFTS for y in SHIFTS])
    poses = turned[:, None] + shifts[:, None, None, :]
    return np.asarray(MODULE_PIXELS * poses.reshape(-1, SIDE, SIDE, 2), dtype=np.float32)


def _sampled(picture: NDArray[Any], places: Floats) -> NDArray[Any]:
    """Return the pixels at places from the picture's middle."""
    side = len(picture)
    at = np.clip(np.rint(places + (side - 1) / 2).astype(np.intp), 0, side - 1)
    pixels: NDArray[Any] = picture[at[..., 1], at[..., 0]]
    return pixels


def _fits(light: Floats, white: Bools) -> Bools:
    """Return which modules match the print in some part of the code around them."""
    lights = sliding_window_view(light, (BLOCK, BLOCK))
    whites = sliding_window_view(white, (BLOCK, BLOCK))
    count = whites.sum(axis=(2, 3))
    sums = lights.sum(axis=(2, 3)), np.where(whites, lights, 0).sum(axis=(2, 3))
    bright = sums[1] / np.maximum(count, 1)
    dim = (sums[0] - sums[1]) / np.maximum(BLOCK * BLOCK - count, 1)
    looks_white = lights > ((bright + dim) / 2)[..., None, None]
    right = looks_white == whites
    is_visible = (
        (np.minimum(count, BLOCK * BLOCK - count) >= MIN_BOTH)
        & (bright - dim > MIN_CONTRAST * (bright + dim))
        & ((~right).sum(axis=(2, 3)) <= MAX_ODD)
    )
    fits = np.zeros_like(white)
    row: int
    column: int
    for row, column in np.argwhere(is_visible):
        fits[row : row + BLOCK, column : column + BLOCK] |= right[row, column]
    return fits
