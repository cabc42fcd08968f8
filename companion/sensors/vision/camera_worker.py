"""The decoder process for camera frames: requests on stdin, one result line each on stdout.

It limits itself before the first frame, and stays alive because OpenCV loads slowly. The server
never imports it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import msgspec
from PIL import Image

from companion.core.game import Message
from companion.platforms import limit_process, memory_in_use
from companion.sensors.vision.aruco import (
    CUT_REACH,
    CUT_SIDE,
    detect_markers,
    detect_markers_in_cut,
)
from companion.sensors.vision.camera_client import FrameRequest
from companion.sensors.vision.clear_tile import is_clear
from companion.sensors.vision.field import TILE_RADIUS, NoField
from companion.sensors.vision.frame import FrameResult, Marker, analyse_frame
from companion.sensors.vision.homography import Point, fit_homography, invert, project
from companion.sensors.vision.lattice import CORNERS, HALF_CODE, Detection, Lattice, Place
from companion.sensors.vision.photo_worker import render_field, warm_up
from companion.sensors.vision.sandbox import write_out
from companion.sensors.vision.template_match import CODE_SIDE
from companion.sensors.vision.zxing_reader import ZxingReader, cut_side, open_photo, to_picture

MEMORY_HEADROOM = 256 * 1024 * 1024
"""Bytes of address space beyond what the libraries take on this machine."""
MODULES_A_TILE = CODE_SIDE / (2 * HALF_CODE)
"""Modules of a tile's side."""
CODE_REACH = 0.33
"""Tiles from a code's middle to the edge of its quiet zone."""


class ArucoReader(ZxingReader):
    """Reads the markers of caps and tokens, too."""

    def marks(self) -> Sequence[Marker]:
        return detect_markers(self._picture)

    def marks_at(self, lattice: Lattice, place: Place) -> Sequence[Marker]:
        to_pixels = lattice.to_pixels
        marks = detect_markers_in_cut(self.cut(to_pixels, place, CUT_REACH, CUT_SIDE))
        sightings = (
            to_picture(Detection(*mark), to_pixels, place, CUT_REACH, CUT_SIDE) for mark in marks
        )
        return [Marker(*sighting) for sighting in sightings]

    def is_clear(
        self, lattice: Lattice, place: Place, tile: tuple[int, int], tokens: Sequence[Point]
    ) -> bool:
        laid = lattice.laid.get(place)
        views = [(lattice.to_pixels, place, tile, False)]
        if laid is not None:
            # In a bent or crooked tile its own corners fit best.
            own = fit_homography(zip(CORNERS, laid.sighting.corners, strict=True))
            views.insert(0, (own, (0, 0), (tile[0], 0), True))
        for to_pixels, middle, turned, is_exact in views:
            reach = CODE_REACH if is_exact else TILE_RADIUS
            back = invert(to_pixels)
            lying = [project(back, project(lattice.to_pixels, token)) for token in tokens]
            if is_clear(
                self.cut(to_pixels, middle, reach, cut_side(reach), Image.Resampling.BILINEAR),
                turned,
                [
                    ((x - middle[0]) * MODULES_A_TILE, (y - middle[1]) * MODULES_A_TILE)
                    for x, y in lying
                ],
                is_exact=is_exact,
            ):
                return True
        return False


def decode_frames_from_stdin() -> None:
    """Decode frames until stdin ends."""
    warm_up()
    detect_markers(render_field({}))
    limit_process(memory_in_use() + MEMORY_HEADROOM, processor_seconds=None)
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    while line := requests.readline():
        request = msgspec.json.decode(line, type=FrameRequest)
        picture = requests.read(request.length)
        write_out(replies, msgspec.json.encode(read_frame(picture, request)) + b"\n")


def read_frame(picture: bytes, request: FrameRequest) -> FrameResult:
    """Return the result of a frame."""
    try:
        return analyse_frame(ArucoReader(open_photo(picture)), request.context)
    except NoField as refused:
        return FrameResult(problem=refused.message)
    except MemoryError:
        return FrameResult(problem=Message("scan.too_heavy"))


if __name__ == "__main__":
    decode_frames_from_stdin()
