"""Whether a tile is clear: nothing covers its code and the white around it."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from companion.sensors.vision.lattice import Detection
from companion.sensors.vision.zxing_reader import ZxingReader
from tests.photos.printed import TILE, tile

SCALE = 5.0
CODE_CORNERS = tuple((x * SCALE, y * SCALE) for x, y in ((15, 15), (45, 15), (45, 45), (15, 45)))
MODULE = 30 / 21 * SCALE


def is_clear(picture: Image.Image, off: tuple[float, float]) -> bool:
    """Return the reader's answer if the decoder misses the third corner by `off` modules."""
    one, two, (x, y), four = CODE_CORNERS
    third = (x + off[0] * MODULE, y + off[1] * MODULE)
    return ZxingReader(picture).is_clear(Detection(7, (one, two, third, four)))


@pytest.mark.parametrize("off", [(0.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.8, 0.8), (-1.0, 0.6)])
def test_inexact_third_corner(off: tuple[float, float]) -> None:
    """A bare tile is clear, also where the decoder misses the corner without a finder."""
    picture = tile("VRT07", 7, SCALE)

    assert is_clear(picture, off)


@pytest.mark.parametrize("off", [(0.0, 0.0), (1.0, 0.0), (0.8, 0.8)])
@pytest.mark.parametrize("at", [(47, 47), (13, 30), (40, 40), (30, 48)])
def test_covered_tile(off: tuple[float, float], at: tuple[int, int]) -> None:
    """A tile under a pawn's foot of 20 mm is not clear, wherever the third corner is sought."""
    picture = tile("VRT07", 7, SCALE)
    x, y = (part * SCALE for part in at)
    reach = 10 * SCALE
    ImageDraw.Draw(picture).ellipse([x - reach, y - reach, x + reach, y + reach], fill=60)

    assert picture.width == TILE * SCALE
    assert not is_clear(picture, off)
