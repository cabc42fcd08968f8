"""The decoder process for camera frames: requests on stdin, one result line each on stdout.

It limits itself before the first frame, and stays alive because OpenCV loads slowly. The server
never imports it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import cv2
import msgspec
import numpy
from PIL import Image, ImageFilter

from companion.core.game import Message
from companion.platforms import limit_process, memory_in_use
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
CUT_REACH, CUT_SIDE = 0.55, 320
"""Tiles from the middle of a place to the edge of its cut, and pixels along the cut."""
CUT_BLUR = 1.2
"""Pixels of blur that take a cut's noise away, a sixth of a marker's module."""
# Use one core: the table needs the others.
cv2.setNumThreads(1)


def _detector(least_perimeter: float, largest_perimeter: float) -> cv2.aruco.ArucoDetector:
    """Return a detector of markers whose perimeter is such a share of the picture's longer side."""
    parameters = cv2.aruco.DetectorParameters()
    # No error correction: the markers differ in only 16 modules, and a wrong pawn would be a move.
    parameters.errorCorrectionRate = 0.0
    parameters.minMarkerPerimeterRate = least_perimeter
    parameters.maxMarkerPerimeterRate = largest_perimeter
    # The default three thresholds take three times as long, and find no more markers in drawn
    # pictures.
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 23
    # With half of this, a quarter of the markers is not read at an angle at 3 megapixels.
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100), parameters
    )


# A marker is 8 or 9 mm wide, the field 360 mm and a cut 66 mm.
FRAME_DETECTOR, CUT_DETECTOR = _detector(0.03, 0.2), _detector(0.3, 0.9)


def detect_markers(picture: Image.Image) -> list[Marker]:
    """Return the markers in a grey picture of the field; raise MemoryError at the memory limit."""
    return _detected(FRAME_DETECTOR, picture)


def _detected(detector: cv2.aruco.ArucoDetector, picture: Image.Image) -> list[Marker]:
    try:
        corners, numbers, _ = detector.detectMarkers(numpy.asarray(picture))
    except cv2.error as wrong:
        if wrong.code == cv2.Error.StsNoMem:
            raise MemoryError from wrong
        raise
    if numbers is None:
        return []
    markers = []
    for number, (square,) in zip(numbers.flatten(), corners, strict=True):
        one, two, three, four = ((float(x), float(y)) for x, y in square)
        markers.append(Marker(int(number), (one, two, three, four)))
    return markers


class ArucoReader(ZxingReader):
    """Reads the markers of caps and tokens, too."""

    def marks(self) -> Sequence[Marker]:
        return detect_markers(self._picture)

    def marks_at(self, lattice: Lattice, place: Place) -> Sequence[Marker]:
        to_pixels = lattice.to_pixels
        cut = self.cut(to_pixels, place, CUT_REACH, CUT_SIDE)
        marks = _detected(CUT_DETECTOR, cut.filter(ImageFilter.GaussianBlur(CUT_BLUR)))
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
