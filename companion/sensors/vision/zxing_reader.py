"""Read tiles in pictures with zxing-cpp and Pillow.

`open_photo` checks kind and size before decoding, and runs in a sandboxed process (photo_client.py)
for every picture from outside.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from io import BytesIO

import zxingcpp
from PIL import Image, ImageFilter, ImageOps, UnidentifiedImageError

from companion.sensors.vision import template_match
from companion.sensors.vision.codes import CARD_TEXT, tile_number
from companion.sensors.vision.field import (
    CARD_NUMBER,
    CARD_RADIUS,
    TILE_RADIUS,
    DetectedCodes,
    NoField,
)
from companion.sensors.vision.homography import (
    Degenerate,
    Homography,
    Point,
    fit_homography,
    project,
)
from companion.sensors.vision.lattice import HALF_CODE, Detection
from companion.sensors.vision.sandbox import (
    MAX_JPEG_PIXELS,
    MAX_PHOTO_BYTES,
    MAX_PHOTO_SIDE,
    MAX_PNG_PIXELS,
)

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

    Decoders read a mirrored code like any other; its format information, 15 bits around the first
    finder, is then reversed.

    `corners`: from the code's top left clockwise in the grey picture. `level`: L, M, Q or H.
    """
    bits = format_bits(EC_LEVELS[level], mask)
    seen = _dark(picture, corners)
    front = sum(a == b for a, b in zip(seen, bits, strict=True))
    behind = sum(a == b for a, b in zip(seen, reversed(bits), strict=True))
    return behind - front


def format_bits(level: int, mask: int) -> list[bool]:
    """Return the 15 bits of a format information, lowest first: five of data, ten of BCH code."""
    data = level << 3 | mask
    rest = data << 10
    for bit in range(14, 9, -1):
        if rest >> bit & 1:
            rest ^= 0b10100110111 << (bit - 10)
    word = (data << 10 | rest) ^ 0b101010000010010
    return [bool(word >> bit & 1) for bit in range(15)]


def _dark(picture: Image.Image, corners: Sequence[Point]) -> list[bool]:
    """Return which modules of the format are darker than halfway between the extremes."""
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


FORMATS = ("JPEG", "PNG")
LONG, SHORT = 2000, 1500
"""Least pixels of the decoded picture; a larger one is reduced by a whole number."""
JPEG_END = b"\xff\xd9"
MISSING = 50
"""One part in so many of a JPEG's height may be missing at its end."""
CUT_RESOLUTIONS = (300, 500)
"""Pixels a tile at which a place is read again."""
# Each picture's size is checked here before decoding, so drop Pillow's own, higher limit.
Image.MAX_IMAGE_PIXELS = None
ONLY_QR = zxingcpp.BarcodeFormats(zxingcpp.QRCodeModel2)

Preprocessor = Callable[[Image.Image], Image.Image]


