"""Tiles in pictures, by zxing-cpp and Pillow.

A picture is hostile until it is decoded: `open_photo` looks at its kind and size first, and runs in
a process of its own (darkroom.py) wherever a picture comes from somebody else.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from io import BytesIO

import zxingcpp
from PIL import Image, ImageFilter, ImageOps, UnidentifiedImageError

from companion.sensors.vision import template_match
from companion.sensors.vision.codes import CARD_TEXT, tile_number
from companion.sensors.vision.field import ABOUT, CARD, CLOSE, Glance, NoField
from companion.sensors.vision.homography import Degenerate, Homography, Point, fitted, project
from companion.sensors.vision.lattice import HALF_CODE, Sighting
from companion.sensors.vision.mirror import mirror_votes
from companion.sensors.vision.photo_limits import MOST_BYTES, MOST_PIXELS, MOST_SIDE

FORMATS = ("JPEG", "PNG")
LONG, SHORT = 2000, 1500
"""Pixels of the picture that is worked on, at least: a larger one is made smaller by a whole
number.
"""
CLOSER = (300, 500)
"""Pixels a tile at which a place is looked at again."""
# Every picture's size is judged here before it is decoded, so Pillow's own and higher limit is not
# asked.
Image.MAX_IMAGE_PIXELS = None
ONLY_QR = zxingcpp.BarcodeFormats(zxingcpp.QRCodeModel2)

Look = Callable[[Image.Image], Image.Image]


def open_photo(photo: bytes) -> Image.Image:
    """Return a photo in grey, upright as its EXIF orientation says; raise `NoField` for what is
    none.

    Its kind and size are known before a pixel is decoded. Raises MemoryError where that is limited.
    """
    if len(photo) > MOST_BYTES:
        raise NoField("scan.too_many_bytes", most=MOST_BYTES // 1024 // 1024)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd metadata harms nobody
            with Image.open(BytesIO(photo), formats=FORMATS) as picture:
                return _decoded(picture)
    except UnidentifiedImageError:
        raise NoField("scan.no_picture") from None
    except (OSError, SyntaxError, ValueError, EOFError):
        # What Pillow raises for files that are cut off or wrong inside.
        raise NoField("scan.broken_picture") from None


def _decoded(picture: Image.Image) -> Image.Image:
    width, height = picture.size
    if width * height > MOST_PIXELS:
        raise NoField(
            "scan.too_many_pixels", width=width, height=height, most=MOST_PIXELS // 1_000_000
        )
    if max(width, height) > MOST_SIDE:
        raise NoField("scan.too_long_side", width=width, height=height, most=MOST_SIDE)
    picture.draft("L", (LONG, SHORT) if width > height else (SHORT, LONG))
    grey = ImageOps.exif_transpose(picture).convert("L")
    fraction = max(1, min(max(grey.size) // LONG, min(grey.size) // SHORT))
    return grey.reduce(fraction) if fraction > 1 else grey


def _as_it_is(picture: Image.Image) -> Image.Image:
    return picture


def _calmed(picture: Image.Image) -> Image.Image:
    return ImageOps.autocontrast(picture.filter(ImageFilter.GaussianBlur(1.2)), cutoff=1)


def _enlarged(picture: Image.Image) -> Image.Image:
    larger = picture.resize((picture.width * 2, picture.height * 2), Image.Resampling.BICUBIC)
    return larger.filter(ImageFilter.GaussianBlur(1.5))


def _crisp(picture: Image.Image) -> Image.Image:
    return picture.filter(ImageFilter.GaussianBlur(4)).filter(ImageFilter.UnsharpMask(10, 250, 0))


LOOKS: tuple[Look, ...] = (_as_it_is, _calmed, _enlarged)
"""The ways of looking at a whole picture, from the quickest on."""


class PhotoEye:
    """Looks at one picture in grey."""

    def __init__(self, picture: Image.Image) -> None:
        self._picture = picture

    @property
    def size(self) -> tuple[int, int]:
        return self._picture.size

    def glance(self, effort: int) -> Glance:
        """Return the codes in the whole picture, looked at in one of the ways of `LOOKS`."""
        picture = LOOKS[effort](self._picture)
        scale = self._picture.width / picture.width
        sightings, votes = [], 0
        for code in zxingcpp.read_barcodes(picture, formats=ONLY_QR):
            if (sighting := sighted(code)) is not None:
                about: dict[str, str | int] = code.extra  # type: ignore[assignment]
                votes += mirror_votes(
                    picture, sighting.corners, code.ec_level, int(about["DataMask"])
                )
                sightings.append(sighting.scaled(scale))
        return Glance(sightings, mirrored=votes > 0)

    def peer(self, to_pixels: Homography, place: Point) -> Sighting | None:
        """Return the tile at a place: its code decoded from a rectified cut, or told by its
        likeness.
        """
        try:
            for pixels in CLOSER:
                for sighting in self._decoded(to_pixels, place, CLOSE, pixels, _as_it_is):
                    if sighting.number != CARD:
                        return sighting
            alike = template_match.tell(self._cut(to_pixels, place, CLOSE, _side(CLOSE)))
            return (
                _alike(alike, to_pixels, place, CLOSE) if alike and alike.number != CARD else None
            )
        except Degenerate:
            return None

    def find_card(self, to_pixels: Homography, around: Point, thorough: bool) -> Sighting | None:
        """Return the corner card that lies somewhere around a point of a lattice."""
        looks = ((500, _as_it_is), (500, _crisp)) if thorough else ((300, _as_it_is),)
        try:
            for pixels, look in looks:
                for sighting in self._decoded(to_pixels, around, ABOUT, pixels, look):
                    if sighting.number == CARD:
                        return sighting
            return self._unread_card(to_pixels, around) if thorough else None
        except Degenerate:
            return None

    def _unread_card(self, to_pixels: Homography, around: Point) -> Sighting | None:
        side = _side(ABOUT)
        seen = template_match.look(self._cut(to_pixels, around, ABOUT, side), template_match.WIDE)
        if seen.likeness is None and seen.is_code:
            raise NoField("scan.card_unread")
        if seen.likeness is None or seen.likeness.number != CARD:
            return None
        return _alike(seen.likeness, to_pixels, around, ABOUT)

    def _decoded(
        self, to_pixels: Homography, around: Point, reach: float, pixels: int, look: Look
    ) -> list[Sighting]:
        side = round(2 * reach * pixels)
        cut = look(self._cut(to_pixels, around, reach, side))
        codes = zxingcpp.read_barcodes(cut, formats=ONLY_QR, try_invert=False)
        found = [sighting for code in codes if (sighting := sighted(code)) is not None]
        return [_in_picture(sighting, to_pixels, around, reach, side) for sighting in found]

    def _cut(self, to_pixels: Homography, around: Point, reach: float, side: int) -> Image.Image:
        """Return a square of the lattice as if seen from straight above."""
        step = 2 * reach / side
        x, y = around[0] - reach, around[1] - reach
        rows = (to_pixels[i : i + 3] for i in (0, 3, 6))
        data = [part for a, b, c in rows for part in (a * step, b * step, a * x + b * y + c)]
        if abs(data[8]) < 1e-9:
            raise Degenerate("the cut begins on the horizon")
        scaled = [part / data[8] for part in data[:8]]
        return self._picture.transform(
            (side, side),
            Image.Transform.PERSPECTIVE,
            scaled,
            Image.Resampling.BICUBIC,
            fillcolor=128,
        )

    def is_clear(self, sighting: Sighting) -> bool:
        """Return whether nothing covers a tile's code nor the white around it."""
        ring, side = template_match.RING, template_match.SIDE
        code = ((ring, ring), (ring + side, ring), (ring + side, ring + side), (ring, ring + side))
        pixels = template_match.PIXELS
        try:
            to_picture = fitted(
                ((x * pixels, y * pixels), corner)
                for (x, y), corner in zip(code, sighting.corners, strict=True)
            )
        except Degenerate:
            return False
        whole = (side + 2 * ring) * pixels
        cut = self._picture.transform(
            (whole, whole),
            Image.Transform.PERSPECTIVE,
            to_picture[:8],
            Image.Resampling.BILINEAR,
            fillcolor=128,
        )
        return template_match.is_uncovered(cut, sighting.number)


