"""The decoder process for one photo: request and photo on stdin, the result on stdout.

It limits its memory, CPU time, files, sockets and processes before it reads the photo. The server
never imports it.
"""

from __future__ import annotations

import sys
from io import BytesIO

import msgspec
from PIL import Image

from companion.core.grid import cell_name
from companion.core.placement import Cell, Tile
from companion.platforms import limit_process
from companion.sensors.vision import template_match
from companion.sensors.vision.field import FIELD_SIDE, FieldScan, NoField, scan_field
from companion.sensors.vision.photo_client import EXIT_OUT_OF_MEMORY, DecodeRequest
from companion.sensors.vision.sandbox import MAX_PHOTO_BYTES
from companion.sensors.vision.zxing_reader import ZxingReader, open_photo

MEMORY = 400 * 1024 * 1024
"""Bytes of address space."""
PROCESSOR_SECONDS = 5
UPSIDE_DOWN = 3
"""An EXIF orientation."""
ORIENTATION = 0x0112


def decode_photo_from_stdin() -> None:
    """Read the request and the photo, write the result. Without a request, do nothing."""
    warm_up()
    limit_process(MEMORY, PROCESSOR_SECONDS)
    stdin = sys.stdin.buffer
    if not (request := stdin.readline()):
        return
    order = msgspec.json.decode(request, type=DecodeRequest)
    try:
        scan = decode_photo(stdin.read(MAX_PHOTO_BYTES + 1), order)
    except MemoryError:
        sys.exit(EXIT_OUT_OF_MEMORY)
    sys.stdout.buffer.write(msgspec.json.encode(scan))


def decode_photo(photo: bytes, order: DecodeRequest) -> FieldScan:
    """Return the reading of a photo."""
    try:
        return scan_field(ZxingReader(open_photo(photo)), order.known)
    except NoField as refused:
        return FieldScan(problems=(refused.message,))


def warm_up() -> None:
    """Read a field and open each kind of picture: imports end before files are forbidden."""
    cells = [cell_name(column, row) for row in range(FIELD_SIDE) for column in range(FIELD_SIDE)]
    known = {Cell(cell): Tile(number, 0) for number, cell in enumerate(cells, 1)}
    scan = decode_photo(encode_picture(render_field(known), "JPEG"), DecodeRequest(known))
    assert scan.is_field, scan.problems
    for kind in ("MPO", "PNG"):
        open_photo(encode_picture(Image.new("L", (1, 1)), kind))


def encode_picture(picture: Image.Image, kind: str) -> bytes:
    """Return a picture as a file of a kind, upside down by its EXIF orientation."""
    exif = Image.Exif()
    exif[ORIENTATION] = UPSIDE_DOWN
    held = BytesIO()
    picture.save(held, kind, exif=exif)
    return held.getvalue()


def render_field(laid: dict[Cell, Tile]) -> Image.Image:
    """Return six by six upright codes on white, as seen from straight above."""
    modules, pixels = template_match.CODE_SIDE, 4
    picture = Image.new("L", (2 * modules * FIELD_SIDE, 2 * modules * FIELD_SIDE), 255)
    for place, tile in enumerate(laid.values()):
        at = (
            2 * modules * (place % FIELD_SIDE) + modules // 2,
            2 * modules * (place // FIELD_SIDE) + modules // 2,
        )
        picture.paste(template_match.render_code(tile.number), at)
    return picture.resize(
        (picture.width * pixels, picture.height * pixels), Image.Resampling.NEAREST
    )


if __name__ == "__main__":
    decode_photo_from_stdin()
