"""A tile is clear if nothing covers its code and the white around it."""

from __future__ import annotations

from itertools import product

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from companion.sensors.vision.camera_worker import ArucoReader
from companion.sensors.vision.homography import Homography, Point
from companion.sensors.vision.lattice import CORNERS, Detection, Lattice, Placed
from companion.sensors.vision.tracker import HIDING_DISTANCE, TOKEN_HIDING_DISTANCE
from tools.photos.printed import CODE, TILE, tile

SCALE = 5.0
PIXELS = TILE * SCALE
CODE_CORNERS = tuple(((x + 0.5) * PIXELS, (y + 0.5) * PIXELS) for x, y in CORNERS)
MODULE = CODE / 21 * SCALE
TO_PIXELS: Homography = (PIXELS, 0, PIXELS / 2, 0, PIXELS, PIXELS / 2, 0, 0, 1)
"""From the lattice, whose place (0, 0) the tile is, to the picture."""
PAWN_RADIUS, TOKEN_RADIUS = 10.0, 9.5
DRIFT = 1.2
"""Millimetres by which a tile lies beside its place."""


def is_clear(
    picture: Image.Image,
    offset: tuple[float, float] | None,
    tokens: tuple[Point, ...] = (),
    quarters: int = 0,
) -> bool:
    """Return the reader's result if the decoder misses the third corner by `offset` modules; None:
    it does not read the code.
    """
    laid = {}
    if offset is not None:
        first, second, (x, y), fourth = CODE_CORNERS
        third = (x + offset[0] * MODULE, y + offset[1] * MODULE)
        laid[0, 0] = Placed(Detection(7, (first, second, third, fourth)), 0, 0.0)
    lattice = Lattice(laid, TO_PIXELS, ())
    return ArucoReader(picture).is_clear(lattice, (0, 0), (7, quarters), tokens)


def disc(picture: Image.Image, at: tuple[float, float], radius: float, shade: int) -> None:
    """Draw a disc, in mm from the tile's corner."""
    x, y = (part * SCALE for part in at)
    reach = radius * SCALE
    ImageDraw.Draw(picture).ellipse([x - reach, y - reach, x + reach, y + reach], fill=shade)


@pytest.mark.parametrize(
    "offset", [None, (0.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.8, 0.8), (-1.0, 0.6)]
)
def test_inexact_third_corner(offset: tuple[float, float] | None) -> None:
    """A bare tile is clear, even if the decoder misses the corner without a finder, or all."""
    picture = tile("VRT07", 7, SCALE)

    assert is_clear(picture, offset)


@pytest.mark.parametrize("offset", [None, (0.0, 0.0), (1.0, 0.0), (0.8, 0.8)])
@pytest.mark.parametrize("at", [(47, 47), (13, 30), (40, 40), (30, 48)])
def test_covered_tile(offset: tuple[float, float] | None, at: tuple[int, int]) -> None:
    """A tile under a pawn's foot of 20 mm is not clear, wherever the third corner is searched."""
    picture = tile("VRT07", 7, SCALE)
    disc(picture, at, 10, 60)

    assert picture.width == PIXELS
    assert not is_clear(picture, offset)


@pytest.mark.parametrize(
    ("distance", "radius"), [(HIDING_DISTANCE, PAWN_RADIUS), (TOKEN_HIDING_DISTANCE, TOKEN_RADIUS)]
)
@pytest.mark.parametrize("offset", [None, (0.0, 0.0)])
def test_a_hidden_code(distance: float, radius: float, offset: tuple[float, float] | None) -> None:
    """A piece at the distance up to which it surely hides a part of the code covers the tile: at
    the middle of each side and at each corner, on a tile that lies beside its place.
    """
    middle, reach = TILE / 2, distance * TILE + DRIFT
    for right, down in product((-reach, 0, reach), repeat=2):
        picture = tile("VRT07", 7, SCALE)
        disc(picture, (middle + right, middle + down), radius, 60)

        assert not is_clear(picture, offset), (right, down)


@pytest.mark.parametrize(
    ("bottom", "top", "light", "blur"),
    [(160, 120, 90, 2), (219, 204, 60, 6), (178, 254, 40, 6), (223, 250, 40, 10)],
)
def test_a_shadow_over_the_code(bottom: int, top: int, light: int, blur: int) -> None:
    """A shadow over a part of a code covers nothing: its modules are read."""
    picture = tile("VRT07", 7, SCALE)
    lights = Image.new("L", picture.size, 255)
    shadow = [(0, 0), (0, PIXELS), (bottom, PIXELS), (top, 0)]
    ImageDraw.Draw(lights).polygon(shadow, fill=light)
    shaded = ImageChops.multiply(picture, lights.filter(ImageFilter.GaussianBlur(blur)))

    assert is_clear(shaded, None)


def test_a_token_covers_and_hides_no_pawn() -> None:
    """A tile with a token whose mark is read is clear; with a pawn beside the token, with another
    tile in its place or turned it is not.
    """
    picture = tile("VRT07", 7, SCALE)
    disc(picture, (42, 42), 9.5, 225)
    token = ((42 - TILE / 2) / TILE, (42 - TILE / 2) / TILE)
    assert not is_clear(picture, (0.0, 0.0))
    assert is_clear(picture, (0.0, 0.0), (token,))
    assert is_clear(picture, None, (token,))
    assert not is_clear(picture, None, (token,), quarters=1)
    assert not is_clear(tile("VRT08", 8, SCALE), None)
    disc(picture, (16, 20), 10, 60)

    assert not is_clear(picture, None, (token,))