def _side(reach: float) -> int:
    """Return the pixels of a cut in which a module is as large as likenesses are told by."""
    return round(reach / HALF_CODE * template_match.SIDE * template_match.PIXELS)


def _alike(
    alike: template_match.Likeness, to_pixels: Homography, around: Point, reach: float
) -> Sighting:
    """Return what was told by its likeness in a cut as it stands in the picture."""
    one, two, three, four = template_match.corners(alike, _side(reach))
    return _in_picture(
        Sighting(alike.number, (one, two, three, four)), to_pixels, around, reach, _side(reach)
    )


def _in_picture(
    sighting: Sighting, to_pixels: Homography, around: Point, reach: float, side: int
) -> Sighting:
    """Return a sighting in a cut as it stands in the picture."""
    step = 2 * reach / side
    one, two, three, four = (
        project(to_pixels, (around[0] - reach + x * step, around[1] - reach + y * step))
        for x, y in sighting.corners
    )
    return Sighting(sighting.number, (one, two, three, four))


def sighted(code: zxingcpp.Barcode) -> Sighting | None:
    """Return a code of ours as a sighting, None for any other code."""
    number = CARD if code.text == CARD_TEXT else tile_number(code.text)
    if number is None:
        return None
    at = code.position
    one, two, three, four = (
        (float(corner.x), float(corner.y))
        for corner in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
    )
    return Sighting(number, (one, two, three, four))
