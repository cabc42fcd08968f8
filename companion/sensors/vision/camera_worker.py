"""The process that looks at a camera's pictures, one after the other: what is known and the picture
on standard input, a line for what it shows on standard output.

Like the one that reads a photo it limits itself before it looks at the first picture; it lives on,
because OpenCV takes longer to load than a picture to look at. It is never imported by the house.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec

from companion.core.game import Message
from companion.sensors.vision.aruco import pawn_marks
from companion.sensors.vision.camera_client import Errand
from companion.sensors.vision.field import NoField
from companion.sensors.vision.frame import Glimpse, Mark, glimpse
from companion.sensors.vision.photo_worker import drawn, rehearse
from companion.sensors.vision.sandbox import address_space, confine
from companion.sensors.vision.zxing_reader import PhotoEye, open_photo

ROOM = 256 * 1024 * 1024
"""Bytes of address space beside what the libraries take, which differs from machine to machine."""


class Onlooker(PhotoEye):
    """Sees the marks of pawns' caps, too."""

    def marks(self) -> Sequence[Mark]:
        return pawn_marks(self._picture)


def main() -> None:
    """Look at pictures until there are no more."""
    rehearse()
    pawn_marks(drawn({}))
    confine(address_space() + ROOM, processor_seconds=None)
    told, tell = sys.stdin.buffer, sys.stdout.buffer
    while line := told.readline():
        errand = msgspec.json.decode(line, type=Errand)
        picture = told.read(errand.length)
        tell.write(msgspec.json.encode(seen(picture, errand)) + b"\n")
        tell.flush()


def seen(picture: bytes, errand: Errand) -> Glimpse:
    """Return what a picture shows."""
    try:
        return glimpse(Onlooker(open_photo(picture)), errand.watch)
    except NoField as refused:
        return Glimpse(problem=refused.said)
    except MemoryError:
        return Glimpse(problem=Message("scan.too_heavy"))


if __name__ == "__main__":
    main()
