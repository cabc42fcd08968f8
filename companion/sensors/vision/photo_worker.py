"""The process that reads one photo: an order and the photo on standard input, what it shows on
standard output.

It limits itself before it looks at a byte of the photo: memory, processor time, and no further
file, socket or process. It is never imported by the house.
"""

from __future__ import annotations

import sys
from io import BytesIO

import msgspec
from PIL import Image

from companion.core.grid import cell_name
from companion.core.placement import Cell, Tile
from companion.sensors.vision import template_match
from companion.sensors.vision.field import SIDE, NoField, Scan, scan
from companion.sensors.vision.photo_client import TOO_HEAVY, Order
from companion.sensors.vision.photo_limits import MOST_BYTES
from companion.sensors.vision.sandbox import confine
from companion.sensors.vision.zxing_reader import PhotoEye, open_photo

MEMORY = 400 * 1024 * 1024
"""Bytes of address space."""
PROCESSOR_SECONDS = 5
UPSIDE_DOWN = 3
"""An EXIF orientation."""
ORIENTATION = 0x0112


def main() -> None:
    """Read the order and the photo, tell what it shows."""
    rehearse()
    confine(MEMORY, PROCESSOR_SECONDS)
    told = sys.stdin.buffer
    order = msgspec.json.decode(told.readline(), type=Order)
    try:
        found = develop(told.read(MOST_BYTES + 1), order)
    except MemoryError:
        sys.exit(TOO_HEAVY)
    sys.stdout.buffer.write(msgspec.json.encode(found))


def develop(photo: bytes, order: Order) -> Scan:
    """Return what a photo shows."""
    try:
        return scan(PhotoEye(open_photo(photo)), order.known)
    except NoField as refused:
        return Scan(problems=(refused.said,))


def rehearse() -> None:
    """Read pictures of a field drawn for this, so that all is imported that a photo may need: no
    file can be opened when it comes.
    """
    cells = [cell_name(column, row) for row in range(SIDE) for column in range(SIDE)]
    known = {Cell(cell): Tile(number, 0) for number, cell in enumerate(cells, 1)}
    picture = drawn(known)
    for kind in ("JPEG", "MPO", "PNG"):
        exif = Image.Exif()
        exif[ORIENTATION] = UPSIDE_DOWN
        held = BytesIO()
        picture.save(held, kind, exif=exif)
        found = develop(held.getvalue(), Order(known))
        assert found.is_field, found.problems


def drawn(laid: dict[Cell, Tile]) -> Image.Image:
    """Return tiles, none of them turned, as they would be seen by an eye above a white table: the
    codes and nothing else, six by six.
    """
    modules, pixels = template_match.SIDE, 4
    picture = Image.new("L", (2 * modules * SIDE, 2 * modules * SIDE), 255)
    for place, tile in enumerate(laid.values()):
        at = (
            2 * modules * (place % SIDE) + modules // 2,
            2 * modules * (place // SIDE) + modules // 2,
        )
        picture.paste(template_match.drawn(tile.number), at)
    return picture.resize(
        (picture.width * pixels, picture.height * pixels), Image.Resampling.NEAREST
    )


if __name__ == "__main__":
    main()