def open_photo(photo: bytes) -> Image.Image:
    """Return a photo in grey, upright by its EXIF orientation; raise `NoField`.

    Raises MemoryError at the memory limit.
    """
    if len(photo) > MAX_PHOTO_BYTES:
        raise NoField("scan.too_many_bytes", most=MAX_PHOTO_BYTES // 1024 // 1024)
    try:
        return _decode(photo)
    except UnidentifiedImageError:
        raise NoField("scan.no_picture") from None
    except (OSError, SyntaxError, ValueError, EOFError):
        # Pillow raises these for truncated or damaged files.
        pass
    try:
        grey = _decode(photo + JPEG_END)
    except (OSError, SyntaxError, ValueError, EOFError):
        raise NoField("scan.broken_picture") from None
    # libjpeg fills the missing part with one grey.
    lowest, highest = grey.crop(
        (0, grey.height - 1 - grey.height // MISSING, grey.width, grey.height)
    ).getextrema()
    if lowest == highest:
        raise NoField("scan.broken_picture")
    return grey


def _decode(photo: bytes) -> Image.Image:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid metadata is ignored
        with Image.open(BytesIO(photo), formats=FORMATS) as picture:
            return _to_small_grey(picture)


def _to_small_grey(picture: Image.Image) -> Image.Image:
    width, height = picture.size
    most = MAX_PNG_PIXELS if picture.format == "PNG" else MAX_JPEG_PIXELS
    if width * height > most:
        raise NoField("scan.too_many_pixels", width=width, height=height, most=most // 1_000_000)
    if max(width, height) > MAX_PHOTO_SIDE:
        raise NoField("scan.too_long_side", width=width, height=height, most=MAX_PHOTO_SIDE)
    picture.draft("L", (LONG, SHORT) if width > height else (SHORT, LONG))
    upright = ImageOps.exif_transpose(picture)
    grey = _on_white(upright) if upright.has_transparency_data else upright.convert("L")
    fraction = max(1, min(max(grey.size) // LONG, min(grey.size) // SHORT))
    return grey.reduce(fraction) if fraction > 1 else grey


def _on_white(picture: Image.Image) -> Image.Image:
    """Return a picture with transparent parts in grey, as it looks on white paper."""
    grey, opacity = picture.convert("LA").split()
    return Image.composite(grey, Image.new("L", grey.size, 255), opacity)


def _unchanged(picture: Image.Image) -> Image.Image:
    return picture


def _blurred(picture: Image.Image) -> Image.Image:
    return ImageOps.autocontrast(picture.filter(ImageFilter.GaussianBlur(1.2)), cutoff=1)


def _enlarged(picture: Image.Image) -> Image.Image:
    larger = picture.resize((picture.width * 2, picture.height * 2), Image.Resampling.BICUBIC)
    return larger.filter(ImageFilter.GaussianBlur(1.5))


def _sharpened(picture: Image.Image) -> Image.Image:
    return picture.filter(ImageFilter.GaussianBlur(4)).filter(ImageFilter.UnsharpMask(10, 250, 0))


PREPROCESSORS: tuple[Preprocessor, ...] = (_unchanged, _blurred, _enlarged)
"""Preprocessing steps for a whole picture, from the quickest on."""


class ZxingReader:
    """Reads the codes of one grey picture."""

    def __init__(self, picture: Image.Image) -> None:
        self._picture = picture

    @property
    def size(self) -> tuple[int, int]:
        return self._picture.size

    def read_image(self, effort: int) -> DetectedCodes:
        """Return the codes in the whole picture after preprocessing step `effort`."""
        picture = PREPROCESSORS[effort](self._picture)
        scale = self._picture.width / picture.width
        sightings, votes = [], 0
        for code in zxingcpp.read_barcodes(picture, formats=ONLY_QR):
            if (sighting := to_detection(code)) is not None:
                about: dict[str, str | int] = code.extra  # type: ignore[assignment]
                votes += mirror_votes(
                    picture, sighting.corners, code.ec_level, int(about["DataMask"])
                )
                sightings.append(sighting.scaled(scale))
        return DetectedCodes(sightings, mirrored=votes > 0)

    def read_cell(self, to_pixels: Homography, place: Point) -> Detection | None:
        """Return the tile at a place, decoded from a rectified cut or by template matching."""
        try:
            for pixels in CUT_RESOLUTIONS:
                for sighting in self._decode_around(
                    to_pixels, place, TILE_RADIUS, pixels, _unchanged
                ):
                    if sighting.number != CARD_NUMBER:
                        return sighting
            alike = template_match.identify(
                self.cut(to_pixels, place, TILE_RADIUS, cut_side(TILE_RADIUS))
            )
            return (
                _match_detection(alike, to_pixels, place, TILE_RADIUS)
                if alike and alike.number != CARD_NUMBER
                else None
            )
        except Degenerate:
            return None

    def find_card(self, to_pixels: Homography, around: Point, thorough: bool) -> Detection | None:
        """Return the corner card near a point of the lattice."""
        looks = ((500, _unchanged), (500, _sharpened)) if thorough else ((300, _unchanged),)
        try:
            for pixels, look in looks:
                for sighting in self._decode_around(to_pixels, around, CARD_RADIUS, pixels, look):
                    if sighting.number == CARD_NUMBER:
                        return sighting
            return self._unread_card(to_pixels, around) if thorough else None
        except Degenerate:
            return None

    def _unread_card(self, to_pixels: Homography, around: Point) -> Detection | None:
        side = cut_side(CARD_RADIUS)
        seen = template_match.match_code(
            self.cut(to_pixels, around, CARD_RADIUS, side), template_match.CARD_SEARCH
        )
        if seen.match is None and seen.is_code:
            raise NoField("scan.card_unread")
        if seen.match is None or seen.match.number != CARD_NUMBER:
            return None
        return _match_detection(seen.match, to_pixels, around, CARD_RADIUS)

    def _decode_around(
        self, to_pixels: Homography, around: Point, reach: float, pixels: int, look: Preprocessor
    ) -> list[Detection]:
        side = round(2 * reach * pixels)
        cut = look(self.cut(to_pixels, around, reach, side))
        codes = zxingcpp.read_barcodes(cut, formats=ONLY_QR, try_invert=False)
        detections = [sighting for code in codes if (sighting := to_detection(code)) is not None]
        return [to_picture(sighting, to_pixels, around, reach, side) for sighting in detections]

    def cut(
        self,
        to_pixels: Homography,
        around: Point,
        reach: float,
        side: int,
        resample: Image.Resampling = Image.Resampling.BICUBIC,
    ) -> Image.Image:
        """Return a square of the lattice as seen from straight above."""
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
            resample,
            fillcolor=128,
        )


def cut_side(reach: float) -> int:
    """Return a cut's side in pixels at template matching's resolution."""
    return round(reach / HALF_CODE * template_match.CODE_SIDE * template_match.MODULE_PIXELS)


def _match_detection(
    alike: template_match.Match, to_pixels: Homography, around: Point, reach: float
) -> Detection:
    """Return a match in a cut as a detection in the picture."""
    one, two, three, four = template_match.match_corners(alike, cut_side(reach))
    return to_picture(
        Detection(alike.number, (one, two, three, four)), to_pixels, around, reach, cut_side(reach)
    )


def to_picture(
    sighting: Detection, to_pixels: Homography, around: Point, reach: float, side: int
) -> Detection:
    """Return a cut's detection in the picture's pixels."""
    step = 2 * reach / side
    one, two, three, four = (
        project(to_pixels, (around[0] - reach + x * step, around[1] - reach + y * step))
        for x, y in sighting.corners
    )
    return Detection(sighting.number, (one, two, three, four))


def to_detection(code: zxingcpp.Barcode) -> Detection | None:
    """Return a barcode as a detection, None if it is not one of ours."""
    number = CARD_NUMBER if code.text == CARD_TEXT else tile_number(code.text)
    if number is None:
        return None
    at = code.position
    one, two, three, four = (
        (float(corner.x), float(corner.y))
        for corner in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
    )
    return Detection(number, (one, two, three, four))
