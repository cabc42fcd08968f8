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
from companion.sensors.vision.aruco import detect_markers
from companion.sensors.vision.camera_client import FrameRequest
from companion.sensors.vision.field import NoField
from companion.sensors.vision.frame import FrameResult, Marker, analyse_frame
from companion.sensors.vision.photo_worker import render_field, warm_up
from companion.sensors.vision.sandbox import address_space, apply_rlimits
from companion.sensors.vision.zxing_reader import ZxingReader, open_photo

MEMORY_HEADROOM = 256 * 1024 * 1024
"""Bytes of address space beside what the libraries take, which differs from machine to machine."""


class ArucoReader(ZxingReader):
    """Sees the marks of pawns' caps, too."""

    def marks(self) -> Sequence[Marker]:
        return detect_markers(self._picture)


def decode_frames_from_stdin() -> None:
    """Look at pictures until there are no more."""
    warm_up()
    detect_markers(render_field({}))
    apply_rlimits(address_space() + MEMORY_HEADROOM, processor_seconds=None)
    told, tell = sys.stdin.buffer, sys.stdout.buffer
    while line := told.readline():
        errand = msgspec.json.decode(line, type=FrameRequest)
        picture = told.read(errand.length)
        tell.write(msgspec.json.encode(read_frame(picture, errand)) + b"\n")
        tell.flush()


def read_frame(picture: bytes, errand: FrameRequest) -> FrameResult:
    """Return what a picture shows."""
    try:
        return analyse_frame(ArucoReader(open_photo(picture)), errand.watch)
    except NoField as refused:
        return FrameResult(problem=refused.said)
    except MemoryError:
        return FrameResult(problem=Message("scan.too_heavy"))


if __name__ == "__main__":
    decode_frames_from_stdin()
